import DuetClient
import DuetClientPublishers
import Foundation
import ProcessTesting
import Testing

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

@Suite("Publishers of a client")
struct PublisherTests {
    @Test("A fetch publisher publishes one result and then finishes")
    func fetch() async throws {
        try await withClient { client, server in
            var results: [GraphQLResult<EmployeeQuery.Data>] = []
            for try await result in client.fetchPublisher(EmployeeQuery()).values { results.append(result) }
            #expect(results.map { $0.data?.employee?.lastName } == ["Koblick"])
            #expect(results.first?.source == .server)
        }
    }

    @Test("The cache-and-fetch policy publishes the cached result and then the server's result")
    func results() async throws {
        try await withClient { client, server in
            _ = try await client.fetch(EmployeeQuery())
            var sources: [GraphQLResult<EmployeeQuery.Data>.Source] = []
            for try await result in client.resultsPublisher(of: EmployeeQuery()).values {
                sources.append(result.source)
            }
            #expect(sources == [.cache, .server])
        }
    }

    @Test("A watch publisher publishes a new result when a mutation changes a value of the result")
    func watch() async throws {
        try await withClient { client, server in
            let collector = Collector<GraphQLResult<EmployeeQuery.Data>>()
            client.watchPublisher(EmployeeQuery(), policy: .cacheElseFetch).subscribe(collector)
            var events = collector.events.makeAsyncIterator()
            collector.demand(.max(2))
            #expect(await events.next()?.value?.data?.employee?.lastName == "Koblick")
            for try await result in client.performPublisher(RenameEmployee(lastName: "Renamed")).values {
                #expect(result.data?.payload?.employee?.lastName == "Renamed")
            }
            #expect(await events.next()?.value?.data?.employee?.lastName == "Renamed")
            collector.cancel()
        }
    }

    @Test("A live publisher publishes a new result when another client changes a value")
    func live() async throws {
        try await withClient { client, server in
            let collector = Collector<GraphQLResult<EmployeeQuery.Data>>()
            client.livePublisher(EmployeeQuery()).subscribe(collector)
            var events = collector.events.makeAsyncIterator()
            collector.demand(.max(2))
            #expect(await events.next()?.value?.data?.employee?.lastName == "Koblick")
            let other = GraphQLClient(
                transport: GraphQLEndpoint(url: try #require(URL(string: server.base + "/graphql"))))
            _ = try await other.perform(RenameEmployee(lastName: "Renamed"))
            #expect(await events.next()?.value?.data?.employee?.lastName == "Renamed")
            collector.cancel()
        }
    }

    @Test("If the service refuses a live query, its publisher fails with the client's error")
    func refusedLive() async throws {
        try await withClient { client, server in
            let collector = Collector<GraphQLResult<WrongQuery.Data>>()
            client.livePublisher(WrongQuery()).subscribe(collector)
            collector.demand(.unlimited)
            var events = collector.events.makeAsyncIterator()
            guard case .failed(let error)? = await events.next() else {
                Issue.record("The publisher did not fail.")
                return
            }
            #expect(error.code == .refused)
            #expect(await events.next() == nil)
        }
    }

    /// A query that the schema does not permit.
    private struct WrongQuery: DocumentQuery {
        struct Data: Decodable, Sendable {}

        static let source = "{ unknown }"
    }

    @Test("The request of a subscriber is sent only when the subscriber demands a result")
    func subscribers() async throws {
        try await withClient { client, server in
            let publisher = client.performPublisher(RenameEmployee(lastName: "Never"))
            let idle = Collector<GraphQLResult<RenameEmployee.Data>>()
            publisher.subscribe(idle)
            for name in ["First", "Second"] {
                for try await _ in client.performPublisher(RenameEmployee(lastName: name)).values {}
            }
            let result = try await client.fetch(EmployeeQuery(), policy: .fetchIgnoringCacheData)
            #expect(result.data?.employee?.lastName == "Second")
            idle.demand(.max(1))
            var events = idle.events.makeAsyncIterator()
            #expect(await events.next()?.value?.data?.payload?.employee?.lastName == "Never")
        }
    }

    @Test("If the server does not respond, the publisher fails with the client's error")
    func failure() async throws {
        try await withClient { client, server in
            _ = await server.stop()
            let collector = Collector<GraphQLResult<EmployeeQuery.Data>>()
            client.fetchPublisher(EmployeeQuery()).subscribe(collector)
            collector.demand(.max(1))
            var events = collector.events.makeAsyncIterator()
            guard case .failed(let error)? = await events.next() else {
                Issue.record("The publisher did not fail.")
                return
            }
            #expect(error.code == .transport)
            #expect(await events.next() == nil)
        }
    }

    @Test("Canceling a sink cancels the task of its pending request")
    func sink() async throws {
        let (steps, step) = AsyncStream<String>.makeStream()
        let client = GraphQLClient(transport: PendingTransport(step: step))
        let subscription = client.fetchPublisher(EmployeeQuery()).sink(
            receiveCompletion: { _ in step.yield("completion") }, receiveValue: { _ in step.yield("value") })
        var iterator = steps.makeAsyncIterator()
        #expect(await iterator.next() == "sent")
        subscription.cancel()
        #expect(await iterator.next() == "cancelled")
    }

    /// A transport that never responds. It throws an error when its task is canceled.
    private struct PendingTransport: GraphQLTransport {
        let step: AsyncStream<String>.Continuation

        func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
            let (pending, _continuation) = AsyncStream<Void>.makeStream()
            step.yield("sent")
            for await _ in pending {}
            withExtendedLifetime(_continuation) {}
            step.yield("cancelled")
            throw GraphQLClientError(.cancelled, "The task was cancelled.")
        }
    }
}
