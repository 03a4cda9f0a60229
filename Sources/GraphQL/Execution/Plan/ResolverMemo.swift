internal import Synchronization

/// What a subtree resolver has made of a field and the selection below it, such as a statement's text: kept with the plan, so as
/// long as the operation is.
public final class ResolverMemo: Sendable {
    private let kept = Mutex<(any AnyObject & Sendable)?>(nil)

    init() {}

    /// What was kept, or else what `make` makes now, kept from now on. Of two that are made at the same time the first stays.
    public func value<Kept: AnyObject & Sendable>(_ make: () throws -> Kept) rethrows -> Kept {
        if let known = kept.withLock({ $0 }) as? Kept { return known }
        let made = try make()
        return kept.withLock { kept in
            if let known = kept as? Kept { return known }
            kept = made
            return made
        }
    }
}
