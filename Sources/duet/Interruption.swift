import ArgumentParser
import UnixSignals

/// What becomes of a job when the process is told to end: it is cancelled, and has the time to remove what it has made.
enum Interruption {
    /// Runs a job to its end, or until SIGINT or SIGTERM.
    /// - Throws: what the job throws; `ExitCode` 128 and the signal's number, as shells have it, after a signal.
    static func ending<Value: Sendable>(_ job: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // Before the job makes anything.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await job() }
            group.addTask {
                for await signal in signals {
                    throw ExitCode(signal == .sigint ? 130 : 143)
                }
                return nil
            }
            while let value = try await group.next() {
                guard let value else { continue }
                group.cancelAll()
                return value
            }
            throw CancellationError()
        }
    }
}
