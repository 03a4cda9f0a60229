import Synchronization

/// A value that a lock protects. Tests use it to record the calls of resolvers.
final class Locked<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    @discardableResult
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { value in
            var copy = value
            let result = body(&copy)
            value = copy
            return result
        }
    }
}
