internal import Synchronization

/// A cache for an object that a subtree resolver derives from a field and the selections below it, such as a
/// statement's text. It lives as long as the plan.
public final class ResolverMemo: Sendable {
    private let cached = Mutex<(any AnyObject & Sendable)?>(nil)

    init() {}

    /// The cached object, or else the result of `make`, which is cached. If two tasks make an object, both get the
    /// first one.
    public func value<Value: AnyObject & Sendable>(_ make: () throws -> Value) rethrows -> Value {
        if let value = Self.cast(cached.withLock({ $0 }), to: Value.self) { return value }
        let made = try make()
        return cached.withLock { cached in
            if let value = Self.cast(cached, to: Value.self) { return value }
            cached = made
            return made
        }
    }

    /// A cast that is several times faster than `as?` if the object has exactly the class `type`, as it nearly always
    /// has.
    @inline(__always)
    private static func cast<Value: AnyObject>(_ object: (any AnyObject & Sendable)?, to type: Value.Type) -> Value? {
        guard let object else { return nil }
        return Swift.type(of: object) == type ? unsafeDowncast(object, to: type) : object as? Value
    }
}
