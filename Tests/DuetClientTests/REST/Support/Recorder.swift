import Synchronization

/// Collects values from any thread.
final class Recorder<Value: Sendable>: Sendable {
    private let recorded = Mutex<[Value]>([])

    /// The values that were recorded so far.
    var values: [Value] { recorded.withLock { $0 } }

    @Sendable
    func record(_ value: Value) {
        recorded.withLock { $0.append(value) }
    }
}
