import AsyncHTTPClient
import DuetJSON
import DuetSQLDatabase
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    /// Varnish and nginx in front of a server whose data clients watch (`docs/live.md`).
    @Suite("Live queries through caches")
    struct LiveCachingTests {
        typealias Product = CachingProxy.Product

        private static let description = """
            duet: 1
            resources:
              departments:
                singular: department
                type: Department
                key: [id]
                fields:
                  id: {type: int}
                  name: {type: text}
                  region: {type: int}
            roles:
              visitor:
                resources:
                  departments: {read: {except: [region]}}
              staff:
                resources:
                  departments: {read: {where: {region: {eq: {claim: region}}}}}

            """
        private static let script = """
            CREATE TABLE departments (id INTEGER PRIMARY KEY, name TEXT NOT NULL, region INTEGER NOT NULL);
            INSERT INTO departments VALUES (1, 'Sales', 1), (2, 'Finance', 2);
            """
        /// The token of a caller that sees one of two departments.
        private static let token = TestToken(["role": "staff", "region": 1]).field
        private static let target = "/departments?fields=name"

        /// Runs a server with departments, and a cache in front of the server. All departments are public.
        private static func with(
            _ product: Product, _ body: (Database, Server, CachingProxy) async throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(.sqlite, schema: false) { database in
                    try await database.write { try $0.executeScript(script) }
                    try Data(description.utf8).write(to: folder.appending(path: "api.yaml"))
                    let options = ["--database", database.url.text, "--api", "api.yaml", "--anonymous-role", "visitor"]
                    try await Server.with(
                        options + Server.logsRequests, in: folder, environment: TestToken.environment
                    ) { server in
                        try await CachingProxy.with(product, before: server, in: folder) {
                            try await body(database, server, $0)
                        }
                    }
                }
            }
        }

        /// Changes the database, as another program does.
        private static func add(_ rows: String, to database: Database) async throws {
            try await database.write { try $0.executeScript("INSERT INTO departments VALUES \(rows)") }
        }

        private static func list(_ names: [String]) -> String {
            "[\(names.map { #"{"name":"\#($0)"}"# }.joined(separator: ","))]"
        }

        private static func response(_ names: [String]) -> String {
            #"{"data":{"departments":{"nodes":\#(list(names))}}}"#
        }

        @Test(
            "Events and WebSocket messages pass the cache at once, with the rights of the token, and are not stored",
            arguments: Product.installed)
        func events(product: Product) async throws {
            try await Self.with(product) { database, _, cache in
                let document = "subscription { departments(first: 9) { nodes { name } } }"
                let query = try #require(document.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let body: JSONValue = ["query": .string(document)]
                let requests = [
                    ("GET", Self.target, nil), ("GET", "/graphql?query=\(query)", nil),
                    ("POST", "/graphql", body.compactText),
                ]
                var streams: [(events: EventReader, isREST: Bool, hasToken: Bool)] = []
                for headers in [[:], Self.token] {
                    for (method, path, body) in requests {
                        let fields = headers.merging(["Accept": "text/event-stream"]) { $1 }
                        let response = try await cache.stream(method, path, fields, body: body)
                        #expect(response.status == .ok && response.headers["Cache-Control"] == ["no-store"])
                        streams.append((EventReader(response), path == Self.target, !headers.isEmpty))
                    }
                }
                func expect(_ all: [String], _ own: [String]) async throws {
                    for index in streams.indices {
                        let names = streams[index].hasToken ? own : all
                        let event = try await streams[index].events.next()
                        let data = streams[index].isREST ? Self.list(names) : Self.response(names)
                        #expect(event?.data == data, "\(streams[index])")
                    }
                }
                try await expect(["Sales", "Finance"], ["Sales"])

                try await cache.connect { socket in
                    let fields = [
                        "Sec-WebSocket-Protocol: graphql-transport-ws", "Origin: \(cache.base)",
                        "Authorization: \(Self.token["Authorization"] ?? "")", "",
                    ].joined(separator: "\r\n")
                    let host = "127.0.0.1:\(cache.port)"
                    try await socket.send(WebSocketTestClient.handshake("/graphql", host: host, fields: fields))
                    let head = try await socket.head()
                    #expect(head.hasPrefix("HTTP/1.1 101 "), "\(head)")
                    try await socket.send(ClientFrame.make(ClientFrame.text, #"{"type":"connection_init"}"#))
                    #expect(try await socket.frame() == #"text {"type":"connection_ack"}"#)
                    let subscription: JSONValue = ["id": "a", "type": "subscribe", "payload": body]
                    try await socket.send(ClientFrame.make(ClientFrame.text, subscription.compactText))
                    func message(_ names: [String]) -> String {
                        #"text {"id":"a","type":"next","payload":\#(Self.response(names))}"#
                    }
                    #expect(try await socket.frame() == message(["Sales"]))
                    try await Self.add("(3, 'Research', 1), (4, 'Legal', 2)", to: database)
                    #expect(try await socket.frame() == message(["Sales", "Research"]))
                }
                try await expect(["Sales", "Finance", "Research", "Legal"], ["Sales", "Research"])
                let read = try await cache.get(Self.target)
                #expect(read.body == Self.list(["Sales", "Finance", "Research", "Legal"]))
            }
        }

        @Test(
            "Equal reads that wait for a change share a request at the server, except reads with a token",
            arguments: Product.installed)
        func waits(product: Product) async throws {
            try await Self.with(product) { database, server, cache in
                let clients = 20
                func wait(_ seconds: Int) async throws -> String {
                    let tag = try await server.get(Self.target).headers.first(name: "ETag") ?? ""
                    return "\(Self.target)&wait=\(seconds)&since=\(tag.filter { $0 != "\"" })"
                }
                /// Sends the request of all clients, makes a change, and returns the responses.
                func answers(to target: String, while change: () async throws -> Void) async throws -> [String] {
                    let (sent, clientHasSent) = AsyncStream<Void>.makeStream()
                    return try await withThrowingTaskGroup(of: String.self) { tasks in
                        for _ in 0..<clients {
                            tasks.addTask {
                                try await cache.connect { client in
                                    try await client.send(
                                        "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                                    clientHasSent.yield()
                                    return try await client.rest()
                                }
                            }
                        }
                        var waiting = sent.makeAsyncIterator()
                        for _ in 0..<clients { await waiting.next() }
                        // The cache has also received the requests before this one.
                        _ = try await cache.get("/health/live")
                        try await change()
                        return try await tasks.reduce(into: []) { $0.append($1) }
                    }
                }
                // Further requests are possible: of a client that the cache reads late, and with nginx if ten seconds
                // of the clock end while the clients connect.
                let few = 1...clients / 4

                let changed = try await wait(60)
                let new = try await answers(to: changed) { try await Self.add("(3, 'Research', 1)", to: database) }
                let body = Self.list(["Sales", "Finance", "Research"])
                #expect(new.allSatisfy { $0.hasPrefix("HTTP/1.1 200 ") && $0.hasSuffix(body) }, "\(new)")
                let sent = try await server.requests(of: changed)
                #expect(few.contains(sent.count), "\(sent)")

                let unchanged = try await wait(2)
                let none = try await answers(to: unchanged) {}
                #expect(none.allSatisfy { $0.hasPrefix("HTTP/1.1 204 ") }, "\(none)")
                let sentWithoutChange = try await server.requests(of: unchanged)
                #expect(few.contains(sentWithoutChange.count), "\(sentWithoutChange)")

                let own = "\(Self.target)&wait=0"
                for _ in 0..<2 {
                    let answer = try await cache.get(own, Self.token)
                    #expect(answer.status == 204 && answer.cache != "HIT")
                    #expect(answer.headers["Cache-Control"] == ["no-store"])
                }
                let sentWithToken = try await server.requests(of: own)
                #expect(sentWithToken == [204, 204])
            }
        }
    }
}
