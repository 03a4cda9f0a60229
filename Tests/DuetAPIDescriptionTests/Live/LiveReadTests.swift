import DuetJSON
import DuetSQLDatabase
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
