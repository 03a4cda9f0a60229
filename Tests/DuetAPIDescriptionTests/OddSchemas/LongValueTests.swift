import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import TestSupport
import Testing

/// Lists that are sorted by long values. MariaDB compares only the beginning of a value when it sorts rows, and a
/// cursor cannot contain a long value.
@Suite("Orders by long values") struct LongValueTests {
    fileprivate struct Case: Sendable, CustomTestStringConvertible {
        let backend: TestBackend
        /// The number of bytes that all values have in common.
        let length: Int

        var testDescription: String { "\(backend), \(length) bytes" }

        static let all = TestBackend.available.flatMap { backend in
            [10, 600, 7_000, 200_000].map { Case(backend: backend, length: $0) }
        }
    }

    /// Twenty rows in two folders. Every fifth row has no text, and two rows have the same text.
    private static func script(_ one: Case) -> String {
        let isMariaDB = one.backend == .mariaDB
        let prefix =
            isMariaDB
            ? "REPEAT('x', \(one.length))" : "replace(hex(zeroblob(\(one.length / 2))), '0', 'x')"
        func value(_ end: String) -> String { isMariaDB ? "CONCAT(\(prefix), '\(end)')" : "\(prefix) || '\(end)'" }
        let rows = (1...20).map { id in
            let end = String(100 + id * 7 % 20 / 2)
            let body = id.isMultiple(of: 5) ? "NULL" : value(end)
            return "INSERT INTO docs VALUES (\(id), \(id % 2 + 1), \(body));"
        }
        return """
            CREATE TABLE folders (id INTEGER PRIMARY KEY);
            INSERT INTO folders VALUES (1), (2);
            CREATE TABLE docs (id INTEGER PRIMARY KEY, folder_id INTEGER NOT NULL, body \(isMariaDB ? "LONGTEXT" : "TEXT"),
              FOREIGN KEY (folder_id) REFERENCES folders (id));
            \(rows.joined(separator: "\n"))
            """
    }

    private static func ids(_ elements: [String]) -> [Int] {
        elements.compactMap { Int(RawJSON.text(RawJSON.members($0).first { $0.name == "id" }?.value ?? "")) }
    }

    @Test("The pages of a list contain each row once, in the order of the whole list", arguments: Case.all)
    fileprivate func pages(_ one: Case) async throws {
        try await OddService.with(one.backend, Self.script(one)) { service in
            let docs = try #require(service.catalogue["docs"])
            for sort in ["body", "-body", "folderId,-body"] {
                let query: RESTStyle.Query = [("fields", "id"), ("sort", sort)]
                let whole = Self.ids(try await service.get(docs, query).elements)
                #expect(Set(whole) == Set(1...20), "\(sort)")
                for size in [1, 3, 7] {
                    #expect(Self.ids(try await service.pages(docs, query, size: size)) == whole, "\(sort) \(size)")
                }
            }
            // The texts differ in the last three characters. Texts that MariaDB compares as a whole are in their order.
            if one.backend == .sqlite || one.length < 255 {
                let sorted = Self.ids(try await service.get(docs, [("fields", "id"), ("sort", "body")]).elements)
                let ends = sorted.dropFirst(4).map { $0 * 7 % 20 / 2 }
                #expect(sorted.prefix(4).allSatisfy { $0.isMultiple(of: 5) } && ends == ends.sorted())
            }
        }
    }

    @Test("The pages of nested lists contain each row once over GraphQL and REST", arguments: Case.all)
    fileprivate func nested(_ one: Case) async throws {
        try await OddService.with(one.backend, Self.script(one)) { service in
            let folders = try #require(service.catalogue["folders"])
            for folder in ["1", "2"] {
                let expected = Set((1...20).filter { String($0 % 2 + 1) == folder })
                let found = Self.ids(
                    try await service.pages(
                        folders, key: [folder], relation: "docs", [("fields", "id"), ("sort", "-body")], size: 3))
                #expect(found.count == 10 && Set(found) == expected)
                var (ids, cursor): ([Int], String?) = ([], "")
                while let after = cursor {
                    let text = after.isEmpty ? "" : ", after: \"\(after)\""
                    let data = try JSONValue(
                        parsing: try await service.query(
                            "{ folder(id: \(folder)) { docs(first: 3, orderBy: [{field: BODY}]\(text)) { nodes { id } pageInfo { hasNextPage endCursor } } } }"
                        ).utf8)
                    let list = data["folder"]?["docs"]
                    if case .array(let nodes)? = list?["nodes"] {
                        ids += nodes.compactMap { if case .integer(let id)? = $0["id"] { Int(id) } else { nil } }
                    }
                    cursor = nil
                    if list?["pageInfo"]?["hasNextPage"] == true,
                        case .string(let end)? = list?["pageInfo"]?["endCursor"]
                    {
                        #expect(end.utf8.count < 8_192)
                        cursor = end
                    }
                }
                #expect(ids.count == 10 && Set(ids) == expected)
            }
        }
    }

    @Test(
        "Rows with long texts as keys are in the pages of a list once", arguments: TestBackend.available)
    func keys(backend: TestBackend) async throws {
        let prefix = backend == .mariaDB ? "REPEAT('é', 600)" : "replace(hex(zeroblob(3500)), '0', 'é')"
        let type = backend == .mariaDB ? "VARCHAR(700)" : "TEXT"
        let values = (0..<12).map { number in
            backend == .mariaDB
                ? "(CONCAT(\(prefix), '\(100 + number)'), \(number))" : "(\(prefix) || '\(100 + number)', \(number))"
        }
        let script = """
            CREATE TABLE words (word \(type) PRIMARY KEY NOT NULL, n INTEGER NOT NULL);
            INSERT INTO words VALUES \(values.joined(separator: ", "));
            """
        try await OddService.with(backend, script) { service in
            let words = try #require(service.catalogue["words"])
            for sort in ["word", "-word"] {
                let query: RESTStyle.Query = [("fields", "n"), ("sort", sort)]
                let whole = try await service.get(words, query).elements
                #expect(Set(whole).count == 12)
                for size in [1, 5] { #expect(try await service.pages(words, query, size: size) == whole) }
            }
        }
    }

    @Test("If the row of a cursor with a long value has changed or was deleted in SQLite, the cursor is invalid")
    func changed() async throws {
        try await OddService.withWriter(.sqlite, Self.script(Case(backend: .sqlite, length: 7_000))) {
            service, writer in
            let docs = try #require(service.catalogue["docs"])
            let query: RESTStyle.Query = [("fields", "id"), ("sort", "body"), ("first", "7")]
            let first = try await service.get(docs, query)
            let next = try #require(first.next)
            let last = try #require(Self.ids(first.elements).last)
            #expect(Self.ids(try await service.get(docs, query + [("after", next)]).elements).count == 7)
            for statement in [
                "UPDATE docs SET body = body || '!' WHERE id = \(last)", "DELETE FROM docs WHERE id = \(last)",
            ] {
                try await writer.write { try $0.executeScript(statement) }
                let error = await #expect(throws: ServiceError.self) {
                    try await service.get(docs, query + [("after", next)])
                }
                #expect(error?.code == .invalidCursor && error?.parameter == "after")
                #expect(error?.detail.contains("has changed or was deleted") == true)
            }
        }
    }
}
