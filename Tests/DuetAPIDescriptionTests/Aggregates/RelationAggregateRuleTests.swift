import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Aggregates of relations in rules, with collations and with details") struct RelationAggregateRuleTests {
    private static func identifiers(_ answer: HTTPAnswer) throws -> [Int64] {
        guard case .array(let rows) = try answer.json else { return [] }
        return rows.compactMap { $0["id"]?.integerValue }
    }

    @Test(
        "A rule can compare aggregates of a field that the role does not see",
        arguments: TestBackend.available,
        [
            ("max", "5", [1, 4]), ("min", "1.1", [1, 4]), ("sum", "5", [1, 4]), ("avg", "7.5", [1, 3, 4]),
        ] as [(String, String, [Int64])])
    func hiddenField(_ backend: TestBackend, _ rule: (function: String, value: String, ids: [Int64])) async throws {
        let function = try #require(AggregateFunction(rawValue: rule.function))
        let condition = Filter.aggregate(
            of: "orders", .compare(Aggregate(function, "total"), .less, [.decimal(rule.value)]), .everything)
        let role = Role(
            "clerk",
            reads: ["customers": .init(where: condition), "orders": .init(fields: .except(["total"]))])
        try await SalesShop.with(backend, roles: [role]) { shop in
            let answer = try await shop.send("GET", "/customers", caller: ["sub": "ada", "role": "clerk"])
            #expect(try Self.identifiers(answer) == rule.ids, "\(answer.body)")
        }
    }

    @Test("An order and a filter by the least text use the collation of the column", arguments: TestBackend.available)
    func collation(_ backend: TestBackend) async throws {
        let collation = backend == .sqlite ? "NOCASE" : "utf8mb4_general_ci"
        let script =
            SalesShop.script.replacing("note VARCHAR(20)", with: "note VARCHAR(20) COLLATE \(collation)") + """

                UPDATE orders SET note = 'abc' WHERE id IN (10, 11); UPDATE orders SET note = 'B' WHERE id IN (12, 13);
                UPDATE orders SET note = 'C' WHERE id = 14; UPDATE orders SET note = 'd' WHERE id = 16;
                """
        try await WritableShop.with(backend, script: script, description: SalesShop.description) { shop in
            var path = "/customers?fields=id&sort=orders.note.min&first=1"
            var ids: [Int64] = []
            while !path.isEmpty {
                let page = try await shop.send("GET", path)
                ids += try Self.identifiers(page)
                path = page.headers.first(name: "Link").map { String($0.dropFirst().prefix { $0 != ">" }) } ?? ""
            }
            #expect(ids == [1, 2, 3, 4])
            let filter = #"{"orders":{"note":{"min":{"eq":"ABC"}}}}"#
                .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            let selected = try await shop.send("GET", "/customers?filter=\(filter ?? "")")
            #expect(try Self.identifiers(selected) == [1], "\(selected.body)")
        }
    }

    @Test("A text that is too long for a cursor makes an order by the least text fail, with the name of the field")
    func longText() async throws {
        let script =
            SalesShop.script + "UPDATE orders SET note = '\(String(repeating: "x", count: 12_000))' WHERE id = 12;"
        try await WritableShop.with(.sqlite, script: script, description: SalesShop.description) { shop in
            let answer = try await shop.send("GET", "/customers?fields=id&sort=orders.note.max&first=1")
            #expect(answer.status == 400 && answer.body.contains("orders.note has texts"), "\(answer.body)")
        }
    }

    @Test("A value that is not a number makes a comparison of the greatest number fail, with the name of the field")
    func mismatch() async throws {
        let script = SalesShop.script + "UPDATE orders SET total = 'abc' WHERE id = 12;"
        try await WritableShop.with(.sqlite, script: script, description: SalesShop.description) { shop in
            for path in [
                "/customers?sort=orders.total.max", "/orders?group=customerId&aggregate=total.max&sort=-total.max",
            ] {
                let answer = try await shop.send("GET", path)
                #expect(answer.body.contains("value-mismatch"), "\(path): \(answer.body)")
                #expect(answer.body.contains("total"), "\(path): \(answer.body)")
            }
        }
    }

    @Test(
        "An export with details cannot be sorted by an aggregate of a relation. A page can",
        arguments: TestBackend.available)
    func exports(_ backend: TestBackend) async throws {
        try await SalesShop.with(backend) { shop in
            let path = "/customers?details=orders&sort=-orders.count"
            let lines = ["Accept": "application/x-ndjson"]
            let refused = try await shop.server.send("GET", path, lines)
            #expect(refused.status == 400 && refused.body.contains("request a page with first"), "\(refused.body)")
            let page = try await shop.send("GET", path + "&first=2")
            #expect(try Self.identifiers(page) == [2, 1])
            let rows = try await shop.server.send("GET", "/customers?fields=id&sort=-orders.count", lines)
            #expect(rows.body.hasPrefix("{\"id\":2}\n{\"id\":1}\n"), "\(rows.body)")
        }
    }
}
