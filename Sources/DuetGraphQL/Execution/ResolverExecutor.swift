/// The executor of asynchronous resolvers: `async(_:)`, `batch(_:)` and
/// ``FieldResolver/events(_:)``.
///
/// Parsing, validation and synchronous resolvers run on the executor of the caller of `execute`. Synchronous resolvers
/// are called while the response is written. A single subtree resolver also runs on the executor of the caller. Several
/// subtree resolvers run in child tasks. The sequence of a subscription's events is iterated on the concurrent
/// executor.
public enum ResolverExecutor: Sendable {
    /// The concurrent executor of Swift. It has one thread for each processor, so a resolver must not block it for
    /// long. This is the default. The thread switch costs some microseconds for a single resolver.
    case concurrent
    /// The executor of the caller of `execute` for a single resolver, without a thread switch. Several resolvers run in
    /// child tasks, on the concurrent executor or on the caller's preferred task executor.
    case caller
    /// A custom executor, for example one with threads that may block.
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
        // Swift 6.3 omits the executor switch if the function contains only the call of `body`.
        try Task.checkCancellation()
        return try await body()
    }
}
