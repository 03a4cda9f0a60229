import DuetAPIDescription
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Relations between columns of different types") struct RelationMatrixTests {
    /// A table with a column for each type. The row with the number n has the value n of each column.
    private struct Columns {
        let definitions: [String]
        /// The SQL literals of each column's values.
        let values: [[String]]

        init(_ columns: [(String, [String])]) {
            definitions = columns.map(\.0)
            values = columns.map(\.1)
        }

        func script(_ table: String) -> String {
            let rows = (0..<(values.map(\.count).max() ?? 0)).map { row in
                "(\((["\(row)"] + values.map { row < $0.count ? $0[row] : "NULL" }).joined(separator: ", ")))"
            }
            let columns = definitions.enumerated().map { "c\($0) \($1)" }.joined(separator: ", ")
            return """
                CREATE TABLE \(table) (id INTEGER NOT NULL PRIMARY KEY, \(columns));
                INSERT INTO \(table) VALUES \(rows.joined(separator: ", "));

                """
        }
    }

    private static let mariaDB = Columns([
        ("INT", ["0", "1", "-1", "2024", "20240229", "16777217"]),
        ("TINYINT(1)", ["0", "1", "-1", "2", "1"]),
        ("BIGINT UNSIGNED", ["0", "1", "18446744073709551615", "9007199254740993", "9007199254740992"]),
        ("INT(5) ZEROFILL", ["0", "1", "42", "2024"]),
        ("BIT(8)", ["0", "1", "49", "255"]),
        ("BIT(64)", ["0", "1", "18446744073709551615", "49"]),
        ("YEAR", ["0", "2024", "1970", "2001"]),
        ("FLOAT", ["0", "0.1", "-0.0", "16777216", "1e-38", "1.1", "16777218", "0.1"]),
        ("DOUBLE", ["0", "0.1", "-0.0", "16777216", "1e300", "9007199254740993", "0.10000000149011612"]),
        ("DECIMAL(10,2)", ["0", "0.10", "1", "1.10", "-1", "2024"]),
        ("DECIMAL(30,10)", ["0", "0.1", "1", "9007199254740993", "9007199254740992", "18446744073709551615"]),
        ("DECIMAL(6,1) ZEROFILL", ["0", "0.1", "1", "1.1", "42"]),
        (
            "VARCHAR(30) COLLATE utf8mb4_general_ci",
            ["''", "'1'", "'a'", "'A '", "'0.1'", "'01'", "'é'", "'2024-02-29'", "'１'", "'70'", "'a'"]
        ),
        ("VARCHAR(30) COLLATE utf8mb4_nopad_bin", ["''", "'1'", "'a'", "'A '", "'0.10'", "' 1'", "'é'", "'1e0'"]),
        ("VARCHAR(30) CHARACTER SET latin1", ["''", "'1'", "'a'", "'A '", "'0.1'", "'é'", "'2024-02-29 00:00:00'"]),
        ("CHAR(10) COLLATE utf8mb4_nopad_bin", ["''", "'1'", "'a'", "'A'", "'a '", "'é'", "'1\t'"]),
        ("CHAR(10) COLLATE utf8mb4_unicode_ci", ["''", "'1'", "'a'", "'A'", "'a '", "'e'", "'true'"]),
        ("TEXT COLLATE utf8mb4_general_ci", ["''", "'1'", "'a'", "'A '", "'10:00:00'", "'2001'", "'a,b'"]),
        ("ENUM('1','0.1','a','2024')", ["'1'", "'0.1'", "'a'", "'2024'", "'1'"]),
        ("SET('1','a','b')", ["'1'", "'a,b'", "''", "'b'"]),
        ("DATE", ["'2024-02-29'", "'1970-01-01'", "'2001-01-01'"]),
        ("DATETIME(3)", ["'2024-02-29 00:00:00'", "'2024-02-29 10:00:00.5'", "'1970-01-02 00:00:00'"]),
        ("TIMESTAMP NULL", ["'2024-02-29 00:00:00'", "'2024-02-29 10:00:00'", "'1970-01-02 00:00:00'"]),
        ("TIME", ["'10:00:00'", "'00:00:00'", "'-10:00:00'", "'00:00:01'"]),
        ("BINARY(4)", ["'1'", "'a'", "''", "x'00'", "'A '"]),
        ("VARBINARY(20)", ["'1'", "'a'", "''", "x'61000000'", "'A '", "'é'"]),
        ("UUID", ["'123e4567-e89b-12d3-a456-426614174000'"]),
        ("INET6", ["'::1'", "'::ffff:1.2.3.4'"]),
        ("JSON", ["'1'", "'\"a\"'", "'{}'", "'0.1'"]),
    ])

    private static let sqlite = Columns([
        ("INTEGER", ["0", "1", "'a'", "0.5", "9007199254740993", "x'31'", "'1e400'", "1"]),
        ("REAL", ["0", "1", "0.5", "-0.0", "9007199254740993", "'a'", "1e999"]),
        ("NUMERIC", ["0", "1", "0.5", "'1.0'", "9007199254740993", "'a'", "'0x1'"]),
        ("TEXT", ["'0'", "'1'", "'a'", "'01'", "'1.0'", "'9007199254740993'", "x'61'", "'A'", "'0.5'"]),
        ("TEXT COLLATE NOCASE", ["'0'", "'1'", "'a'", "'01'", "'A'", "'É'", "'é'", "'a '"]),
        ("VARCHAR(9) COLLATE RTRIM", ["'0'", "'1'", "'a'", "'1 '", "'A'", "' 1'", "'a  '"]),
        ("BLOB", ["0", "1", "'1'", "x'31'", "1.0", "'a'", "x'61'", "9007199254740993", "0.5"]),
        ("", ["0", "'0'", "'1'", "1", "0.0", "'A'", "9007199254740992.0", "x'31'"]),
        ("BOOLEAN", ["0", "1", "2", "'true'"]),
        ("DATE", ["'2024-02-29'", "'2024'", "1", "'a'"]),
        ("DECIMAL(10,2)", ["0", "1.10", "0.5", "'1'", "'1.1'"]),
    ])

    @Test(
        "The related rows of columns of any two types are those of a join, over REST and GraphQL",
        arguments: TestBackend.available)
    func matrix(_ backend: TestBackend) async throws {
        let columns = backend == .sqlite ? Self.sqlite : Self.mariaDB
        let script = columns.script("masters") + columns.script("items")
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(script) }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let introspected = try IntrospectedDescription(of: schema).api.catalogue
            let pairs = columns.values.indices.flatMap { left in columns.values.indices.map { (left, $0) } }
            let forms: [(prefix: String, size: Relation.Size)] = [
                ("many", .many(pageSize: 20)), ("few", .few(typical: 3)), ("one", .one(isOptional: true)),
            ]
            func catalogue(_ pairs: [(Int, Int)]) throws -> Catalogue {
                let relations = pairs.flatMap { left, right in
                    forms.map { form in
                        Relation(
                            "\(form.prefix)\(left)x\(right)", to: "items", form.size,
                            on: [Relation.ColumnPair("c\(left)", "c\(right)")], description: "Rows.")
                    }
                }
                let resources = introspected.resources.map { resource in
                    var resource = resource
                    if resource.table == "masters" { resource.relations = relations }
                    return resource
                }
                return try Catalogue(resources, description: "Matrix")
            }
            // duet validate reports the pairs whose types are not comparable as errors, and the server refuses them.
            let findings = try APIDescription(catalogue(pairs)).validate(against: schema)
            let refused = Set(
                findings.filter { $0.kind == .relationColumns && $0.severity == .error }.compactMap(\.member))
            let served = pairs.filter { !refused.contains("many\($0)x\($1)") }
            #expect(served.count >= columns.values.count)
            let service = try OddService(schema, APIDescription(try catalogue(served)), database)
            for (left, right) in served {
                // With IS TRUE, SQLite cannot use an automatic index, which ignores some equal values.
                let expected = try await database.read { connection in
                    let rows = try connection.query(
                        "SELECT a.id, b.id FROM masters AS a JOIN items AS b ON (b.c\(right) = a.c\(left)) IS TRUE ORDER BY 1, 2"
                    )
                    var related: [String: [String]] = [:]
                    while try rows.next() {
                        guard case .integer(let above) = rows.value(at: 0), case .integer(let below) = rows.value(at: 1)
                        else { continue }
                        related["\(above)", default: []].append("{\"id\":\(below)}")
                    }
                    return related
                }
                let label = "\(columns.definitions[left]) = \(columns.definitions[right])"
                do {
                    try await service.check("\(left)x\(right)", expected, label)
                } catch {
                    Issue.record("\(label): \(error)")
                }
            }
        }
    }
}

extension OddService {
    /// Compares the related rows of three relations with those of a join.
    fileprivate func check(_ name: String, _ expected: [String: [String]], _ columns: String) async throws {
        let resource = try #require(catalogue["masters"])
        let forms = ["many", "few", "one"]
        let details = forms.flatMap { [("details", $0 + name), ("\($0)\(name).fields", "id")] }
        let some = #"{"few\#(name)":{"some":{"id":{"null":false}}}}"#
        let rows = try await get(resource, [("first", "1000"), ("fields", "id")] + details).elements
        for row in rows {
            let all = expected[RawJSON.member(row, "id")] ?? []
            for form in forms {
                let value = RawJSON.member(row, form + name)
                let found = form == "one" ? value == "null" ? [] : [value] : RawJSON.elements(value)
                if form == "one" {
                    #expect(
                        found.count == min(all.count, 1) && found.allSatisfy(all.contains), "\(columns): \(form) \(row)"
                    )
                } else {
                    #expect(found.sorted() == all.sorted(), "\(columns): \(form) \(row)")
                }
            }
        }
        let filtered = try await get(
            resource, [("first", "1000"), ("fields", "id"), ("count", "true"), ("filter", some)])
        #expect(
            filtered.elements.sorted() == expected.keys.map { "{\"id\":\($0)}" }.sorted(), "\(columns): filter")
        let nodes = try await query(
            "{ masters(first: 1000) { nodes { id m: many\(name)(first: 1) { nodes { id } totalCount } f: few\(name)(first: 1) { id } } } }"
        )
        for row in RawJSON.elements(RawJSON.member(nodes, "masters", "nodes")) {
            let all = expected[RawJSON.member(row, "id")] ?? []
            #expect(RawJSON.member(row, "m", "totalCount") == "\(all.count)", "\(columns): count \(row)")
            for list in [RawJSON.member(row, "m", "nodes"), RawJSON.member(row, "f")] {
                #expect(RawJSON.elements(list) == Array(all.prefix(1)), "\(columns): first \(row)")
            }
        }
        // One of the rows is enough, because it is another one for each pair of columns.
        if let row = rows.dropFirst(name.utf8.reduce(0) { $0 + Int($1) } % rows.count).first {
            let id = RawJSON.member(row, "id")
            let list = try await get(
                resource, key: [id], relation: "many" + name, [("first", "1000"), ("fields", "id")])
            #expect(list.elements == expected[id] ?? [], "\(columns): path of \(row)")
        }
    }
}
