import ArgumentParser
import UnixSignals

/// Cancels a job when the process receives a termination signal. The job then has time to remove its temporary files.
enum Interruption {
    /// Runs a job until it ends, or until SIGINT or SIGTERM.
    /// - Throws: The error of the job; after a signal, `ExitCode` with 128 plus the signal's number, as in shells.
    static func ending<Value: Sendable>(_ job: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // Signals are trapped before the job creates any files.
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
