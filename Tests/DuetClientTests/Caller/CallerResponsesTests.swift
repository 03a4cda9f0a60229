import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting
import Synchronization
import Testing

@Suite("Responses of a REST service to several callers")
struct CallerResponsesTests {
    /// A service whose responses contain the token and the number of the request, behind a cache, a retrying and an
    /// authorizing transport.
    private struct Service {
        let caller: CurrentCaller
        let server: ScriptedTransport
        let cache: ResponseCache
        let proxy: WebServiceProxy

        init(
            folder: URL? = nil, caller: CurrentCaller = CurrentCaller(identity: "anna", token: "token-a1"),
            respond: @escaping ScriptedTransport.Script = Self.owner
        ) throws {
            self.caller = caller
            server = ScriptedTransport(respond)
            cache = ResponseCache(folder: folder)
            let base = try #require(URL(string: "https://example.org"))
            let transport = CachingTransport(
                AuthorizingTransport(RetryingTransport(server), service: base, caller: caller), cache: cache)
            proxy = WebServiceProxy(baseURL: base, transport: transport, caller: caller)
        }

        @Sendable
        static func owner(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
            let token = (request.head.headerFields[.authorization] ?? "nobody").replacing("Bearer ", with: "")
            return TransportResponse(
                .ok, [.cacheControl: "private, max-age=60", .vary: "Authorization, Duet-Role"], "rows of \(token)")
        }

        /// Returns the text of a resource and its source.
        func get(_ path: ResourcePath = "a") async throws(WebServiceError) -> (
            text: String, source: CacheStatus.Source?
        ) {
            try await proxy.invoke(.get, path, accept: "*/*") {
                (String(decoding: $0.content, as: UTF8.self), CacheStatus($0.head)?.source)
            }
        }
    }

    @Test("Each caller receives only responses to requests with this caller's token")
    func separate() async throws {
        let service = try Service()
        #expect(try await service.get() == ("rows of token-a1", .forwarded))
        #expect(try await service.get() == ("rows of token-a1", .stored))
        service.caller.change(to: "berta", token: "token-b1")
        #expect(try await service.get() == ("rows of token-b1", .forwarded))
        service.caller.change(to: nil)
        #expect(try await service.get() == ("rows of nobody", .forwarded))
        service.caller.change(to: "anna", token: "token-a2")
        #expect(try await service.get() == ("rows of token-a1", .stored))
        #expect(service.server.requests.count == 3)
    }

    @Test("A stored response is served without a token and without a call of the token source")
    func noToken() async throws {
        let caller = CurrentCaller(identity: "anna", token: "token-a1") { _, _ in
            throw TransportError(.cannotConnect, "There is no network.")
        }
        let service = try Service(caller: caller)
        _ = try await service.get()
        caller.change(to: "anna", token: nil)
        #expect(try await service.get().source == .stored)
    }

    @Test("If no token can be obtained, a stale response is served")
    func stale() async throws {
        struct Offline: Error {}
        let isOffline = Atomic(false)
        let caller = CurrentCaller(identity: "anna") { _, _ in
            if isOffline.load(ordering: .relaxed) { throw Offline() }
            return "token-a1"
        }
        let service = try Service(caller: caller) { _ throws(TransportError) in
            TransportResponse(.ok, [.cacheControl: "max-age=0", .eTag: #""1""#], "rows")
        }
        _ = try await service.get()
        caller.change(to: "anna")
        isOffline.store(true, ordering: .relaxed)
        #expect(try await service.get() == ("rows", .storedOnError))
        caller.change(to: "berta")
        let error = await #expect(throws: WebServiceError.self) { try await service.get() }
        #expect(error?.transportError?.code == .noToken)
    }

    @Test("The files contain neither a token nor an identity")
    func files() async throws {
        try await TemporaryFolder.with { folder in
            let service = try Service(folder: folder) { _ throws(TransportError) in
                TransportResponse(.ok, [.cacheControl: "max-age=60", .vary: "Authorization"], "rows")
            }
            _ = try await service.get()
            await service.cache.flush()
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects
            let names = (files as? [URL] ?? []).filter { !$0.hasDirectoryPath }
            #expect(names.count == 1)
            for file in names {
                let text = file.path + String(decoding: try Data(contentsOf: file), as: UTF8.self)
                for secret in ["token-a1", "anna"] { #expect(!text.contains(secret)) }
            }
            let restarted = try Service(folder: folder)
            #expect(try await restarted.get() == ("rows", .stored))
            restarted.caller.change(to: "berta", token: "token-b1")
            #expect(try await restarted.get().source == .forwarded)
        }
    }

    @Test("The responses of one caller can be removed, from memory and from the folder")
    func remove() async throws {
        try await TemporaryFolder.with { folder in
            let service = try Service(folder: folder)
            _ = try await service.get("a")
            _ = try await service.get("b")
            service.caller.change(to: "berta", token: "token-b1")
            _ = try await service.get("a")
            await service.cache.removeResponses(ofCaller: "anna")
            #expect(try await service.get("a").source == .stored)
            for cache in [service, try Service(folder: folder)] {
                cache.caller.change(to: "anna", token: "token-a9")
                let error = await #expect(throws: WebServiceError.self) {
                    try await cache.proxy.invoke(
                        .get, "b", headerFields: [.cacheControl: "only-if-cached, max-stale"])
                }
                #expect(error?.status == .gatewayTimeout)
            }
        }
    }

    @Test("A call ends with an error if the caller changes before the response is complete")
    func inFlight() async throws {
        let caller = CurrentCaller(identity: "anna", token: "token-a1")
        let service = try Service(caller: caller) { request throws(TransportError) in
            if request.head.path == "/head" { caller.change(to: "berta", token: "token-b1") }
            if request.head.path == "/error" {
                caller.change(to: "berta", token: "token-b1")
                return TransportResponse(.forbidden, [:], "rows of \(request.head.headerFields[.authorization] ?? "")")
            }
            let rest = Mutex(["rows of ", "anna"][...])
            return TransportResponse(
                HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"]),
                body: ResponseBody { () throws(TransportError) in
                    let part = rest.withLock { $0.popFirst() }
                    if part == nil, request.head.path == "/body" { caller.change(to: "berta", token: "token-b1") }
                    return part.map { Data($0.utf8) }
                })
        }
        for path in ["head", "error", "body"] as [ResourcePath] {
            caller.change(to: "anna", token: "token-a1")
            let error = await #expect(throws: WebServiceError.self) { try await service.get(path) }
            #expect(error?.transportError?.code == .callerChanged)
            #expect(error?.body == nil)
        }
        // The new caller does not receive the response from the cache.
        #expect(try await service.get("body").source == .forwarded)
    }

    @Test("A stream cannot be read after the caller has changed")
    func stream() async throws {
        let caller = CurrentCaller(identity: "anna", token: "token-a1")
        let service = try Service(caller: caller) { _ throws(TransportError) in
            TransportResponse(HTTPResponse(status: .ok), body: ResponseBody(parts: ["1", "2"]))
        }
        let response = try await service.proxy.stream(.get, "a", accept: "*/*")
        var parts = response.content.makeAsyncIterator()
        #expect(try await parts.next() == Data("1".utf8))
        caller.change(to: "berta")
        let error = await #expect(throws: TransportError.self) { try await parts.next() }
        #expect(error?.code == .callerChanged)
    }

    @Test("A proxy without the caller sends no request to a service that needs a token")
    func forgottenCaller() async throws {
        let service = try Service()
        var proxy = service.proxy
        proxy.caller = nil
        let error = await #expect(throws: WebServiceError.self) { try await proxy.invoke(.get, "a") }
        #expect(error?.transportError?.code == .noCaller)
        #expect(service.server.requests.isEmpty)
    }

    // MARK: - ResourceLoader

    private func loader(_ service: Service) -> ResourceLoader<Data> {
        ResourceLoader(transport: service.proxy.transport, caller: service.caller)
    }

    @Test("A loader returns no value of a former caller, neither from memory nor from a pending request")
    func loader() async throws {
        let (arrived, release) = (Signal(), Signal())
        let service = try Service { request throws(TransportError) in
            if request.head.path == "/slow", request.head.headerFields[.authorization] == "Bearer token-a1" {
                arrived.set()
                await release.wait()
            }
            return try Service.owner(request)
        }
        let loader = loader(service)
        let (image, slow) = (try service.proxy.request(.get, "image"), try service.proxy.request(.get, "slow"))
        #expect(try await loader.load(image) == Data("rows of token-a1".utf8))
        #expect(loader.value(inMemory: image) != nil)
        let pending = Task { try await loader.load(slow) }
        await arrived.wait()
        service.caller.change(to: "berta", token: "token-b1")
        #expect(loader.value(inMemory: image) == nil)
        // The request of the new caller does not wait for the request of the former caller.
        #expect(try await loader.load(slow) == Data("rows of token-b1".utf8))
        #expect(try await loader.load(image) == Data("rows of token-b1".utf8))
        release.set()
        let error = await #expect(throws: WebServiceError.self) { try await pending.value }
        #expect(error?.transportError?.code == .callerChanged)
        #expect(loader.value(inMemory: slow) == Data("rows of token-b1".utf8))
    }
}
