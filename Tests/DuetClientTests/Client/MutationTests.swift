import DuetClient
import DuetJSON
import ProcessTesting
import Testing

@Suite("Mutations", .server())
struct MutationTests {
    private struct Renamed: DataDecodable {
        let payload: Payload?

        struct Payload: DataDecodable {
            let employee: EmployeeRow?
            init(from decoder: DynamicDecoder) throws(ModelError) { employee = try decoder.value("employee") }
        }

        init(from decoder: DynamicDecoder) throws(ModelError) {
            payload = try decoder.value(
                "updateEmployee", arguments: ["input": .variable("input", "UpdateEmployeeInput!")])
        }
    }

    /// Changes the last name of an employee.
    private struct Rename: GraphQLMutation {
        typealias Data = Renamed
        var id: String
        var lastName: String
        var variables: JSONObject { ["input": ["id": .string(id), "lastName": .string(lastName)]] }
    }

    @Test("A watcher delivers a new result after a mutation changes a value", arguments: CacheKind.allCases)
    func watched(cache: CacheKind) async throws {
        let id = cache == .memory ? "10001" : "10002"
        try await cache.withClient { client, log in
            var results = client.watch(EmployeeRowQuery(id: id), policy: .cacheElseFetch).makeAsyncIterator()
            let before = try await results.next()?.data?.employee
            let result = try await client.perform(Rename(id: id, lastName: "Renamed"))
            #expect(result.data?.payload?.employee?.lastName == "Renamed")
            let after = try await results.next()?.data?.employee
            #expect(after?.lastName == "Renamed")
            #expect(after?.firstName == before?.firstName)
        }
    }

    @Test(
        "An optimistic update is visible immediately and is replaced by the server's response",
        arguments: CacheKind.allCases
    )
    func optimistic(cache: CacheKind) async throws {
        let id = cache == .memory ? "10003" : "10005"
        try await cache.withClient { client, log in
            let key = CacheKey.entity("Employee", id)
            var results = client.watch(EmployeeRowQuery(id: id), policy: .cacheElseFetch).makeAsyncIterator()
            _ = try await results.next()
            let gate = Gate(transport: try Server.shared.graphQL)
            let slow = GraphQLClient(transport: gate, store: client.store)
            async let performed = slow.perform(Rename(id: id, lastName: "Answer")) { transaction in
                try transaction.updateObject(key) { $0["lastName"] = "Guess" }
            }
            #expect(try await results.next()?.data?.employee?.lastName == "Guess")
            // A concurrent change of another field is retained together with the optimistic value.
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.updateObject(key) { $0["firstName"] = "Other" }
            }
            let rebased = try await results.next()?.data?.employee
            #expect(rebased?.lastName == "Guess")
            #expect(rebased?.firstName == "Other")
            gate.open()
            let result = try await performed
            #expect(result.data?.payload?.employee?.lastName == "Answer")
            let answered = try await results.next()?.data?.employee
            #expect(answered?.lastName == "Answer")
            #expect(answered?.firstName != "Other")
        }
    }

    @Test("An optimistic update is rolled back if the mutation fails", arguments: CacheKind.allCases)
    func takenBack(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let key = CacheKey.entity("Employee", "10004")
            _ = try await client.fetch(EmployeeRowQuery(id: "10004"))
            let broken = GraphQLClient(transport: NoTransport(), store: client.store)
            let error = await #expect(throws: GraphQLClientError.self) {
                try await broken.perform(Rename(id: "10004", lastName: "Answer")) { transaction in
                    try transaction.updateObject(key) { $0["lastName"] = "Guess" }
                }
            }
            #expect(error?.code == .transport)
            let result = try await client.fetch(EmployeeRowQuery(id: "10004"), policy: .cacheDontFetch)
            #expect(result.data?.employee?.lastName == "Koblick")
        }
    }

    @Test("An optimistic update is rolled back if the server rejects the values", arguments: CacheKind.allCases)
    func refused(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let key = CacheKey.entity("Employee", "10004")
            _ = try await client.fetch(EmployeeRowQuery(id: "10004"))
            let result = try await client.perform(Rename(id: "10004", lastName: "")) { transaction in
                try transaction.updateObject(key) { $0["lastName"] = "Guess" }
            }
            #expect(result.data?.payload?.employee == nil)
            let cached = try await client.fetch(EmployeeRowQuery(id: "10004"), policy: .cacheDontFetch)
            #expect(cached.data?.employee?.lastName == "Koblick")
        }
    }

    @Test(
        "Each of two concurrent optimistic updates is rolled back only when its own mutation fails",
        arguments: CacheKind.allCases)
    func twoUpdates(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let key = CacheKey.entity("Employee", "10004")
            var results = client.watch(EmployeeRowQuery(id: "10004"), policy: .cacheElseFetch).makeAsyncIterator()
            _ = try await results.next()
            func start(_ change: @escaping @Sendable (inout CachedFields) -> Void) -> (Gate, Task<Void, any Error>) {
                let gate = Gate(transport: NoTransport())
                let failing = GraphQLClient(transport: gate, store: client.store)
                let task = Task {
                    _ = try await failing.perform(Rename(id: "10004", lastName: "Answer")) { transaction in
                        try transaction.updateObject(key) { change(&$0) }
                    }
                }
                return (gate, task)
            }
            let (first, firstTask) = start { $0["lastName"] = "First" }
            #expect(try await results.next()?.data?.employee?.lastName == "First")
            let (second, secondTask) = start { $0["firstName"] = "Second" }
            let both = try await results.next()?.data?.employee
            #expect(both?.lastName == "First" && both?.firstName == "Second")
            first.open()
            await #expect(throws: GraphQLClientError.self) { try await firstTask.value }
            let one = try await results.next()?.data?.employee
            #expect(one?.lastName == "Koblick" && one?.firstName == "Second")
            second.open()
            await #expect(throws: GraphQLClientError.self) { try await secondTask.value }
            #expect(try await results.next()?.data?.employee?.firstName == "Chirstian")
        }
    }

    @Test("If reapplying an optimistic update throws an error, the update has no effect", arguments: CacheKind.allCases)
    func noLongerFitting(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let query = EmployeeRowQuery(id: "10004")
            var results = client.watch(query, policy: .cacheElseFetch).makeAsyncIterator()
            _ = try await results.next()
            let gate = Gate(transport: NoTransport())
            let failing = GraphQLClient(transport: gate, store: client.store)
            let task = Task {
                _ = try await failing.perform(Rename(id: "10004", lastName: "Answer")) { transaction in
                    struct Unfit: Error {}
                    guard try transaction.read(query).data?.employee?.firstName == "Chirstian" else { throw Unfit() }
                    try transaction.updateObject(.entity("Employee", "10004")) { $0["lastName"] = "Guess" }
                }
            }
            #expect(try await results.next()?.data?.employee?.lastName == "Guess")
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.updateObject(.entity("Employee", "10004")) { $0["firstName"] = "Other" }
            }
            let rebased = try await results.next()?.data?.employee
            #expect(rebased?.firstName == "Other" && rebased?.lastName == "Koblick")
            gate.open()
            await #expect(throws: GraphQLClientError.self) { try await task.value }
        }
    }

    /// A transport whose requests always fail.
    private struct NoTransport: GraphQLTransport {
        func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
            throw GraphQLClientError(.transport, "There is no server.")
        }
    }

    /// Delays requests until the gate is opened.
    private final class Gate: GraphQLTransport {
        private let transport: any GraphQLTransport
        private let (opened, opening) = AsyncStream<Void>.makeStream()

        init(transport: any GraphQLTransport) { self.transport = transport }

        func open() { opening.finish() }

        func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
            for await _ in opened {}
            return try await transport.send(request)
        }
    }
}
