import Foundation
import NIOHTTP1
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("Values that do not fit their type")
    struct MismatchTests {
        @Test(
            "A response says how many values are null because they do not fit their type: in a header field, also of a 304, and in the errors of GraphQL"
        )
        func reported() async throws {
            try await TemporaryFolder.with { folder in
                let made = try await Program.shell(
                    """
                    sqlite3 odd.db "CREATE TABLE odds (id INTEGER PRIMARY KEY, amount REAL); INSERT INTO odds VALUES (1, 1.5), (2, 9e999), (3, -9e999)"
                    """, in: folder)
                #expect(made.status == 0, "\(made.errors)")
                let described = try await Program.run(
                    ["introspect", "sqlite:odd.db", "--output", "api.yaml"], in: folder)
                #expect(described.status == 0, "\(described.errors)")
                let arguments = ["--database", "sqlite:odd.db", "--api", "api.yaml"]
                try await Server.with(arguments, in: folder) { server in
                    let list = try await server.get("/odds")
                    #expect(list.body == #"[{"id":1,"amount":1.5},{"id":2,"amount":null},{"id":3,"amount":null}]"#)
                    #expect(list.headers.first(name: "Duet-Mismatches") == "2")
                    let tag = try #require(list.headers.first(name: "ETag"))
                    for _ in 0..<2 {
                        let known = try await server.get("/odds", ["If-None-Match": tag])
                        #expect(known.status == 304 && known.headers.first(name: "Duet-Mismatches") == "2")
                    }
                    #expect(try await server.get("/odds/1").headers.first(name: "Duet-Mismatches") == nil)
                    let data = try await server.get("/graphql?query=%7Bodds%7Bnodes%7Bid%20amount%7D%7D%7D")
                    #expect(data.status == 200)
                    #expect(data.body.contains(#"{"id":2,"amount":null}"#))
                    #expect(data.body.contains(#""path":["odds"]"#) && data.body.contains(#""code":"VALUE_MISMATCH""#))
                    #expect(data.body.contains("2 values are null"))
                    // The list, two revalidations and the query read two such values each.
                    #expect(try await server.get("/metrics").body.contains("duet_value_mismatches_total 8\n"))
                }
            }
        }
    }
}
