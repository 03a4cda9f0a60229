/// Where asynchronous resolvers run: those of ``FieldResolver/async(_:)``, ``FieldResolver/batch(_:)`` and
/// ``FieldResolver/events(_:)``.
///
/// Synchronous resolvers run on the executor of the caller of `execute`, as a part of writing the response, and so do
/// parsing and validation. So does a subtree resolver that is called alone; several are called in child tasks. The
/// sequence of a subscription's events is iterated on the concurrent executor.
public enum ResolverExecutor: Sendable {
    /// The concurrent executor of Swift, which has a thread for each processor: a resolver must not block it for long.
    /// It is the default. The switch of threads costs some microseconds for a resolver that is called alone.
    case concurrent
    /// The executor of the caller of `execute` for a resolver that is called alone, without a switch of threads.
    /// Several resolvers are called in child tasks, which run on the concurrent executor or on the task executor that
    /// the caller prefers.
    case caller
    /// An executor of your own, such as one with threads that may block.
    case taskExecutor(any TaskExecutor)

    /// Runs a function on the executor.
    func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        switch self {
        case .caller: try await body()
        case .concurrent: try await Self.runConcurrently(body)
        case .taskExecutor(let executor):
            try await withTaskExecutorPreference(executor) { try await Self.runConcurrently(body) }
        }
    }

    @concurrent
    private static func runConcurrently<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        // Swift 6.3 leaves out the switch of executors where the function does nothing but this call.
        try Task.checkCancellation()
        return try await body()
    }
}
