/// Repeats an observation of another program that reports no event. The system reports nothing about processes that are
/// not children of this process, and a cache does not report that a response became stale.
package enum Polling {
    /// The time limit has elapsed. `last` describes the last observation.
    package struct TimedOut: Error {
        package let last: String
    }

    /// Repeats an observation until it meets a condition. The time limit is five minutes, so that a slow machine does
    /// not reach it.
    package static func observe<Value>(
        _ look: () async throws -> Value, until isWanted: (Value) -> Bool
    ) async throws -> Value {
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            let value = try await look()
            if isWanted(value) { return value }
            guard ContinuousClock.now < deadline else { throw TimedOut(last: "\(value)") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
