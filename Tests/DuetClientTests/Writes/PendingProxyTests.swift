import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting
import Synchronization
import Testing

/// A response of a proxy.
struct ProxyPage: CustomTestStringConvertible, Sendable {
    let status: String
    let fields: KeyValuePairs<String, String>
    let body: String

    var testDescription: String { status }

    static let all = [
        ProxyPage(status: "200 OK", fields: ["Content-Type": "text/html"], body: "<html>Log in</html>"),
        ProxyPage(status: "200 OK", fields: [:], body: "Log in"),
        ProxyPage(status: "302 Found", fields: ["Location": "/login"], body: ""),
        ProxyPage(status: "307 Temporary Redirect", fields: ["Location": "/login"], body: ""),
        ProxyPage(
            status: "511 Network Authentication Required", fields: ["Content-Type": "text/html"], body: "<html>"),
    ]
}

@Suite("Pending writes, proxies and files")
struct PendingProxyTests {
    @Test(
        "A page of a proxy is no answer, and a redirect is not followed", arguments: ProxyPage.all,
        TransportKind.allCases)
    func pages(page: ProxyPage, kind: TransportKind) async throws {
        let requests = Mutex<[String]>([])
        try await ScriptedServer.with { connection in
            while let (head, _) = try await connection.request() {
                requests.withLock { $0.append(head.split(separator: "\r\n").first.map(String.init) ?? "") }
                if head.contains("/login") {
                    try await connection.respond(body: "{}")
                } else {
                    try await connection.respond(page.status, page.fields, body: page.body)
                }
            }
        } _: { server in
            let url = try #require(URL(string: server.base))
            let pending = PendingWrites.test(attempts: 1)
            let service = WebServiceProxy(baseURL: url, transport: kind.make(), pendingWrites: pending)
            let deleted = await #expect(throws: WebServiceError.self) { try await service.delete("orders/1") }
            #expect(deleted?.pendingKey != nil)
            let resumed = await #expect(throws: WebServiceError.self) { try await service.resumePendingWrites() }
            #expect(resumed?.pendingKey == deleted?.pendingKey)
            let client = GraphQLClient(
                transport: GraphQLEndpoint(
                    url: url.appending(path: "graphql"), persistedQueries: .off, transport: kind.make()),
                pendingWrites: pending)
            let mutated = await #expect(throws: GraphQLClientError.self) {
                _ = try await client.perform(DeleteNote())
            }
            #expect(mutated?.pendingKey != nil)
            #expect(try await pending.writes().count == 2)
            #expect(
                requests.withLock { $0 } == [
                    "DELETE /orders/1 HTTP/1.1", "DELETE /orders/1 HTTP/1.1", "POST /graphql HTTP/1.1",
                ])
        }
    }

    @Test("A response that is too long is an answer")
    func tooLong() async throws {
        try await KeyedServer.with { server, url in
            let pending = PendingWrites.test(attempts: 1)
            var service = WebServiceProxy(baseURL: url, pendingWrites: pending)
            service.maximumResponseLength = 4
            let error = await #expect(throws: WebServiceError.self) {
                try await service.create(NewNote(note: "a"), in: "orders")
            }
            #expect(error?.transportError?.code == .tooLarge)
            #expect(error?.status == .created)
            #expect(error?.pendingKey == nil)
            server.expect(.lostRequest)
            try? await service.create(NewNote(note: "b"), in: "orders")
            var isUnreadable = false
            try await service.resumePendingWrites { settled in
                if case .unreadable = settled.outcome { isUnreadable = true }
            }
            #expect(isUnreadable)
            #expect(server.notes == ["a", "b"])
            #expect(try await pending.writes().isEmpty)
        }
    }

    @Test("A file has the writes to several services, whose addresses can change, and no secrets")
    func services() async throws {
        try await PendingStoreKind.sqlite.withStore { open in
            let caller = CurrentCaller(identity: "Anna.Identity", token: "Token.Of.Anna")
            let names = ["X-Api-Key", "Proxy-Authorization", "X-Csrf-Token"].compactMap { HTTPField.Name($0) }
            func service(_ url: URL, _ name: String, _ pending: PendingWrites) -> WebServiceProxy {
                let transport = AuthorizingTransport(AsyncHTTPClientTransport(), service: url, caller: caller)
                return WebServiceProxy(baseURL: url, transport: transport, caller: caller, pendingWrites: pending)
            }
            try await KeyedServer.with { server, url in
                let pending = PendingWrites.test(try open(), service: "production", attempts: 1)
                server.expect(.lostRequest)
                var fields: HTTPFields = [.authorization: "Secret.Value", .cookie: "Secret.Value", .from: "a"]
                for name in names { fields[name] = "Secret.Value" }
                let error = await #expect(throws: WebServiceError.self) {
                    try await service(url, "production", pending).create(
                        NewNote(note: "a"), in: "orders", headerFields: fields)
                }
                #expect(error?.pendingKey != nil)
                let request = try await pending.writes(of: caller).first?.serviceRequest
                #expect(request?.path == "orders")
                #expect(request?.headerFields[.from] == "a")
                let all = try #require(try await pending.writes(of: caller).first)
                let text = "\(all)"
                for secret in ["Secret.Value", "Token.Of.Anna", "Anna.Identity"] { #expect(!text.contains(secret)) }
            }
            try await KeyedServer.with { server, url in
                let staging = PendingWrites.test(try open(), service: "staging", attempts: 1)
                try await service(url, "staging", staging).resumePendingWrites()
                #expect(server.requests.isEmpty)
                // The service has moved.
                let pending = PendingWrites.test(try open(), service: "production", attempts: 1)
                try await service(url, "production", pending).resumePendingWrites()
                #expect(server.notes == ["a"])
                #expect(server.requests.map(\.caller) == ["Bearer Token.Of.Anna"])
            }
        }
    }

    @Test("The file of pending writes has no secrets, and a damaged row is set aside")
    func file() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder.appending(path: "writes.sqlite")
            func write(_ path: String) -> PendingWrite {
                PendingWrite(
                    key: IdempotencyKey(), owner: "a", created: Date(timeIntervalSince1970: 1),
                    request: .service(
                        .init(
                            .post, path, headerFields: [.authorization: "Secret.Value", .accept: "*/*"],
                            body: Data([0xFF, 0x00]))))
            }
            var kept = write("kept")
            do {
                let store = try SQLitePendingWriteStore(at: url)
                try store.add(write("damaged"))
                try store.add(kept)
                kept.sent = Date(timeIntervalSince1970: 2)
                try store.update(kept)
                #expect(try store.writes(of: "a").last == kept)
            }
            var bytes = try Data(contentsOf: url)
            #expect(bytes.range(of: Data("Secret.Value".utf8)) == nil)
            let place = try #require(bytes.range(of: Data(#""path":"damaged""#.utf8)))
            bytes.replaceSubrange(place, with: Data(#""pith":"damaged""#.utf8))
            try bytes.write(to: url)

            let damage = Mutex<[CacheError.Code]>([])
            let store = try SQLitePendingWriteStore(at: url) { error in damage.withLock { $0.append(error.code) } }
            #expect(try store.writes(of: "a") == [kept])
            #expect(try store.writes(of: "a") == [kept])
            #expect(damage.withLock { $0 } == [.corrupt])
            #expect(try store.count(of: "a") == 1)
        }
    }
}

private struct DeleteNote: DocumentMutation {
    struct Data: Decodable, Sendable {}
    static let source = "mutation DeleteNote { deleteOrder(id: 1) { errors { message } } }"
}
