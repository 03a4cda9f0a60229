import Dispatch
import DuetGraphQL
import Testing

@Suite("The executor that resolvers run on")
struct ResolverExecutorTests {
    private static let key = DispatchSpecificKey<String>()

    private static func queue(_ name: String) -> DispatchQueue {
        let queue = DispatchQueue(label: name)
        queue.setSpecific(key: key, value: name)
        return queue
    }

    /// Runs the jobs of an actor on a queue.
    private final class ActorQueue: SerialExecutor {
        private let queue = ResolverExecutorTests.queue("caller")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    /// Runs the jobs of tasks on a queue.
    private final class TaskQueue: TaskExecutor {
        private let queue = ResolverExecutorTests.queue("own")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// An actor that executes operations on its own queue.
    private actor Caller {
        private let executor = ActorQueue()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func execute(_ document: String, _ schema: ExecutableSchema<Void>) async throws -> String {
            try await schema.execute(document).text
        }
    }

    private static func text(_ document: String, _ executor: ResolverExecutor) async throws -> String {
        let here: @Sendable () -> String = { DispatchQueue.getSpecific(key: key) ?? "concurrent" }
        var resolvers = SchemaResolvers()
        resolvers.query { query in
            query["sync"] = .sync { _, _ in here() }
            query["async"] = .async { _, _ in here() }
            query["batch"] = .batch { sources, _ in sources.map { _ in here() } }
        }
        var options = ExecutionOptions()
        options.resolverExecutor = executor
        let schema = try ExecutableSchema(
            Schema(sdl: "type Query { sync: String async: String batch: String }"), resolvers: resolvers,
            options: options)
        return try await Caller().execute(document, schema)
    }

    @Test("By default, asynchronous resolvers run on the concurrent executor, and synchronous ones on the caller's")
    func concurrent() async throws {
        #expect(
            try await Self.text("{ sync async }", .concurrent) == #"{"data":{"sync":"caller","async":"concurrent"}}"#)
        #expect(
            try await Self.text("{ async batch }", .concurrent)
                == #"{"data":{"async":"concurrent","batch":"concurrent"}}"#)
    }

    @Test("With the option `caller`, a single asynchronous resolver runs on the caller's executor")
    func caller() async throws {
        #expect(try await Self.text("{ async }", .caller) == #"{"data":{"async":"caller"}}"#)
        #expect(try await Self.text("{ batch }", .caller) == #"{"data":{"batch":"caller"}}"#)
    }

    @Test("With a custom task executor, asynchronous resolvers run on this executor")
    func own() async throws {
        let executor = ResolverExecutor.taskExecutor(TaskQueue())
        #expect(try await Self.text("{ sync async }", executor) == #"{"data":{"sync":"caller","async":"own"}}"#)
        #expect(try await Self.text("{ async batch }", executor) == #"{"data":{"async":"own","batch":"own"}}"#)
    }
}
