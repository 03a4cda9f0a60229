import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting
import Synchronization
import Testing

/// A new order.
struct NewNote: Codable, Sendable {
    var note: String
}

/// An order.
struct StoredNote: Codable, Sendable, Equatable {
    var id: Int
    var note: String
}

/// The kinds of stores for pending writes.
enum PendingStoreKind: String, CaseIterable, CustomTestStringConvertible {
    case memory, sqlite

    var testDescription: String { rawValue }

    /// Calls a closure with a function that opens the same store again, as after a restart of the app.
    func withStore<Value>(
        _ body: (_ open: @escaping @Sendable () throws -> any PendingWriteStore) async throws -> Value
    ) async throws -> Value {
        let memory = InMemoryPendingWriteStore()
        return try await TemporaryFolder.with { folder in
            try await body {
                switch self {
                case .memory: memory
                case .sqlite: try SQLitePendingWriteStore(at: folder.appending(path: "writes.sqlite"))
                }
            }
        }
    }
}

extension PendingWrites {
    /// Creates an object whose pauses take no time.
    static func test(
        _ store: any PendingWriteStore = InMemoryPendingWriteStore(), service: String = "test", attempts: Int = 3,
        maximumCount: Int = 1000,
        clock: RecordingClock = RecordingClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) -> PendingWrites {
        PendingWrites(
            service: service, store: store, maximumCount: maximumCount,
            retrying: RetryPolicy(maximumAttempts: attempts), clock: clock,
            now: now, jitter: { 1 })
    }
}

@Suite("Pending writes over REST")
struct PendingServiceWriteTests {
    private func service(
        _ url: URL, _ pending: PendingWrites?, caller: CurrentCaller? = nil
    ) -> WebServiceProxy {
        let transport: any HTTPTransport =
            if let caller {
                AuthorizingTransport(AsyncHTTPClientTransport(), service: url, caller: caller)
            } else {
                AsyncHTTPClientTransport()
            }
        return WebServiceProxy(baseURL: url, transport: transport, caller: caller, pendingWrites: pending)
    }

    private func create(_ note: String, by service: WebServiceProxy) async throws(WebServiceError) -> StoredNote {
        try await service.create(NewNote(note: note), in: "orders")
    }

    @Test("A write whose response is lost is sent again with the same key, and performed once")
    func lostResponse() async throws {
        try await KeyedServer.with { server, url in
            let clock = RecordingClock()
            let pending = PendingWrites.test(clock: clock)
            server.expect(.lostResponse, .inUse)
            let order = try await create("a", by: service(url, pending))
            #expect(order == StoredNote(id: 1, note: "a"))
            #expect(server.notes == ["a"])
            let requests = server.requests
            #expect(requests.count == 3)
            #expect(Set(requests.map(\.key)).count == 1)
            #expect(requests[0].key?.wholeMatch(of: /"[0-9a-f-]{36}"/) != nil)
            #expect(clock.pauses == [.milliseconds(200), .milliseconds(400)])
            #expect(try await pending.writes().isEmpty)
        }
    }

    @Test(
        "A write without an answer remains pending, and is sent again after a restart, in order",
        arguments: PendingStoreKind.allCases)
    func restart(kind: PendingStoreKind) async throws {
        try await KeyedServer.with { server, url in
            try await kind.withStore { open in
                let first = service(url, .test(try open(), attempts: 1))
                server.expect(.lostResponse, .status("503 Service Unavailable"), .lostRequest)
                for note in ["a", "b", "c"] {
                    let error = await #expect(throws: WebServiceError.self) { _ = try await create(note, by: first) }
                    #expect(error?.pendingKey != nil)
                }
                #expect(server.notes == ["a"])

                // The app has started again.
                let pending = PendingWrites.test(try open(), attempts: 1)
                let second = service(url, pending)
                var settled: [StoredNote] = []
                let decoder = second.decoder
                try await second.resumePendingWrites { write in
                    if let content = write.answer?.content,
                        let note = try? decoder.decode(StoredNote.self, from: content)
                    {
                        settled.append(note)
                    }
                }
                #expect(
                    settled == [
                        StoredNote(id: 1, note: "a"), StoredNote(id: 2, note: "b"), StoredNote(id: 3, note: "c"),
                    ])
                #expect(server.notes == ["a", "b", "c"])
                #expect(try await pending.writes().isEmpty)
            }
        }
    }

    @Test("A call of a canceled task leaves no pending write, and a handler cannot send the writes a second time")
    func reentrance() async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: 1)
            let service = service(url, pending)
            let canceled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await service.create(NewNote(note: "canceled"), in: "orders")
            }
            await #expect(throws: WebServiceError.self) { try await canceled.value }
            #expect(try await pending.writes().isEmpty)

            server.expect(.lostResponse, .lostResponse)
            for note in ["a", "b"] { try? await service.create(NewNote(note: note), in: "orders") }
            var statuses: [Int?] = []
            try await service.resumePendingWrites { settled in
                statuses.append(settled.answer?.head.status.code)
                try? await service.resumePendingWrites()
            }
            #expect(statuses == [201, 201])
            #expect(server.requests.count == 4)
            #expect(server.notes == ["a", "b"])
        }
    }

    @Test("A definite refusal ends a write, and its problem names the invalid members")
    func refusal() async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: 1)
            let service = service(url, pending)
            server.expect(.invalid, .lostRequest, .invalid)
            let error = await #expect(throws: WebServiceError.self) { _ = try await create("a", by: service) }
            #expect(error?.pendingKey == nil)
            #expect(error?.problem?.code == "validation-failed")
            #expect(error?.problem?.errors == [.init(field: "note", message: "is bad", pointer: "/note")])
            #expect(error?.problem?.fields == ["note"])
            #expect(try await pending.writes().isEmpty)

            _ = try? await create("b", by: service)
            var refusals: [String?] = []
            try await service.resumePendingWrites { refusals.append($0.refusal?.problem?.code) }
            #expect(refusals == ["validation-failed"])
            #expect(server.notes == [])
            #expect(try await pending.writes().isEmpty)
        }
    }

    @Test(
        "A write remains pending after statuses that say nothing about it",
        arguments: [
            "401 Unauthorized", "408 Request Timeout", "429 Too Many Requests", "500 Internal Server Error",
            "503 Service Unavailable",
        ])
    func temporary(status: String) async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: 1)
            server.expect(.status(status))
            let error = await #expect(throws: WebServiceError.self) {
                _ = try await create("a", by: service(url, pending))
            }
            let key = try #require(error?.pendingKey)
            #expect(try await pending.writes().map(\.key) == [key])
        }
    }

    @Test("The pending writes of a caller are sent only for this caller, with its current token")
    func callers() async throws {
        try await KeyedServer.with { server, url in
            let caller = CurrentCaller(identity: "anna", token: "anna-1")
            let pending = PendingWrites.test(attempts: 1)
            let service = service(url, pending, caller: caller)
            server.expect(.lostResponse)
            _ = try? await create("a", by: service)
            caller.change(to: "berta", token: "berta-1")
            try await service.resumePendingWrites()
            #expect(try await pending.writes(of: caller).isEmpty)
            #expect(server.requests.count == 1)

            caller.change(to: "anna", token: "anna-2")
            let writes = try await pending.writes(of: caller)
            #expect(writes.map(\.serviceRequest?.headerFields[.authorization]) == [nil])
            try await service.resumePendingWrites()
            #expect(server.requests.map(\.caller) == ["Bearer anna-1", "Bearer anna-2"])
            #expect(server.notes == ["a"])
            #expect(try await pending.writes(of: caller).isEmpty)

            server.expect(.lostRequest)
            _ = try? await create("b", by: service)
            try await pending.removeWrites(ofCaller: "anna")
            #expect(try await pending.writes(of: caller).isEmpty)
        }
    }

    @Test(
        "A write whose first request is older than its key is not sent again, and its outcome is unknown",
        arguments: [90_000.0, -90_000])
    func expired(seconds: Double) async throws {
        try await KeyedServer.with { server, url in
            let clock = WallClock()
            let pending = PendingWrites.test(attempts: 1, now: { clock.now })
            let service = service(url, pending)
            server.expect(.lostResponse)
            _ = try? await create("a", by: service)
            clock.advance(by: seconds)
            // The app cannot send it again with its key either.
            let key = try await pending.writes().first?.key
            let error = await #expect(throws: WebServiceError.self) {
                let _: StoredNote = try await service.create(NewNote(note: "a"), in: "orders", idempotencyKey: key)
            }
            #expect(error?.code == .invalidRequest)
            var outcomes: [Bool] = []
            try await service.resumePendingWrites { settled in
                if case .expired = settled.outcome { outcomes.append(true) } else { outcomes.append(false) }
            }
            #expect(outcomes == [true])
            #expect(server.requests.count == 1)
            #expect(try await pending.writes().isEmpty)
        }
    }

    @Test("If there are too many pending writes, a further write is not sent")
    func tooMany() async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: 1, maximumCount: 1)
            let service = service(url, pending)
            server.expect(.lostRequest)
            _ = try? await create("a", by: service)
            let error = await #expect(throws: WebServiceError.self) { _ = try await create("b", by: service) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.pendingKey == nil)
            #expect(server.requests.isEmpty)
        }
    }

    @Test("A write with the key of a pending write is the same write")
    func sameKey() async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: 1)
            let service = service(url, pending)
            server.expect(.lostResponse)
            let error = await #expect(throws: WebServiceError.self) { _ = try await create("a", by: service) }
            let other = await #expect(throws: WebServiceError.self) {
                let _: StoredNote = try await service.create(
                    NewNote(note: "b"), in: "orders", idempotencyKey: error?.pendingKey)
            }
            #expect(other?.code == .invalidRequest)
            #expect(server.requests.count == 1)
            let order: StoredNote = try await service.create(
                ["note": "a"] as JSONValue, in: "orders", idempotencyKey: error?.pendingKey)
            #expect(order.id == 1)
            #expect(server.notes == ["a"])
            #expect(try await pending.writes().isEmpty)
        }
    }

    @Test("Without pending writes, only a write with a key is repeated by a transport, and rollback has no key")
    func unrecorded() async throws {
        try await KeyedServer.with { server, url in
            var service = service(url, nil)
            service.transport = RetryingTransport(AsyncHTTPClientTransport(), clock: RecordingClock())
            server.expect(.lostResponse)
            await #expect(throws: WebServiceError.self) { _ = try await create("a", by: service) }
            #expect(server.requests.map(\.key) == [nil])

            server.expect(.lostResponse)
            let key = try #require(IdempotencyKey("k\"\\1"))
            let order: StoredNote = try await service.create(NewNote(note: "b"), in: "orders", idempotencyKey: key)
            #expect(order.id == 2)
            #expect(server.notes == ["a", "b"])
            #expect(server.requests.map(\.key) == [nil, #""k\"\\1""#, #""k\"\\1""#])

            service.pendingWrites = .test()
            let tried: StoredNote = try await service.create(
                NewNote(note: "c"), in: "orders", preferences: .rollback, idempotencyKey: key)
            #expect(tried.note == "c")
            #expect(server.requests.last?.key == nil)
        }
    }

    @Test("A store is refused if its file is not a store, and two stores share a file")
    func files() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder.appending(path: "writes.sqlite")
            let write = PendingWrite(
                key: IdempotencyKey(), owner: "a", created: Date(timeIntervalSince1970: 1),
                request: .mutation(.init(document: "mutation{a}", name: nil, variables: ["b": 1, "a": [nil, "ä"]])))
            let first = try SQLitePendingWriteStore(at: url)
            let second = try SQLitePendingWriteStore(at: url)
            try first.add(write)
            #expect(try second.writes(of: "a") == [write])
            #expect(try second.writes(of: "a").first?.mutation?.variables["a"] == [nil, "ä"])
            #expect(try second.writes(of: "b") == [])
            try second.remove(write.key, of: "a")
            #expect(try first.count(of: "a") == 0)

            let other = folder.appending(path: "other.sqlite")
            _ = try SQLiteNormalizedCache(at: other)
            let error = #expect(throws: CacheError.self) { _ = try SQLitePendingWriteStore(at: other) }
            #expect(error?.code == .corrupt)
            try Data("no database, but a text".utf8).write(to: folder.appending(path: "text"))
            let damaged = #expect(throws: CacheError.self) {
                _ = try SQLitePendingWriteStore(at: folder.appending(path: "text"))
            }
            #expect(damaged?.message.contains("pending writes") == true)
        }
    }
}
