import DuetJSON
import DuetSQLDatabase
import ProcessTesting
import SeededTesting
import TestSupport
import Testing

@Suite("Random groups and aggregates") struct RandomGroupTests {
    @Test(
        "Random requests over REST and GraphQL return the groups of an exact evaluation in memory, on all pages",
        arguments: TestBackend.available)
    func requests(_ backend: TestBackend) async throws {
        try await WritableShop.with(
            backend, script: RandomSales.tables(backend), description: RandomSales.description
        ) { shop in
            for seed in TestScale.seeds(4) {
                var random = SplitMix64(seed: seed &+ 3_000)
                let sales = RandomSales(&random)
                try await shop.database.write { [script = sales.inserts(backend)] in try $0.executeScript(script) }
                for number in 0..<12 {
                    let groups = RandomGroups(&random)
                    let name = "seed \(seed), request \(number), \(backend)"
                    await #expect(throws: Never.self, "\(name)") {
                        try await Self.compare(groups, groups.groups(of: sales), shop, name)
                    }
                }
                try await Self.comparePlainSQL(shop, backend, "seed \(seed), \(backend)")
            }
        }
    }

    /// Compares the responses of both styles with the groups in memory.
    private static func compare(
        _ request: RandomGroups, _ expected: [ExpectedGroup], _ shop: WritableShop, _ name: String
    ) async throws {
        let answer = try await shop.send("GET", request.path)
        #expect(answer.status == 200, "\(name): \(request.path) \(answer.body)")
        guard !request.keys.isEmpty else {
            check([try answer.json], expected, request, "\(name): \(request.path) \(answer.body)")
            let document = request.document()
            let data = try await shop.execute(document)
            let found = flat(data["data"]?["salesAggregate"] ?? .null, request)
            return check([found], expected, request, "\(name): \(document) \(data)")
        }
        check(answer.elements, expected, request, "\(name): \(request.path) \(answer.body.prefix(500))")
        let pages = try await shop.pages("\(request.path)&count=true", size: request.size)
        check(pages, expected, request, "\(name): pages of \(request.size), \(request.path)")
        var nodes: [JSONValue] = []
        var after: String?
        repeat {
            let document = request.document(after: after)
            let data = try await shop.execute(document)
            let page = data["data"]?["salesGroups"] ?? .null
            guard case .array(let elements)? = page["nodes"] else {
                return #expect(data == [:], "\(name): \(document)")
            }
            #expect(page["totalCount"] == .integer(Int64(expected.count)), "\(name): \(document)")
            nodes += elements.map { flat($0, request) }
            after = nil
            if page["pageInfo"]?["hasNextPage"] == true, case .string(let cursor)? = page["pageInfo"]?["endCursor"] {
                after = cursor
            }
        } while after != nil && nodes.count <= expected.count
        check(nodes, expected, request, "\(name): \(request.document())")
    }

    /// Returns the object of a group in GraphQL with the names of REST.
    private static func flat(_ group: JSONValue, _ request: RandomGroups) -> JSONValue {
        func member(_ path: [String]) -> JSONValue {
            path.reduce(group) { value, name in value[name] ?? .string("no member \(name)") }
        }
        let keys = request.keys.map { (key: $0.name, value: member(["key"] + $0.members)) }
        let aggregates = request.aggregates.map {
            (key: $0.name, value: member($0.name.split(separator: ".").map(String.init)))
        }
        return .object(JSONObject(keys + aggregates))
    }

    private static func check(
        _ found: [JSONValue], _ expected: [ExpectedGroup], _ request: RandomGroups, _ name: @autoclosure () -> String
    ) {
        var differences = found.count == expected.count ? [] : ["\(found.count) instead of \(expected.count) groups"]
        for (index, (group, wanted)) in zip(found, expected).enumerated() {
            for (member, value) in wanted.members where !request.isEqual(member, group[member], value) {
                differences.append("\(index): \(member) \(group[member]?.compactText ?? "") for \(value.compactText)")
            }
        }
        if !differences.isEmpty { Issue.record("\(name()): \(differences.prefix(5))") }
    }

    // MARK: Plain SQL

    /// Compares aggregates whose plain SQL is exact in both databases.
    private static func comparePlainSQL(_ shop: WritableShop, _ backend: TestBackend, _ name: String) async throws {
        var aggregates = [
            "count": "COUNT(*)", "n.count": "COUNT(n)", "n.sum": "SUM(n)", "n.min": "MIN(n)", "n.max": "MAX(n)",
            "n.countDistinct": "COUNT(DISTINCT n)", "note.countDistinct": "COUNT(DISTINCT note)",
            "code.max": "MAX(code)", "flag.sum": "SUM(flag = 1)", "tm.min": "MIN(tm)",
            "day.countDistinct": "COUNT(DISTINCT day)",
        ]
        if backend == .mariaDB {
            aggregates.merge(["price.sum": "SUM(price)", "big.sum": "SUM(big)", "wide.max": "MAX(wide)"]) { $1 }
        }
        let names = aggregates.keys.sorted()
        for key in ["n", "flag", "code", "tm", "day", "size"] {
            let text = backend == .mariaDB && key == "size" ? "CONCAT(size)" : key
            let sql = """
                SELECT \(([text] + names.map { aggregates[$0] ?? "" }).joined(separator: ", ")) FROM sales
                GROUP BY \(text) ORDER BY \(text)
                """
            let rows = try await shop.database.read { try $0.query(sql).rows() }
            let answer = try await shop.send("GET", "/sales?group=\(key)&aggregate=\(names.joined(separator: ","))")
            let found = answer.elements.map { group in
                ([key] + names).map { Self.text(group[$0] ?? .string("none"), $0) }
            }
            let expected = rows.map { row in zip([key] + names, row).map { Self.text($1, $0) } }
            #expect(found == expected, "\(name): \(sql)")
        }
    }

    private static func text(_ value: JSONValue, _ name: String) -> String {
        switch value {
        case .null: name == "flag.sum" ? "0" : "NULL"
        case .bool(let bool): bool ? "1" : "0"
        case .string(let text): text
        default: value.compactText
        }
    }

    private static func text(_ value: SQLValue, _ name: String) -> String {
        switch value {
        // The sum of no Booleans is 0.
        case .null: name == "flag.sum" ? "0" : "NULL"
        case .integer(let integer): "\(integer)"
        case .text(let text): text
        case .date(let date): "\(date)"
        case .double(let double): "\(double)"
        default: "\(value)"
        }
    }
}
