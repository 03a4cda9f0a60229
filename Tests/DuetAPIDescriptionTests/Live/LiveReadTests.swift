import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Reads that a client watches")
struct LiveReadTests {
    /// Commits a statement through another connection pool, as another program does.
    private static func commitElsewhere(_ sql: String, to database: Database) async throws {
        let other = Database(database.url, configuration: DatabaseConfiguration(poolSize: 1).patient)
        try await other.write { try $0.executeScript(sql) }
        await other.close()
    }

    @Test(
        "REST: the events are the current representation, and each state after commits of this and other programs",
        arguments: TestBackend.available)
    func events(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            var events = try await shop.server.events("GET", "/customers?fields=id,name&sort=id")
            let first = try await events.next()
            #expect(first?.name == "value")
            #expect(first?.data == #"[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}]"#)
            let read = try await shop.send("GET", "/customers?fields=id,name&sort=id")
            let tag = read.headers.first(name: "ETag")
            #expect(first?.identifier == tag)

            let created = try await shop.send("POST", "/customers", ["id": 3, "name": "Cy"])
            #expect(created.status == 201, "\(created.body)")
            let second = try await events.next()
            #expect(second?.data == #"[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"},{"id":3,"name":"Cy"}]"#)

            try await Self.commitElsewhere("UPDATE customers SET name = 'Dee' WHERE id = 3", to: shop.database)
            let third = try await events.next()
            #expect(third?.data == #"[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"},{"id":3,"name":"Dee"}]"#)
        }
    }

    @Test("Streams of both styles receive heartbeats, and events after them", arguments: TestBackend.available)
    func heartbeats(_ backend: TestBackend) async throws {
        var settings = ServerSettings()
        settings.live.heartbeatInterval = .milliseconds(20)
        try await WritableShop.with(backend, settings: settings) { shop in
            let document: JSONValue = ["query": "subscription { customer(id: 1) { name } }"]
            for (method, path, body) in [
                ("GET", "/customers/1?fields=name", nil), ("POST", "/graphql", document.compactText),
            ] {
                var events = try await shop.server.events(method, path, body: body)
                // The first comment is the beginning of the stream.
                for _ in 0..<3 { #expect(try await events.comment()) }
                let name = method == "GET" ? "Eve" : "Flo"
                _ = try await shop.send("PATCH", "/customers/1", ["name": .string(name)])
                let event = try await events.next()
                #expect(event?.data.contains(#""name":"\#(name)""#) == true, "\(event.debugDescription)")
            }
        }
    }

    @Test("REST: the events of a row end with its deletion", arguments: TestBackend.available)
    func gone(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            var events = try await shop.server.events("GET", "/orders/11")
            #expect(try await events.next()?.name == "value")
            _ = try await shop.send("DELETE", "/orders/11")
            #expect(try await events.next()?.name == "gone")
            #expect(try await events.next() == nil)
            let answer = try await shop.server.get("/orders/11", ["Accept": "text/event-stream"])
            #expect(answer.status == 404)
        }
    }

    @Test("REST: with the current tag in Last-Event-ID, the first event follows the next change")
    func lastEventID() async throws {
        try await WritableShop.with(.sqlite) { shop in
            let read = try await shop.send("GET", "/customers/1?fields=name")
            let tag = try #require(read.headers.first(name: "ETag"))
            var events = try await shop.server.events("GET", "/customers/1?fields=name", ["Last-Event-ID": tag])
            _ = try await shop.send("PATCH", "/customers/1", ["name": "Eve"])
            #expect(try await events.next()?.data == #"{"name":"Eve"}"#)
        }
    }

    @Test("REST: a read can wait for a change of its representation", arguments: TestBackend.available)
    func wait(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let read = try await shop.send("GET", "/customers/1?fields=name")
            let tag = try #require(read.headers.first(name: "ETag")).filter { $0 != "\"" }
            let unchanged = try await shop.send("GET", "/customers/1?fields=name&wait=0&since=\(tag)")
            #expect(unchanged.status == 204)
            async let changed = shop.send("GET", "/customers/1?fields=name&wait=60&since=\(tag)")
            _ = try await shop.send("PATCH", "/customers/1", ["name": "Eve"])
            let answer = try await changed
            #expect(answer.status == 200 && answer.body == #"{"name":"Eve"}"#, "\(answer.body)")
            #expect(answer.headers.first(name: "Cache-Control") == "max-age=1")
            // A representation that has already changed is sent at once.
            for time in [60, 0] {
                let old = try await shop.send("GET", "/customers/1?fields=name&wait=\(time)&since=\(tag)")
                #expect(old.body == #"{"name":"Eve"}"#)
            }
        }
    }

    @Test("REST: a tag is known in each form in which caches and compressing proxies return it")
    func tags() async throws {
        try await WritableShop.with(.sqlite) { shop in
            let path = "/customers?fields=id,name"
            let read = try await shop.send("GET", path)
            let tag = try #require(read.headers.first(name: "ETag"))
            let opaque = tag.filter { $0 != "\"" }
            for known in [tag, opaque, "W/\(tag)", "\"\(opaque)-gzip\"", "\(opaque)-gzip"] {
                let encoded = known.replacing("\"", with: "%22")
                let answer = try await shop.send("GET", "\(path)&wait=0&since=\(encoded)")
                #expect(answer.status == 204, "\(known)")
            }
            let other = try await shop.send("GET", "\(path)&wait=0&since=\(opaque)x")
            #expect(other.status == 200)
        }
    }

    @Test("REST: a read that waits has the format and the fields of the same read without waiting")
    func waitedFields() async throws {
        try await WritableShop.with(.sqlite) { shop in
            let path = "/customers?fields=name&first=1&count=true&sort=id"
            let accept = ["Accept": "text/csv"]
            let waited = try await shop.server.get("\(path)&wait=0&since=old", accept)
            let plain = try await shop.server.get(path, accept)
            #expect(waited.status == 200 && waited.body == plain.body)
            for name in ["Content-Type", "ETag", "Link", "Total-Count"] {
                #expect(waited.headers.first(name: name) == plain.headers.first(name: name), "\(name)")
            }
            let events = try await shop.server.get("\(path)&wait=1", ["Accept": "text/event-stream"])
            #expect(events.status == 400 && events.body.contains("text/event-stream"))
        }
    }

    @Test("REST: with `Prefer: patch=json`, a small change of a large row is a patch")
    func patches() async throws {
        try await WritableShop.with(.sqlite) { shop in
            let prefer = ["Prefer": "patch=json"]
            var events = try await shop.server.events("GET", "/customers/1?details=orders", prefer)
            #expect(try await events.next()?.name == "value")
            _ = try await shop.send("PATCH", "/customers/1", ["name": "Eve"])
            let patch = try await events.next()
            #expect(patch?.name == "patch")
            #expect(patch?.data == #"[{"op":"replace","path":"/name","value":"Eve"}]"#)
            let read = try await shop.send("GET", "/customers/1?details=orders")
            #expect(patch?.identifier == read.headers.first(name: "ETag"))
            // A patch that is not shorter than the row is not sent.
            var small = try await shop.server.events("GET", "/customers/1?fields=name", prefer)
            #expect(try await small.next()?.name == "value")
            _ = try await shop.send("PATCH", "/customers/1", ["name": "Zoe"])
            let value = try await small.next()
            #expect(value?.name == "value" && value?.data == #"{"name":"Zoe"}"#)
        }
    }

    @Test("The number of watchers of the server and of a caller is limited")
    func limits() async throws {
        var settings = ServerSettings()
        settings.live.limits.watchers = 2
        settings.live.limits.watchersPerCaller = 1
        let role = Role("reader", reads: ["customers": .init()])
        try await WritableShop.with(.sqlite, roles: [role], settings: settings) { shop in
            func field(_ subject: String) -> [String: String] {
                TestToken(["role": "reader", "sub": .string(subject)]).field
            }
            var first = try await shop.server.events("GET", "/customers/1", field("a"))
            #expect(try await first.next()?.name == "value")
            let events = ["Accept": "text/event-stream"]
            let second = try await shop.server.get("/customers/2", field("a").merging(events) { $1 })
            #expect(second.status == 503 && second.body.contains("the caller already watches 1"), "\(second.body)")
            var other = try await shop.server.events("GET", "/customers/1", field("b"))
            #expect(try await other.next()?.name == "value")
            let third = try await shop.server.get("/customers/2", field("c").merging(events) { $1 })
            #expect(third.status == 503 && third.body.contains("already watches 2"), "\(third.body)")
            let query: JSONValue = ["query": "subscription { customer(id: 1) { name } }"]
            var responses = try await shop.server.events(
                "POST", "/graphql", field("c"), body: query.compactText)
            let refused = try await responses.next()
            #expect(refused?.data.contains("OVERLOADED") == true, "\(refused?.data ?? "")")
        }
    }

    @Test("GraphQL: the events of a subscription are whole responses", arguments: TestBackend.available)
    func subscription(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let document = "subscription { customer(id: 1) { name orders(first: 5) { nodes { id } } } }"
            let body: JSONValue = ["query": .string(document)]
            var events = try await shop.server.events("POST", "/graphql", body: body.compactText)
            let first = try await events.next()
            #expect(first?.name == "next")
            #expect(first?.data == #"{"data":{"customer":{"name":"Ada","orders":{"nodes":[{"id":10}]}}}}"#)
            _ = try await shop.send("POST", "/orders", ["id": 12, "customerId": 1, "total": "1.00"])
            #expect(
                try await events.next()?.data
                    == #"{"data":{"customer":{"name":"Ada","orders":{"nodes":[{"id":10},{"id":12}]}}}}"#)
            try await Self.commitElsewhere(
                "DELETE FROM orders WHERE customer_id = 1; DELETE FROM customers WHERE id = 1;", to: shop.database)
            #expect(try await events.next()?.data == #"{"data":{"customer":null}}"#)
        }
    }

    @Test("GraphQL: a query by events has one response, and an invalid document too")
    func otherOperations() async throws {
        try await WritableShop.with(.sqlite) { shop in
            for (document, content) in [
                ("{ customer(id: 1) { name } }", #"{"data":{"customer":{"name":"Ada"}}}"#),
                ("subscription { customer(id: 1) { unknown } }", "GRAPHQL_VALIDATION_FAILED"),
            ] {
                let body: JSONValue = ["query": .string(document)]
                var events = try await shop.server.events("POST", "/graphql", body: body.compactText)
                let first = try await events.next()
                #expect(first?.name == "next" && first?.data.contains(content) == true, "\(first?.data ?? "")")
                let last = try await events.next()
                #expect(last?.name == "complete" && last?.data == "")
                #expect(try await events.next() == nil)
            }
        }
    }

    @Test("Invalid parameters of a waiting read are refused")
    func badWaits() async throws {
        try await WritableShop.with(.sqlite) { shop in
            for query in ["wait=x", "wait=-1", "wait=61", "since=abc", "wait=1&wait=2", "wait=1&unknown=2"] {
                let answer = try await shop.send("GET", "/customers?\(query)")
                #expect(answer.status == 400, "\(query): \(answer.body)")
            }
        }
    }
}
