package import Foundation
import Synchronization

/// A program that a test can end and start again, with the same arguments and in the same folder.
package final class RestartableProgram: Sendable {
    private struct Run {
        let program: Program
        let task: Task<Void, Never>
        /// The end of the run, until which the program is not ended.
        let end: AsyncStream<Void>.Continuation
    }

    private let executable: String
    private let arguments: [String]
    private let folder: URL
    private let environment: [String: String]
    private let waitForStart: @Sendable (Program) async throws -> Void
    private let run = Mutex<Run?>(nil)

    /// - Parameter waitForStart: Waits until the program has started.
    package init(
        _ executable: String, _ arguments: [String], in folder: URL, environment: [String: String] = [:],
        waitForStart: @escaping @Sendable (Program) async throws -> Void
    ) {
        self.executable = executable
        self.arguments = arguments
        self.folder = folder
        self.environment = environment
        self.waitForStart = waitForStart
    }

    /// Ends the program after a closure if it still runs.
    package func endAfter<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            await kill()
            return value
        } catch {
            await kill()
            throw error
        }
    }

    /// Starts the program, which must not run, and waits until it has started.
    /// - Parameter further: Arguments that follow the others.
    package func start(_ further: [String] = []) async throws {
        let (starts, start) = AsyncThrowingStream.makeStream(of: Program.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let task = Task { [self] in
            do {
                try await Program.with(
                    arguments + further, of: executable, in: folder, environment: environment
                ) { program in
                    try await waitForStart(program)
                    start.yield(program)
                    for await _ in ends {}
                }
                start.finish()
            } catch {
                start.finish(throwing: error)
            }
        }
        for try await program in starts {
            run.withLock { $0 = Run(program: program, task: task, end: end) }
            return
        }
        end.finish()
        await task.value
        throw CancellationError()
    }

    /// Ends the program at once, as a failure of its machine does. Does nothing if it does not run.
    package func kill() async {
        guard let run = run.withLock({ $0.take() }) else { return }
        // It may have ended by itself, or have been paused.
        run.program.send(SIGKILL)
        run.end.finish()
        await run.task.value
    }

    /// Sends a signal to the program.
    package func send(_ signal: Int32) {
        run.withLock { $0?.program.send(signal) }
    }

    /// The program of the current run; nil if it does not run.
    package var program: Program? { run.withLock { $0?.program } }
}
