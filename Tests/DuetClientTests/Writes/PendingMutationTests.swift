import DuetClient
import DuetJSON
import Foundation
import HTTPTypes
import ProcessTesting
import SeededTesting
import Testing

/// An order as a model whose mutations the client creates.
private struct NoteRow: WritableModel, Hashable {
    static let typeName: String? = "Order"
    let id: String
    let note: String

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        note = try decoder.value("note")
    }
}

private struct NoteScreen: DataDecodable {
    let order: NoteRow?

    init(from decoder: DynamicDecoder) throws(ModelError) {
        order = try decoder.value("order", arguments: ["id": .variable("id", "ID!")])
    }
}

private struct NoteQuery: GraphQLQuery {
    typealias Data = NoteScreen
    var id: String
    var variables: JSONObject { ["id": .string(id)] }
}

@Suite("Pending mutations")
struct PendingMutationTests {
    private func client(
        _ url: URL, _ pending: PendingWrites?, caller: CurrentCaller? = nil, transport: (any HTTPTransport)? = nil,
        persistedQueries: PersistedQuerySettings = .off
    ) -> GraphQLClient {
        let policies = CachePolicies(
            keyFields: ["Order": ["id"]], lookups: [FieldLookup(field: "order", entity: "Order")])
        let base = transport ?? AsyncHTTPClientTransport()
        let endpoint = GraphQLEndpoint(
            url: url.appending(path: "graphql"), persistedQueries: persistedQueries,
            transport: caller.map { AuthorizingTransport(base, service: url, caller: $0) } ?? base)
        let store =
            caller.map { GraphQLStore(caller: $0, policies: policies) } ?? GraphQLStore(policies: policies)
        return GraphQLClient(transport: endpoint, store: store, pendingWrites: pending)
    }

    private func create(
        _ note: String, by client: GraphQLClient, optimistic: (@Sendable (WriteTransaction) throws -> Void)? = nil
    ) async throws(GraphQLClientError) -> WriteResult<NoteRow> {
        try await client.create(NoteRow.self, input: ["note": .string(note)], optimistic: optimistic)
    }

    /// Returns the note of an order in the store.
    private func stored(_ id: String, in client: GraphQLClient) async throws -> String? {
        try? await client.fetch(NoteQuery(id: id), policy: .cacheDontFetch).data?.order?.note
    }

    @Test(
        "A mutation whose response is lost is sent again with the same key, and performed once",
        arguments: [false, true])
    func lostResponse(isPersisted: Bool) async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test()
            server.expect(.lostResponse, .inUse)
            // The transport must not repeat requests in addition.
            let client = client(
                url, pending,
                transport: RetryingTransport(AsyncHTTPClientTransport(), clock: RecordingClock()),
                persistedQueries: isPersisted ? PersistedQuerySettings() : .off)
            let result = try await create("a", by: client)
            #expect(result.row?.note == "a")
            #expect(result.errors.isEmpty)
            #expect(server.notes == ["a"])
            #expect(server.requests.count == 3)
            #expect(Set(server.requests.map(\.key)).count == 1)
            #expect(try await pending.writes().isEmpty)
        }
    }

    @Test("The optimistic changes of a pending mutation remain visible until its answer")
    func optimistic() async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: 1)
            let client = client(url, pending)
            server.expect(.lostResponse, .invalid)
            let guess: @Sendable (WriteTransaction) throws -> Void = { transaction in
                try transaction.updateObject(.entity("Order", "1")) { order in
                    order["id"] = .string("1")
                    order["note"] = .string("guess")
                }
            }
            let error = await #expect(throws: GraphQLClientError.self) {
                _ = try await create("a", by: client, optimistic: guess)
            }
            #expect(error?.pendingKey != nil)
            #expect(try await stored("1", in: client) == "guess")

            server.expect()
            var notes: [String?] = []
            try await client.resumePendingWrites(of: [CreateMutation<NoteRow>.self]) { settled in
                let result = try? settled.answer?.result(of: CreateMutation<NoteRow>.self)
                notes.append(result?.data?.payload?.row?.note)
            }
            #expect(notes == ["a"])
            #expect(server.notes == ["a"])
            #expect(try await stored("1", in: client) == "a")

            // A refusal and a discarded mutation revert the changes.
            server.expect(.lostRequest, .invalid)
            _ = try? await create("b", by: client, optimistic: guess)
            #expect(try await stored("1", in: client) == "guess")
            try await client.resumePendingWrites()
            #expect(try await stored("1", in: client) == "a")
            server.expect(.lostRequest)
            let discarded = await #expect(throws: GraphQLClientError.self) {
                _ = try await create("b", by: client, optimistic: guess)
            }
            #expect(try await stored("1", in: client) == "guess")
            try await pending.discard(try #require(discarded?.pendingKey))
            #expect(try await stored("1", in: client) == "a")
            #expect(try await pending.writes().isEmpty)
        }
    }

    @Test("After a restart, the app can repeat the optimistic changes of a pending mutation")
    func restart() async throws {
        try await KeyedServer.with { server, url in
            try await PendingStoreKind.sqlite.withStore { open in
                server.expect(.lostRequest)
                _ = try? await create("a", by: client(url, .test(try open(), attempts: 1)))

                let client = client(url, .test(try open(), attempts: 1))
                server.expect(.lostResponse)
                let optimistic: (PendingWrite) -> (@Sendable (WriteTransaction) throws -> Void)? = { write in
                    guard case .string(let note)? = write.mutation?.variables["input"]?["note"] else { return nil }
                    return { transaction in
                        try transaction.updateObject(.entity("Order", "1")) { order in
                            order["id"] = .string("1")
                            order["note"] = .string(note + "?")
                        }
                    }
                }
                await #expect(throws: GraphQLClientError.self) {
                    try await client.resumePendingWrites(optimistic: optimistic) { _ in }
                }
                #expect(try await stored("1", in: client) == "a?")
                // The app clears the store. The next call adds the changes again.
                try await client.store.clear()
                server.expect(.lostResponse)
                await #expect(throws: GraphQLClientError.self) {
                    try await client.resumePendingWrites(optimistic: optimistic) { _ in }
                }
                #expect(try await stored("1", in: client) == "a?")
                try await client.resumePendingWrites(
                    of: [CreateMutation<NoteRow>.self], optimistic: optimistic
                ) { _ in }
                #expect(try await stored("1", in: client) == "a")
                #expect(server.notes == ["a"])
            }
        }
    }

    @Test("A mutation with several root fields has a key only with the directive @transaction")
    func severalFields() async throws {
        struct Two: DocumentMutation {
            struct Data: Decodable, Sendable {}
            static let source =
                "mutation Two { a: createOrder { errors { message } } b: createOrder { errors { message } } }"
        }
        struct TwoTogether: DocumentMutation {
            typealias Data = Two.Data
            static let source =
                "mutation Two @transaction { a: createOrder { errors { message } } b: createOrder { errors { message } } }"
        }
        try await KeyedServer.with { server, url in
            let client = client(url, .test(attempts: 1))
            _ = try? await client.perform(Two())
            _ = try? await client.perform(TwoTogether())
            let key = try #require(IdempotencyKey("mine"))
            _ = try? await client.perform(Two(), idempotencyKey: key)
            let keys = server.requests.map(\.key)
            #expect(keys.count == 3)
            #expect(keys.first == .some(nil))
            #expect(keys.dropFirst().first??.count == 36)
            #expect(keys.last == "mine")
        }
    }

    @Test("The pending mutations of a caller are sent only for this caller")
    func callers() async throws {
        try await KeyedServer.with { server, url in
            let caller = CurrentCaller(identity: "anna", token: "anna-1")
            let client = client(url, .test(attempts: 1), caller: caller)
            server.expect(.lostResponse)
            _ = try? await create("a", by: client)
            caller.change(to: "berta", token: "berta-1")
            try await client.resumePendingWrites()
            #expect(server.requests.count == 1)
            caller.change(to: "anna", token: "anna-2")
            try await client.resumePendingWrites()
            #expect(server.requests.map(\.caller) == ["Bearer anna-1", "Bearer anna-2"])
            #expect(server.notes == ["a"])
        }
    }

    @Test(
        "With lost requests and responses, errors and restarts, each write is performed once and in order",
        arguments: TestScale.seeds(12))
    func schedule(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let fates: [KeyedServer.Fate] = [
            .answered, .lostRequest, .lostResponse, .lostResponse, .inUse, .status("503 Service Unavailable"),
            .status("429 Too Many Requests"), .status("500 Internal Server Error"),
        ]
        let kind = PendingStoreKind.allCases[random.below(2)]
        let attempts = random.within(1...3)
        try await KeyedServer.with { server, url in
            try await kind.withStore { open in
                let caller = CurrentCaller(identity: "anna", token: "anna")
                func start() throws -> (WebServiceProxy, GraphQLClient) {
                    let pending = PendingWrites.test(try open(), attempts: attempts)
                    let transport = AuthorizingTransport(AsyncHTTPClientTransport(), service: url, caller: caller)
                    let service = WebServiceProxy(
                        baseURL: url, transport: transport, caller: caller, pendingWrites: pending)
                    return (service, self.client(url, pending, caller: caller))
                }
                var (service, client) = try start()
                var expected: [String] = []
                var received: [String] = []
                for step in 0..<30 {
                    server.expect((0..<4).map { _ in fates[random.below(fates.count)] })
                    switch random.below(10) {
                    case 0...3:
                        let note = "\(caller.identity ?? "") rest \(step)"
                        expected.append(note)
                        let row: StoredNote? = try? await service.create(NewNote(note: note), in: "orders")
                        if let row { received.append(row.note) }
                    case 4...6:
                        let note = "\(caller.identity ?? "") graphql \(step)"
                        expected.append(note)
                        if let row = try? await create(note, by: client).row { received.append(row.note) }
                    case 7:
                        try? await service.resumePendingWrites()
                        try? await client.resumePendingWrites()
                    case 8: (service, client) = try start()
                    default:
                        let identity = caller.identity == "anna" ? "berta" : "anna"
                        caller.change(to: identity, token: identity)
                    }
                }
                server.expect()
                for identity in ["anna", "berta"] {
                    caller.change(to: identity, token: identity)
                    try await service.resumePendingWrites()
                    try await client.resumePendingWrites()
                }
                // The writes of each caller in each style were performed in the order of the calls.
                for name in ["anna rest", "anna graphql", "berta rest", "berta graphql"] {
                    let performed = server.notes.filter { $0.hasPrefix(name) }
                    #expect(performed == expected.filter { $0.hasPrefix(name) }, "seed \(seed)")
                }
                #expect(Set(received).isSubset(of: expected), "seed \(seed)")
                // No write was sent with the token of another caller.
                for request in server.requests {
                    let owner = request.body.contains("anna ") ? "Bearer anna" : "Bearer berta"
                    #expect(request.caller == owner, "seed \(seed)")
                }
            }
        }
    }
}
