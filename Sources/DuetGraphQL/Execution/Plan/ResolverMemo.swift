internal import Synchronization

/// A cache for one object that a subtree resolver derives from a field and the selections below it, such as the text of
/// a statement. The object exists as long as the operation's plan.
public final class ResolverMemo: Sendable {
    private let cached = Mutex<(any AnyObject & Sendable)?>(nil)

    init() {}

    /// Returns the cached object. If none exists, caches and returns the result of `make`. If two tasks create an
    /// object, both get the first object.
    public func value<Value: AnyObject & Sendable>(_ make: () throws -> Value) rethrows -> Value {
        if let value = Self.cast(cached.withLock({ $0 }), to: Value.self) { return value }
        let made = try make()
        return cached.withLock { cached in
            if let value = Self.cast(cached, to: Value.self) { return value }
            cached = made
            return made
        }
    }

    /// Casts an object. The cast is several times faster than `as?` if the object's class is exactly `type`, which is
    /// the common case.
    @inline(__always)
    private static func cast<Value: AnyObject>(_ object: (any AnyObject & Sendable)?, to type: Value.Type) -> Value? {
        guard let object else { return nil }
        return Swift.type(of: object) == type ? unsafeDowncast(object, to: type) : object as? Value
    }
}
