import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting
import Testing

@Suite("A resource loader")
struct ResourceLoaderTests {
    private let clock = RecordingClock()
    private let request = HTTPRequest(method: .get, scheme: "https", authority: "example.org", path: "/a")

    /// Returns a loader that decodes UTF-8 text.
    private func loader(
        _ transport: ScriptedTransport, limits: ResourceLimits = .init(),
        memoryPressure: (any AsyncSequence<Void, Never> & Sendable)? = nil
    ) -> ResourceLoader<String> {
        ResourceLoader(transport: transport, limits: limits, clock: clock, memoryPressure: memoryPressure) {
            content, _ in
            guard let text = String(data: content, encoding: .utf8) else { throw CocoaError(.coderInvalidValue) }
            return text
        }
    }

    @Test("A value is returned from memory while its response is fresh")
    func fresh() async throws {
        let transport = ScriptedTransport(.ok, [.cacheControl: "max-age=100"], "a")
        let loader = loader(transport)
        #expect(loader.value(inMemory: request) == nil)
        #expect(try await loader.load(request) == "a")
        clock.advance(by: .seconds(99))
        #expect(try await loader.load(request) == "a")
        #expect(transport.requests.count == 1)
        clock.advance(by: .seconds(1))
        #expect(loader.value(inMemory: request) == "a")
        #expect(try await loader.load(request) == "a")
        #expect(transport.requests.count == 2)
    }

    @Test(
        "A value in memory is fresh for the lifetime of the response, or for the default lifetime",
        arguments: [
            ("", 60), ("max-age=5", 5), ("max-age=0", 0), ("no-cache, max-age=5", 0), ("no-store", 0), ("public", 60),
        ])
    func lifetime(directives: String, seconds: Int) async throws {
        let transport = ScriptedTransport(.ok, [.cacheControl: directives], "a")
        let loader = loader(transport)
        _ = try await loader.load(request)
        #expect((loader.value(inMemory: request) != nil) == (seconds > 0))
        clock.advance(by: .seconds(seconds) - .nanoseconds(1))
        _ = try await loader.load(request)
        #expect(transport.requests.count == (seconds > 0 ? 1 : 2))
        clock.advance(by: .nanoseconds(1))
        _ = try await loader.load(request)
        #expect(transport.requests.count == (seconds > 0 ? 2 : 3))
    }

    @Test("Callers that wait for the same resource share one request")
    func coalescing() async throws {
        let (received, release) = (Signal(), Signal())
        let transport = ScriptedTransport { _ throws(TransportError) in
            received.set()
            await release.wait()
            return TransportResponse(.ok, [:], "a")
        }
        let loader = loader(transport)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 { group.addTask { try await loader.load(request) } }
            await received.wait()
            release.set()
            for try await value in group { #expect(value == "a") }
        }
        #expect(transport.requests.count == 1)
    }

    @Test("Requests with different URLs or header fields are sent separately")
    func otherRequests() async throws {
        let transport = ScriptedTransport { request throws(TransportError) in
            TransportResponse(.ok, [:], "\(request.head.path ?? "") \(request.head.headerFields[.accept] ?? "")")
        }
        let loader = loader(transport)
        #expect(try await loader.load(request) == "/a */*")
        var other = request
        other.headerFields[.accept] = "image/png"
        #expect(try await loader.load(other) == "/a image/png")
        let address = try #require(URL(string: "https://example.org/a?size=2"))
        #expect(try await loader.load(address) == "/a?size=2 */*")
    }

    @Test("If one of two callers is canceled, the other caller receives the value")
    func oneLeaves() async throws {
        let (received, release) = (Signal(), Signal())
        let transport = ScriptedTransport { _ throws(TransportError) in
            received.set()
            await release.wait()
            return TransportResponse(.ok, [:], "a")
        }
        let loader = loader(transport)
        let staying = Task { try await loader.load(request) }
        await received.wait()
        let leaving = Task { try await loader.load(request) }
        leaving.cancel()
        await #expect(throws: WebServiceError.self) { try await leaving.value }
        release.set()
        #expect(try await staying.value == "a")
        #expect(transport.requests.count == 1)
    }

    @Test("Canceling the only caller cancels the request. The loader does not cache the cancellation as a failure")
    func lastLeaves() async throws {
        let (received, ended) = (Signal(), Signal())
        let (endless, continuation) = AsyncStream.makeStream(of: Void.self)
        defer { continuation.finish() }
        let asked = Counter()
        let transport = ScriptedTransport { _ throws(TransportError) in
            guard asked.increment() == 1 else { return TransportResponse(.ok, [:], "a") }
            received.set()
            // The loop ends when the task is canceled.
            for await _ in endless {}
            ended.set()
            throw TransportError(.cancelled, "cancelled")
        }
        let loader = loader(transport)
        let waiter = Task { try await loader.load(request) }
        await received.wait()
        waiter.cancel()
        let error = await #expect(throws: WebServiceError.self) { try await waiter.value }
        #expect(error?.transportError?.code == .cancelled)
        await ended.wait()
        #expect(try await loader.load(request) == "a")
    }

    @Test("A late response to a canceled request does not complete the next request")
    func abandoned() async throws {
        let asked = Counter()
        let (received, released) = ([Signal(), Signal()], [Signal(), Signal()])
        let transport = ScriptedTransport { _ throws(TransportError) in
            let number = asked.increment()
            received[number - 1].set()
            await released[number - 1].wait()
            return TransportResponse(.ok, [.cacheControl: "no-store"], "\(number)")
        }
        let decoded = Signal()
        let loader = ResourceLoader(transport: transport, clock: clock) { content, _ in
            decoded.set()
            return String(decoding: content, as: UTF8.self)
        }
        let first = Task { try await loader.load(request) }
        await received[0].wait()
        first.cancel()
        await #expect(throws: WebServiceError.self) { try await first.value }
        let second = Task { try await loader.load(request) }
        await received[1].wait()
        released[0].set()
        await decoded.wait()
        released[1].set()
        #expect(try await second.value == "2")
    }

    @Test("A call in a canceled task sends no request")
    func cancelledBefore() async throws {
        let transport = ScriptedTransport(.ok, [:], "a")
        let loader = loader(transport)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await loader.load(request)
        }
        await #expect(throws: WebServiceError.self) { try await task.value }
        #expect(transport.requests.isEmpty)
    }

    @Test("The loader caches a failure for a short time")
    func failures() async throws {
        let transport = ScriptedTransport(.notFound)
        let loader = loader(transport)
        for _ in 0..<3 {
            let error = await #expect(throws: WebServiceError.self) { try await loader.load(request) }
            #expect(error?.status == .notFound)
        }
        #expect(transport.requests.count == 1)
        clock.advance(by: .seconds(10))
        await #expect(throws: WebServiceError.self) { try await loader.load(request) }
        #expect(transport.requests.count == 2)
        loader.clearMemory()
        await #expect(throws: WebServiceError.self) { try await loader.load(request) }
        #expect(transport.requests.count == 3)
    }

    @Test("Content that cannot be decoded or is too long is a failure")
    func unusable() async throws {
        var limits = ResourceLimits()
        limits.contentLength = 3
        let long = loader(ScriptedTransport(.ok, [:], "abcd"), limits: limits)
        var error = await #expect(throws: WebServiceError.self) { try await long.load(request) }
        #expect(error?.transportError?.code == .tooLarge)
        let transport = ScriptedTransport { _ throws(TransportError) in
            TransportResponse(HTTPResponse(status: .ok), body: ResponseBody(bytes: [0xFF]))
        }
        error = await #expect(throws: WebServiceError.self) { try await loader(transport).load(request) }
        #expect(error?.code == .undecodable)
    }

    @Test("The total size of the values in memory is limited")
    func memory() async throws {
        let transport = ScriptedTransport(.ok, [:], "0123456789")
        var limits = ResourceLimits()
        limits.memory = 100
        let loader = loader(transport, limits: limits)
        for number in 0..<20 {
            var request = request
            request.path = "/\(number)"
            _ = try await loader.load(request)
        }
        var inMemory = 0
        for number in 0..<20 {
            var request = request
            request.path = "/\(number)"
            if loader.value(inMemory: request) != nil { inMemory += 1 }
        }
        #expect(inMemory == 10)
    }

    @Test("A memory warning removes the values in memory")
    func pressure() async throws {
        let (warnings, warning) = AsyncStream.makeStream(of: Void.self)
        let handled = Signal()
        // The loader requests the next event after it has handled the previous one.
        let asked = Counter()
        let events = AsyncStream<Void> {
            if asked.increment() == 2 {
                handled.set()
            }
            for await _ in warnings { return () }
            return nil
        }
        let loader = loader(ScriptedTransport(.ok, [:], "a"), memoryPressure: events)
        _ = try await loader.load(request)
        #expect(loader.value(inMemory: request) == "a")
        warning.yield()
        await handled.wait()
        #expect(loader.value(inMemory: request) == nil)
    }

    @Test("Releasing a loader ends the observation of memory warnings")
    func deinitialization() async throws {
        let (warnings, warning) = AsyncStream.makeStream(of: Void.self)
        let ended = Signal()
        warning.onTermination = { _ in ended.set() }
        do {
            let loader = loader(ScriptedTransport(.ok, [:], "a"), memoryPressure: warnings)
            _ = try await loader.load(request)
        }
        await ended.wait()
    }

    @Test(
        "After a restart without a network, a loader returns stored content. It tries to update stale content once"
    )
    func disk() async throws {
        try await TemporaryFolder.with { folder in
            let wall = WallClock()
            let firstCache = ResponseCache(folder: folder, now: { wall.now })
            let first = ResourceLoader(
                transport: ScriptedTransport(.ok, [.cacheControl: "max-age=100"], "a"), cache: firstCache, clock: clock)
            #expect(try await first.load(request) == Data("a".utf8))
            await firstCache.flush()
            let cache = ResponseCache(folder: folder, now: { wall.now })
            let offline = ScriptedTransport { _ throws(TransportError) in
                throw TransportError(.cannotConnect, "offline")
            }
            let second = ResourceLoader(transport: offline, cache: cache, clock: clock)
            #expect(try await second.load(request) == Data("a".utf8))
            #expect(offline.requests.isEmpty)
            clock.advance(by: .seconds(200))
            wall.advance(by: 200)
            for _ in 0..<3 {
                let content = try await second.load(request)
                #expect(content == Data("a".utf8))
            }
            #expect(offline.requests.count == 1)
        }
    }
}
