import DuetAPIDescription
import DuetGraphQL
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import Testing

/// Comparisons of the results over REST and GraphQL with the results of plain SQL.
extension OddService {
    /// Reads every table completely in all formats.
    /// - Returns: The objects of each table, in the order of the REST response.
    func checkTables() async throws -> [String: [String]] {
        var all: [String: [String]] = [:]
        for resource in catalogue.resources {
            let plain = plain(resource)
            let expected = try await service.database.read { try plain.rows($0) }
            let list = try await get(resource, [("first", "1000")]).elements
            all[resource.name] = list
            #expect(list.sorted() == expected.sorted(), "\(resource.name) as an array")
            let lines = try await get(resource, [], .ndjson).body.split(separator: "\n").map(String.init)
            #expect(lines == list, "\(resource.name) as NDJSON")
            let csv = try await get(resource, [], .csv).body
            #expect(csv == Self.csv(resource, list), "\(resource.name) as CSV")
            try await checkGraphQL(resource, list)
            guard resource.hasKey else { continue }
            #expect(try await pages(resource, size: 2) == list, "\(resource.name) in pages")
            for object in list {
                let key = key(resource, object)
                #expect(try await get(resource, key: key).body == object, "\(resource.name) by \(key)")
            }
        }
        return all
    }

    private static func selection(_ resource: Resource) -> String {
        resource.fields.map(\.name).joined(separator: " ")
    }

    private func checkGraphQL(_ resource: Resource, _ list: [String]) async throws {
        let fields = Self.selection(resource)
        let nodes = try await query("{ \(resource.name)(first: 1000) { nodes { \(fields) } totalCount } }")
        #expect(RawJSON.elements(RawJSON.member(nodes, resource.name, "nodes")) == list, "\(resource.name) as nodes")
        #expect(RawJSON.member(nodes, resource.name, "totalCount") == "\(list.count)")
        guard resource.hasKey else { return }
        let edges = try await query("{ \(resource.name)(first: 1000) { edges { cursor node { \(fields) } } } }")
        let found = RawJSON.elements(RawJSON.member(edges, resource.name, "edges"))
        #expect(found.map { RawJSON.member($0, "node") } == list, "\(resource.name) as edges")
        // With the cursor of a row as `after`, a request returns the next row of the list.
        let cursors = found.map { RawJSON.member($0, "cursor") }
        for start in stride(from: 0, to: cursors.count, by: 50) {
            let part = start..<min(start + 50, cursors.count)
            let after = part.map { "r\($0): \(resource.name)(first: 1, after: \(cursors[$0])) { nodes { \(fields) } }" }
            let rows = try await query("{ \(after.joined(separator: " ")) }")
            for index in part {
                let next = RawJSON.elements(RawJSON.member(rows, "r\(index)", "nodes"))
                #expect(next == Array(list.dropFirst(index + 1).prefix(1)), "\(resource.name) after row \(index)")
            }
            guard resource.hasItems else { continue }
            let items = try await query(
                "{ \(part.map { "r\($0): \(item(resource, list[$0], fields))" }.joined(separator: " ")) }")
            for index in part {
                #expect(RawJSON.member(items, "r\(index)") == list[index], "\(resource.name) item \(index)")
            }
        }
    }

    /// Returns the objects as CSV.
    private static func csv(_ resource: Resource, _ objects: [String]) -> String {
        let lines = objects.map { object in
            RawJSON.members(object).map { member in
                guard member.value != "null" else { return "" }
                let text =
                    member.value.hasPrefix("\"") && !isJSON(resource, member.name)
                    ? RawJSON.text(member.value) : member.value
                let isQuoted =
                    text.isEmpty || " \t".utf8.contains { $0 == text.utf8.first || $0 == text.utf8.last }
                    || text.utf8.starts(with: "\u{FEFF}".utf8)
                    || text.utf8.contains { [0x0A, 0x0D, 0x22, 0x2C].contains($0) }
                return isQuoted ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
            }.joined(separator: ",")
        }
        return ([resource.fields.map(\.name).joined(separator: ",")] + lines)
            .map { ($0.isEmpty ? "\"\"" : $0) + "\r\n" }.joined()
    }

    private static func isJSON(_ resource: Resource, _ name: String) -> Bool { resource.field(name)?.type == .json }

    // MARK: Relations

    /// Reads the rows of each relation of each row, over REST and GraphQL.
    func checkRelations() async throws {
        for resource in catalogue.resources {
            for relation in resource.relations {
                guard let target = catalogue[relation.target] else { continue }
                let expected = try await related(resource, relation, target)
                let parents = try await get(resource, [("first", "1000")]).elements
                try await checkREST(resource, relation, target, parents, expected)
                try await checkGraphQL(resource, relation, target, parents, expected)
                try await checkItems(resource, relation, target, parents, expected)
            }
        }
    }

    /// Reads all rows of a relation with one join, and returns them by their parent row.
    private func related(_ resource: Resource, _ relation: Relation, _ target: Resource) async throws -> [String:
        [String]]
    {
        let (above, below) = (plain(resource), plain(target))
        var from = "\(above.name) AS a"
        var previous = "a"
        func on(_ pairs: [Relation.ColumnPair], _ alias: String, _ previous: String) -> String {
            pairs.map { pair in
                let collation = pair.collation.map { " COLLATE \($0)" } ?? ""
                return "\(alias).\(SQLIdentifier.quoted(pair.to))\(collation)"
                    + " = \(previous).\(SQLIdentifier.quoted(pair.from))"
            }.joined(separator: " AND ")
        }
        for (index, join) in relation.joins.enumerated() {
            from +=
                " JOIN \(SQLIdentifier.quoted(join.table)) AS j\(index) ON \(on(join.columns, "j\(index)", previous))"
            previous = "j\(index)"
        }
        from += " JOIN \(below.name) AS b ON \(on(relation.columns, "b", previous))"
        // Equal rows of a table without a key have the same related rows.
        let distinct = resource.hasKey ? "" : "DISTINCT "
        let sql = "SELECT \(distinct)\(above.list("a")), \(below.list("b")) FROM \(from)"
        return try await service.database.read { connection in
            var related: [String: [String]] = [:]
            let rows = try connection.query(sql)
            while try rows.next() {
                related[above.object(rows), default: []].append(below.object(rows, from: resource.fields.count))
            }
            return related
        }
    }

    /// Returns an object without its relations.
    private static func fields(of object: String, _ resource: Resource) -> String {
        let members = RawJSON.members(object).prefix(resource.fields.count)
        return "{\(members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ","))}"
    }

    /// Returns true if a list has exactly the expected rows. For a to-one relation, one of the expected rows is enough.
    private static func isSame(_ found: [String], _ expected: [String], _ relation: Relation) -> Bool {
        relation.isToMany
            ? found.sorted() == expected.sorted()
            : found.count == min(expected.count, 1) && found.allSatisfy(expected.contains)
    }

    private func checkREST(
        _ resource: Resource, _ relation: Relation, _ target: Resource, _ parents: [String],
        _ expected: [String: [String]]
    ) async throws {
        let name = relation.name
        var query: RESTStyle.Query = [
            ("first", "1000"), ("details", name), ("\(name).fields", target.fields.map(\.name).joined(separator: ",")),
        ]
        if relation.isToMany { query.append(("\(name).first", "1000")) }
        let rows = try await get(resource, query).elements
        #expect(rows.count == parents.count)
        for row in rows {
            let (parent, value) = (Self.fields(of: row, resource), RawJSON.member(row, name))
            let found = relation.isToMany ? RawJSON.elements(value) : value == "null" ? [] : [value]
            #expect(
                Self.isSame(found, expected[parent] ?? [], relation), "\(resource.name).\(name) of \(parent) over REST")
        }
        // `or` without elements is false for every row.
        let every = #"{"not":{"or":[]}}"#
        let some = relation.isToMany ? #"{"\#(name)":{"some":\#(every)}}"# : #"{"\#(name)":\#(every)}"#
        let withRows = try await get(resource, [("first", "1000"), ("count", "true"), ("filter", some)])
        let wanted = parents.filter { expected[$0] != nil }
        #expect(withRows.elements.sorted() == wanted.sorted(), "\(resource.name) with \(name)")
        #expect(withRows.totalCount == Int64(wanted.count), "the number of \(resource.name) with \(name)")
    }

    private func checkGraphQL(
        _ resource: Resource, _ relation: Relation, _ target: Resource, _ parents: [String],
        _ expected: [String: [String]]
    ) async throws {
        let (name, fields) = (relation.name, Self.selection(target))
        let below =
            switch relation.size {
            case .one: "\(Self.selection(resource)) \(name) { \(fields) }"
            case .few: "\(Self.selection(resource)) \(name)(first: 2) { \(fields) }"
            case .many:
                "\(Self.selection(resource)) \(name)(first: 2) { nodes { \(fields) } totalCount pageInfo { hasNextPage } }"
            }
        let rows = RawJSON.elements(
            RawJSON.member(
                try await query("{ \(resource.name)(first: 1000) { nodes { \(below) } } }"), resource.name, "nodes"))
        #expect(rows.count == parents.count)
        for row in rows {
            let (parent, value) = (Self.fields(of: row, resource), RawJSON.member(row, name))
            let all = expected[parent] ?? []
            let found =
                switch relation.size {
                case .one: value == "null" ? [] : [value]
                case .few: RawJSON.elements(value)
                case .many: RawJSON.elements(RawJSON.member(value, "nodes"))
                }
            #expect(
                found.count == min(all.count, relation.isToMany ? 2 : 1),
                "\(resource.name).\(name) of \(parent) over GraphQL")
            #expect(found.allSatisfy(all.contains), "\(resource.name).\(name) of \(parent) over GraphQL")
            if case .many = relation.size {
                #expect(RawJSON.member(value, "totalCount") == "\(all.count)", "\(resource.name).\(name) of \(parent)")
                #expect(RawJSON.member(value, "pageInfo", "hasNextPage") == "\(all.count > 2)")
            }
        }
    }

    /// Reads the related rows of each row with separate requests: over GraphQL, in the REST response for the row, as
    /// one page, and in pages of one related row.
    private func checkItems(
        _ resource: Resource, _ relation: Relation, _ target: Resource, _ parents: [String],
        _ expected: [String: [String]]
    ) async throws {
        guard resource.hasItems else { return }
        let (name, fields) = (relation.name, Self.selection(target))
        let below =
            if case .many = relation.size { "\(name)(first: 1000) { nodes { \(fields) } totalCount }" } else {
                "\(name) { \(fields) }"
            }
        for parent in parents {
            let all = expected[parent] ?? []
            let key = key(resource, parent)
            let value = RawJSON.member(try await query("{ r: \(item(resource, parent, below)) }"), "r", name)
            let found =
                switch relation.size {
                case .one: value == "null" ? [] : [value]
                case .few: RawJSON.elements(value)
                case .many: RawJSON.elements(RawJSON.member(value, "nodes"))
                }
            #expect(Self.isSame(found, all, relation), "\(name) of \(resource.singular) \(key) over GraphQL")
            let detail = try await get(
                resource, key: key,
                [("details", name), ("\(name).fields", target.fields.map(\.name).joined(separator: ","))]
            ).body
            let attached = RawJSON.member(detail, name)
            let shown = relation.isToMany ? RawJSON.elements(attached) : attached == "null" ? [] : [attached]
            #expect(
                Self.isSame(shown, all, relation) || shown.count == 20 && shown.allSatisfy(all.contains),
                "\(name) of \(resource.singular) \(key)")
            guard relation.isToMany else { continue }
            let list: RESTStyle.Query = [("fields", target.fields.map(\.name).joined(separator: ","))]
            #expect(
                try await get(resource, key: key, relation: name, list + [("first", "1000")]).elements.sorted()
                    == all.sorted(),
                "/\(resource.name)/\(key)/\(name)")
            if target.hasKey {
                #expect(
                    try await pages(resource, key: key, relation: name, list, size: 1).sorted() == all.sorted(),
                    "/\(resource.name)/\(key)/\(name) in pages")
            }
        }
    }

    // MARK: Orders and filters

    /// Reads all pages in the order of each field, in both directions, over REST.
    /// - Parameters:
    ///   - sizes: The numbers of rows on a page.
    ///   - isChecked: Returns false for a field that is not checked.
    func checkOrders(
        sizes: [Int] = [2], where isChecked: (Resource, DuetResourceService.Field) -> Bool = { _, _ in true }
    ) async throws {
        for resource in catalogue.resources where resource.hasKey {
            let list = try await get(resource, [("first", "1000")]).elements
            for name in resource.sortFields {
                guard let field = resource.field(name), isChecked(resource, field) else { continue }
                for direction in ["", "-"] {
                    let sorted = try await get(resource, [("first", "1000"), ("sort", direction + name)]).elements
                    #expect(sorted.sorted() == list.sorted())
                    // A cursor contains the sort values even if the response does not contain them.
                    for query in [[], [(name: "fields", value: resource.key.joined(separator: ","))]] {
                        let whole =
                            query.isEmpty
                            ? sorted
                            : try await get(resource, query + [("first", "1000"), ("sort", direction + name)]).elements
                        for size in sizes {
                            let pages = try await pages(resource, query + [("sort", direction + name)], size: size)
                            #expect(pages == whole, "\(resource.name) by \(direction)\(name) in pages of \(size)")
                        }
                    }
                    let plain = plain(resource)
                    let wrong = try await service.database.read { connection in
                        // The order agrees with the comparison in SQL: in ascending order, a row with a smaller value
                        // precedes a row with a larger value. In descending order, it follows.
                        let rows = try connection.query(
                            "SELECT \(plain.list("a")), \(plain.list("b")) FROM \(plain.name) AS a JOIN \(plain.name) AS b ON \(plain.ordered(field, "a")) < \(plain.ordered(field, "b"))"
                        )
                        var places: [String: Int] = [:]
                        for (place, object) in sorted.enumerated() { places[object] = place }
                        var wrong: [String] = []
                        while try rows.next() {
                            let (less, greater) = (plain.object(rows), plain.object(rows, from: resource.fields.count))
                            guard let first = places[less], let second = places[greater], less != greater else {
                                continue
                            }
                            if (first < second) != direction.isEmpty { wrong.append("\(less) \(greater)") }
                        }
                        return wrong
                    }
                    #expect(wrong == [], "\(resource.name) by \(direction)\(name)")
                }
            }
        }
    }

    /// Filters by each field with the value of each row, and compares the results with those of a join.
    /// - Parameter isChecked: Returns false for a field that is not checked.
    func checkFilters(where isChecked: (Resource, DuetResourceService.Field) -> Bool = { _, _ in true }) async throws {
        for resource in catalogue.resources {
            let plain = plain(resource)
            let list = try await get(resource, [("first", "1000")]).elements
            for field in resource.fields where isChecked(resource, field) {
                let values = list.map { (object: $0, value: RawJSON.member($0, field.name)) }
                let nulls = Set(values.filter { $0.value == "null" }.map(\.object))
                if case .text = field.type {
                    let found = try await get(resource, [("first", "1000"), ("\(field.name).like", "*")]).elements
                    let expected = list.filter { !nulls.contains($0) }
                    #expect(found.sorted() == expected.sorted(), "\(resource.name) with any \(field.name)")
                }
                // `eq` and `in` have the same join.
                var joins: [String: [String: Set<String>]] = [:]
                for comparison in [(Comparison.equal, "="), (.less, "<"), (.greaterOrEqual, ">="), (.in, "=")]
                where comparison.0.isPossible(field.type) {
                    let expected =
                        if let known = joins[comparison.1] { known } else {
                            try await pairs(plain, field, comparison.1)
                        }
                    joins[comparison.1] = expected
                    var seen: Set<String> = []
                    for (object, value) in values {
                        guard value != "null", seen.insert(value).inserted else { continue }
                        let operand = comparison.0 == .in ? "[\(value)]" : value
                        let filter = "{\"\(field.name)\":{\"\(comparison.0.rawValue)\":\(operand)}}"
                        let found = try await get(resource, [("first", "1000"), ("filter", filter)]).elements
                        // The join also finds zero dates. Responses show them as null. A filter treats only the date
                        // 0000-00-00 as null. A filter also compares a value that responses show as null because it
                        // does not fit its type.
                        let isShown = { (row: String) in !nulls.contains(row) }
                        let shown =
                            schema.dialect == .mariaDB || field.nullifiesMismatches ? found.filter(isShown) : found
                        #expect(
                            Set(shown) == (expected[object] ?? []).filter(isShown), "\(resource.name) with \(filter)")
                    }
                }
            }
        }
    }

    /// Compares the rows of a table by a field, and returns the rows on the left side of the operator, keyed by the row
    /// on the right side.
    private func pairs(
        _ plain: PlainTable, _ field: DuetResourceService.Field, _ comparison: String
    ) async throws -> [String: Set<String>] {
        try await service.database.read { connection in
            var pairs: [String: Set<String>] = [:]
            let rows = try connection.query(
                "SELECT \(plain.list("a")), \(plain.list("b")) FROM \(plain.name) AS a JOIN \(plain.name) AS b ON \(plain.ordered(field, "b")) \(comparison) \(plain.ordered(field, "a"))"
            )
            while try rows.next() {
                pairs[plain.object(rows), default: []].insert(
                    plain.object(rows, from: plain.resource.fields.count))
            }
            return pairs
        }
    }
}

extension Comparison {
    /// Returns true if a field of the type supports the comparison.
    fileprivate func isPossible(_ type: FieldType) -> Bool {
        switch type {
        case .json, .any: false
        case .boolean: self == .equal
        case .choice, .uuid, .binary: self == .equal || self == .in
        default: true
        }
    }
}
