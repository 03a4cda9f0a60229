internal import Synchronization

/// What a subtree resolver has made of a field and the selection below it, such as a statement's text: kept with the plan, so as
/// long as the operation is.
public final class ResolverMemo: Sendable {
    private let kept = Mutex<(any AnyObject & Sendable)?>(nil)

    init() {}

    /// What was kept, or else what `make` makes now, kept from now on. Of two that are made at the same time the first stays.
    public func value<Kept: AnyObject & Sendable>(_ make: () throws -> Kept) rethrows -> Kept {
        if let known = Self.cast(kept.withLock({ $0 }), to: Kept.self) { return known }
        let made = try make()
        return kept.withLock { kept in
            if let known = Self.cast(kept, to: Kept.self) { return known }
            kept = made
            return made
        }
    }

    /// It nearly always has the very class that is asked for; a dynamic cast takes several times as long.
    @inline(__always)
    private static func cast<Kept: AnyObject>(_ object: (any AnyObject & Sendable)?, to type: Kept.Type) -> Kept? {
        guard let object else { return nil }
        return Swift.type(of: object) == type ? unsafeDowncast(object, to: type) : object as? Kept
    }
}
