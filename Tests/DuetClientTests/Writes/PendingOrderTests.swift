import DuetClient
import Foundation
import SeededTesting
import Synchronization
import Testing

@Suite("The order of pending writes")
struct PendingOrderTests {
    private func create(_ note: String, by service: WebServiceProxy) async throws(WebServiceError) -> StoredNote {
        try await service.create(NewNote(note: note), in: "orders")
    }

    @Test("A new write first sends the earlier ones, and remains pending if one of them has no answer")
    func earlier() async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: 1)
            let service = WebServiceProxy(baseURL: url, pendingWrites: pending)
            server.expect(.lostRequest, .lostRequest, .answered, .status("500 Internal Server Error"))
            for note in ["a", "b"] { _ = try? await create(note, by: service) }
            let error = await #expect(throws: WebServiceError.self) { _ = try await create("c", by: service) }
            #expect(server.notes == ["a"])
            let keys = try await pending.writes().map(\.key)
            #expect(keys.count == 2)
            #expect(error?.pendingKey == keys.last)
            #expect(error?.status == .internalServerError)

            server.expect(.status("500 Internal Server Error"))
            let stopped = await #expect(throws: WebServiceError.self) { try await service.resumePendingWrites() }
            #expect(stopped?.pendingKey == keys.first)
            #expect(try await pending.writes().map(\.key) == keys)
            // The app gives up the write that fails again and again.
            try await pending.discard(try #require(keys.first))
            _ = try await create("d", by: service)
            #expect(server.notes == ["a", "c", "d"])
            #expect(try await pending.writes().isEmpty)
        }
    }

    @Test("A new write waits until the app has received the refusal of an earlier one")
    func refusal() async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: 1)
            let service = WebServiceProxy(baseURL: url, pendingWrites: pending)
            server.expect(.lostRequest, .invalid, .invalid)
            _ = try? await create("a", by: service)
            let error = await #expect(throws: WebServiceError.self) { _ = try await create("b", by: service) }
            #expect(error?.code == .noResponse)
            #expect(error?.pendingKey != nil)
            var refusals: [String?] = []
            try await service.resumePendingWrites { refusals.append($0.refusal?.problem?.code) }
            #expect(refusals == ["validation-failed", nil])
            #expect(server.notes == ["b"])

            let client = GraphQLClient(
                transport: GraphQLEndpoint(url: url.appending(path: "graphql"), persistedQueries: .off),
                pendingWrites: pending)
            server.expect(.lostRequest, .invalid, .invalid)
            _ = try? await client.create(OrderNote.self, input: ["note": "c"])
            let waiting = await #expect(throws: GraphQLClientError.self) {
                _ = try await client.create(OrderNote.self, input: ["note": "d"])
            }
            #expect(waiting?.pendingKey != nil)
            var codes: [[String?]] = []
            try await client.resumePendingWrites { codes.append($0.answer?.errors.map(\.code) ?? ["none"]) }
            #expect(codes == [["VALIDATION_FAILED"], []])
            #expect(server.notes == ["b", "d"])
        }
    }

    @Test("A new write and a resumption wait for a running write, and a discarded write is not sent")
    func running() async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: 1)
            let started = Signal()
            let end = Signal()
            let service = WebServiceProxy(
                baseURL: url,
                transport: HookedTransport { () async throws(TransportError) in
                    started.set()
                    await end.wait()
                }, pendingWrites: pending)
            var counts = await pending.counts().makeAsyncIterator()
            func wait(for count: Int) async { while let next = await counts.next(), next != count {} }
            await wait(for: 0)
            let first = Task { try await service.create(NewNote(note: "a"), in: "orders") }
            await started.wait()
            let second = Task { try await service.create(NewNote(note: "b"), in: "orders") }
            await wait(for: 2)
            let third = Task { try await service.create(NewNote(note: "c"), in: "orders") }
            await wait(for: 3)
            let resumption = Task { try await service.resumePendingWrites() }
            let canceled = Task { try await service.create(NewNote(note: "d"), in: "orders") }
            await wait(for: 4)
            canceled.cancel()
            let error = await #expect(throws: WebServiceError.self) { try await canceled.value }
            #expect(error?.pendingKey != nil)
            try await pending.discard(try #require(try await pending.writes().dropFirst(2).first?.key))
            end.set()
            try await first.value
            try await second.value
            let discarded = await #expect(throws: WebServiceError.self) { try await third.value }
            #expect(discarded?.code == .invalidRequest)
            try await resumption.value
            try await service.resumePendingWrites()
            #expect(server.notes == ["a", "b", "d"])
            await wait(for: 0)
        }
    }

    @Test(
        "Concurrent calls, resumptions and cancellations perform each write once", arguments: TestScale.seeds(6))
    func concurrent(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let fates: [KeyedServer.Fate] = [
            .answered, .lostRequest, .lostResponse, .inUse, .status("500 Internal Server Error"),
        ]
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: random.within(1...2))
            let service = WebServiceProxy(baseURL: url, pendingWrites: pending)
            server.expect((0..<20).map { _ in fates[random.below(fates.count)] })
            var called: Set<String> = []
            var canceled: Set<String> = []
            var tasks: [Task<Void, any Error>] = []
            for step in 0..<12 {
                switch random.below(4) {
                case 0: tasks.append(Task { try await service.resumePendingWrites() })
                case 1:
                    canceled.insert("\(step)")
                    let task = Task { try await service.create(NewNote(note: "\(step)"), in: "orders") }
                    task.cancel()
                    tasks.append(task)
                default:
                    called.insert("\(step)")
                    tasks.append(Task { try await service.create(NewNote(note: "\(step)"), in: "orders") })
                }
                if random.below(2) == 0 { await Task.yield() }
            }
            for task in tasks { _ = await task.result }
            server.expect()
            try await service.resumePendingWrites()
            let notes = server.notes
            #expect(Set(notes).count == notes.count, "seed \(seed)")
            // A write of a canceled task may have been recorded before.
            #expect(Set(notes).subtracting(canceled) == called, "seed \(seed)")
            #expect(try await pending.writes().isEmpty, "seed \(seed)")
        }
    }

    @Test("A write of a handler is sent after the resumed ones")
    func handler() async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: 1)
            let service = WebServiceProxy(baseURL: url, pendingWrites: pending)
            server.expect(.lostRequest, .lostRequest)
            for note in ["a", "b"] { _ = try? await create(note, by: service) }
            var keys: [IdempotencyKey?] = []
            var answers = 0
            try await service.resumePendingWrites { _ in
                answers += 1
                guard keys.isEmpty else { return }
                do throws(WebServiceError) {
                    try await service.create(NewNote(note: "c"), in: "orders")
                } catch {
                    keys.append(error.pendingKey)
                }
            }
            #expect(keys.count == 1)
            #expect(keys.first != .some(nil))
            #expect(answers == 3)
            #expect(server.notes == ["a", "b", "c"])
        }
    }

    @Test("A write that was never sent does not expire")
    func offline() async throws {
        try await KeyedServer.with { server, url in
            let clock = WallClock()
            let pending = PendingWrites.test(now: { clock.now })
            let isOffline = Mutex(true)
            let service = WebServiceProxy(
                baseURL: url,
                transport: HookedTransport { () throws(TransportError) in
                    if isOffline.withLock({ $0 }) { throw TransportError(.cannotConnect, "There is no network.") }
                }, pendingWrites: pending)
            for note in ["a", "b"] { _ = try? await create(note, by: service) }
            clock.advance(by: 90_000)
            await #expect(throws: WebServiceError.self) { try await service.resumePendingWrites() }
            clock.advance(by: 90_000)
            let sent = try await pending.writes().map(\.sent)
            #expect(sent == [nil, nil])
            isOffline.withLock { $0 = false }
            try await service.resumePendingWrites()
            #expect(server.notes == ["a", "b"])
        }
    }

    @Test("A write that begins after the logout is not recorded, and a new caller keeps the key of a pending mutation")
    func logout() async throws {
        try await KeyedServer.with { server, url in
            let caller = CurrentCaller(identity: "anna", token: "anna")
            let logsOut = Mutex(false)
            let pending = PendingWrites.test(
                attempts: 1,
                now: {
                    // The time is read after the caller of the write.
                    if logsOut.withLock({ $0 }) { caller.change(to: nil) }
                    return Date()
                })
            let change = HookedTransport { () in caller.change(to: "berta", token: "berta") }
            let client = GraphQLClient(
                transport: GraphQLEndpoint(
                    url: url.appending(path: "graphql"), persistedQueries: .off, transport: change),
                store: GraphQLStore(caller: caller), pendingWrites: pending)
            server.expect(.lostResponse)
            let error = await #expect(throws: GraphQLClientError.self) {
                _ = try await client.create(OrderNote.self, input: ["note": "a"])
            }
            #expect(error?.code == .callerChanged)
            #expect(error?.pendingKey != nil)
            #expect(try await pending.writes(of: caller).isEmpty)
            caller.change(to: "anna", token: "anna")
            #expect(try await pending.writes(of: caller).map(\.key) == [error?.pendingKey])
            try await pending.removeWrites(ofCaller: "anna")
            #expect(try await pending.writes(of: caller).isEmpty)

            logsOut.withLock { $0 = true }
            let service = WebServiceProxy(baseURL: url, caller: caller, pendingWrites: pending)
            let late = await #expect(throws: WebServiceError.self) { _ = try await create("late", by: service) }
            #expect(late?.transportError?.code == .callerChanged)
            #expect(late?.pendingKey == nil)
            caller.change(to: "anna", token: "anna")
            #expect(try await pending.writes(of: caller).isEmpty)
            #expect(server.notes == ["a"])
        }
    }
}

private struct OrderNote: WritableModel {
    static let typeName: String? = "Order"
    let note: String

    init(from decoder: DynamicDecoder) throws(ModelError) { note = try decoder.value("note") }
}
