import DuetTokens
import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import DuetServer

@Suite("Key set at a URL")
struct RemoteKeySetTests {
    /// Two public keys on P-256. The points are those of RFC 7515 A.3 and RFC 7517 A.1.
    private static let first = key(
        "1", "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
    private static let second = key(
        "2", "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4", "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM")

    private static func key(_ keyID: String, _ x: String, _ y: String) -> String {
        #"{"kty":"EC","crv":"P-256","kid":"\#(keyID)","x":"\#(x)","y":"\#(y)"}"#
    }

    private static func set(_ keys: String...) -> String { #"{"keys":[\#(keys.joined(separator: ","))]}"# }

    private static func answer(_ text: String, lifetime: Duration? = nil) -> KeySetRequest.Answer {
        KeySetRequest.Answer(bytes: Array(text.utf8), lifetime: lifetime)
    }

    /// A world whose clock a test moves, and whose requests it answers.
    private final class TestWorld: Sendable {
        private struct State {
            var time = Duration.zero
            var answers: [Result<KeySetRequest.Answer, any Error>] = []
            var requests = 0
            var sleeps: [Duration] = []
            var observations: [RemoteKeySet.Observation] = []
        }

        private let state = Mutex(State())
        /// The number of sleeps after which the service is cancelled.
        let maximumSleeps: Int

        init(_ answers: [Result<KeySetRequest.Answer, any Error>], maximumSleeps: Int = 1) {
            self.maximumSleeps = maximumSleeps
            state.withLock { $0.answers = answers }
        }

        var requests: Int { state.withLock(\.requests) }
        var sleeps: [Duration] { state.withLock(\.sleeps) }
        var observations: [RemoteKeySet.Observation] { state.withLock(\.observations) }
        func advance(by duration: Duration) { state.withLock { $0.time += duration } }

        func set(adding others: JSONWebKeySet? = nil) throws -> RemoteKeySet {
            let world = RemoteKeySet.World(
                now: { self.state.withLock(\.time) },
                sleep: { duration in
                    // The sleep ends at once, and moves the clock.
                    let isLast = self.state.withLock { state in
                        state.sleeps.append(duration)
                        state.time += duration
                        return state.sleeps.count >= self.maximumSleeps
                    }
                    if isLast { withUnsafeCurrentTask { $0?.cancel() } }
                },
                fetch: {
                    try self.state.withLock { state in
                        state.requests += 1
                        return state.answers.isEmpty
                            ? .failure(KeySetRequest.Failure(description: "no more answers"))
                            : state.answers.removeFirst()
                    }.get()
                })
            return RemoteKeySet(try KeySetAddress("https://id.example/keys"), adding: others, world: world) { event in
                self.state.withLock { $0.observations.append(event) }
            }
        }
    }

    @Test("A server whose first request fails has no keys, says why, and becomes ready with a later request")
    func firstFailure() async throws {
        let world = TestWorld(
            [
                .failure(KeySetRequest.Failure(description: "the status of the response is 503")),
                .success(Self.answer("[]")),
                .success(Self.answer(Self.set(Self.first))),
            ], maximumSleeps: 1)
        let keys = try world.set()
        #expect(keys.problem?.contains("https://id.example/keys: the first request has not ended") == true)
        #expect(await keys.keys(knowing: nil) == nil)
        #expect(await keys.keys(knowing: "1") == nil)
        #expect(world.requests == 0)
        try await Task { try await keys.run() }.value
        #expect(world.requests == 1 && world.sleeps == [.seconds(1)])
        #expect(
            keys.problem
                == "the token keys could not be fetched from https://id.example/keys: the status of the response is 503"
        )
        try await Task { try await keys.run() }.value
        #expect(keys.problem?.contains("JSON") == true && world.sleeps == [.seconds(1), .seconds(2)])
        try await Task { try await keys.run() }.value
        #expect(keys.problem == nil && world.sleeps == [.seconds(1), .seconds(2), .seconds(300)])
        #expect(await keys.keys(knowing: nil)?.count == 1)
        #expect(world.observations.count == 3)
    }

    @Test("When a later request fails, the keys stay")
    func laterFailure() async throws {
        let world = TestWorld(
            [
                .success(Self.answer(Self.set(Self.first), lifetime: .seconds(60))), .success(Self.answer("<html>")),
                .success(Self.answer(Self.set(#"{"kty":"XYZ"}"#))), .success(Self.answer(Self.set(Self.second))),
            ],
            maximumSleeps: 4)
        let keys = try world.set()
        try await Task { try await keys.run() }.value
        #expect(world.requests == 4)
        #expect(world.sleeps == [.seconds(60), .seconds(10), .seconds(20), .seconds(300)])
        #expect(keys.problem == nil)
        let events = world.observations.map { event in
            switch event {
            case .changed(_, let count, let warnings): "changed \(count) \(warnings.count)"
            case .failed(_, _, let hasKeys): "failed \(hasKeys)"
            }
        }
        #expect(events == ["changed 1 0", "failed true", "failed true", "changed 1 0"])
    }

    @Test("Tokens with unknown keys cause at most one request in ten seconds, which all of them share")
    func unknownKeys() async throws {
        let world = TestWorld([
            .success(Self.answer(Self.set(Self.first))), .success(Self.answer(Self.set(Self.first))),
            .success(Self.answer(Self.set(Self.first, Self.second))),
        ])
        let keys = try world.set()
        try await Task { try await keys.run() }.value
        world.advance(by: .seconds(1))
        // The last sleep of the service has moved the clock by five minutes.
        await withTaskGroup(of: Int?.self) { tasks in
            for number in 0..<100 {
                tasks.addTask { await keys.keys(knowing: "invented \(number)")?.count }
            }
            for await count in tasks { #expect(count == 1) }
        }
        #expect(world.requests == 2)
        world.advance(by: .milliseconds(9_999))
        #expect(await keys.keys(knowing: "2")?.count == 1)
        world.advance(by: .milliseconds(1))
        #expect(await keys.keys(knowing: "2")?.count == 2)
        #expect(world.requests == 3)
        // An unchanged set is no event.
        #expect(world.observations.count == 2)
    }

    @Test("A secret is used in addition to the keys of the URL")
    func secret() async throws {
        let world = TestWorld([.success(Self.answer(Self.set(Self.first)))])
        let keys = try world.set(adding: try JSONWebKeySet(secret: [UInt8](repeating: 1, count: 32)))
        #expect(await keys.keys(knowing: nil) == nil)
        try await Task { try await keys.run() }.value
        #expect(await keys.keys(knowing: nil)?.algorithms == [.es256, .hs256])
    }

    // MARK: Over HTTP

    private func failure(_ url: String, timeLimit: Duration = .seconds(60), maximumBytes: Int = 1 << 20) async throws
        -> String
    {
        var request = KeySetRequest(address: try KeySetAddress(url))
        request.timeLimit = timeLimit
        request.maximumBytes = maximumBytes
        do {
            _ = try await request.send()
            return "none"
        } catch {
            return OutgoingRequest.reason(of: error)
        }
    }

    @Test("A key set is fetched over HTTP, through redirections on the same machine")
    func overHTTP() async throws {
        let body = Self.set(Self.first)
        try await KeyServer.with { path in
            switch path {
            case "/keys": .response("200 OK", ["Cache-Control: public, max-age=77"], body)
            case "/old": .response("302 Found", ["Location: /keys"])
            case "/loop": .response("307 Temporary Redirect", ["Location: /loop"])
            case "/away": .response("301 Moved Permanently", ["Location: http://id.example/keys"])
            case "/file": .response("302 Found", ["Location: file:///etc/passwd"])
            case "/none": .response("302 Found")
            case "/large": .response("200 OK", [], String(repeating: " ", count: 5_000))
            case "/silent": .incomplete("")
            case "/slow": .incomplete("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
            case "/cut": .bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
            default: .response("404 Not Found")
            }
        } _: { server in
            for path in ["/keys", "/old"] {
                let answer = try await KeySetRequest(address: try KeySetAddress(server.base + path)).send()
                #expect(String(decoding: answer.bytes, as: UTF8.self) == body && answer.lifetime == .seconds(77))
            }
            #expect(try await failure(server.base + "/missing").contains("404"))
            #expect(try await failure(server.base + "/loop").contains("redirects more than 3 times"))
            for path in ["/away", "/file", "/none"] {
                #expect(try await failure(server.base + path).contains("not permitted"), "\(path)")
            }
            #expect(try await failure(server.base + "/large", maximumBytes: 4_999).contains("more than 4999 bytes"))
            #expect(try await failure(server.base + "/large", maximumBytes: 5_000) == "none")
            // The requests never end by themselves, so the time limit has no influence on the result.
            for path in ["/silent", "/slow"] {
                #expect(
                    try await failure(server.base + path, timeLimit: .milliseconds(50)).contains("no complete response")
                )
            }
            #expect(try await failure(server.base + "/cut") != "none")
        }
        let closed = try await failure("http://127.0.0.1:1/keys")
        #expect(closed.contains("no connection") && closed.utf8.count < 200, "\(closed)")
    }

    @Test("The service fetches the keys at its start, and ends with the server")
    func service() async throws {
        try await KeyServer.with { _ in
            .response("200 OK", [], Self.set(Self.first, Self.second))
        } _: { server in
            let (events, event) = AsyncStream<RemoteKeySet.Observation>.makeStream()
            let keys = RemoteKeySet(try KeySetAddress(server.base + "/keys")) { event.yield($0) }
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [keys], logger: Logger(label: "test")))
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                var iterator = events.makeAsyncIterator()
                guard case .changed(_, let count, _)? = await iterator.next() else {
                    Issue.record("the keys were not fetched")
                    return
                }
                #expect(count == 2 && keys.problem == nil)
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }
            #expect(server.requests == 1)
        }
    }

    // MARK: Configuration

    @Test("Token keys come from a file, a URL or a secret")
    func sources() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "token-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "keys.json").path
        func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        func keys(_ location: String?, secret: String? = nil) throws(KeySetError) -> TokenKeys {
            try TokenKeys(location: location, secret: secret) { _ in }
        }
        let secret = String(repeating: "s", count: 32)

        try write(Self.set(Self.first, #"{"kty":"XYZ"}"#))
        let file = try keys(path, secret: secret)
        #expect(await file.source.keys(knowing: nil)?.count == 2)
        #expect(file.warnings.count == 1 && file.problem == nil && file.remote == nil)
        // The file is read again on request. If it cannot be used, the last keys stay.
        try write(Self.set(Self.first, Self.second))
        try file.file?.reload()
        #expect(await file.source.keys(knowing: nil)?.count == 3)
        try write("{")
        #expect(throws: KeySetError.self) { try file.file?.reload() }
        #expect(await file.source.keys(knowing: "x")?.count == 3)
        for bad in [path, folder.path, path + ".missing"] {
            let error = #expect(throws: KeySetError.self) { try keys(bad) }
            #expect(error?.description.contains(folder.path) == true, "\(error?.description ?? "")")
        }
        try Data(count: 10 << 20).write(to: URL(fileURLWithPath: path))
        #expect(#expect(throws: KeySetError.self) { try keys(path) }?.code == .tooLong)

        #expect(await (try keys(nil, secret: secret)).source.keys(knowing: nil)?.algorithms == [.hs256])
        #expect(throws: KeySetError.self) { try keys(nil) }
        #expect(throws: KeySetError.self) { try keys(nil, secret: "short") }
        #expect(throws: KeySetError.self) { try keys("http://id.example/keys") }
        let remote = try keys("https://id.example/keys")
        #expect(remote.remote != nil && remote.problem != nil)
        #expect(await remote.source.keys(knowing: nil) == nil)
    }
}
