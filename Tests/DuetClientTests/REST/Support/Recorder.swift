import Synchronization

/// Collects values of any threads.
final class Recorder<Value: Sendable>: Sendable {
    private let recorded = Mutex<[Value]>([])

    /// The values so far.
    var values: [Value] { recorded.withLock { $0 } }

    @Sendable
    func record(_ value: Value) {
        recorded.withLock { $0.append(value) }
    }
}
