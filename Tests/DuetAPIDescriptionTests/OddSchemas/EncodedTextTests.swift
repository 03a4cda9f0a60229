import DuetAPIDescription
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

/// Columns of bytes that contain texts, such as the titles of MediaWiki.
@Suite("Texts in columns of bytes") struct EncodedTextTests {
    private static func bytes(_ text: String) -> String {
        "x'\(text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
    }

    /// Titles in the order of their bytes.
    private static let titles = [
        "", " x ", "A_(B)", "Main_Page", "X_%|\\*", "Zürich", "a\"b,c", "a/b", "main_Page", "zurich", "zürich", "é",
        "漢字",
        "🙂",
    ]

    /// Tables of the shape of MediaWiki.
    private static var script: String {
        var script = """
            CREATE TABLE page (page_id INTEGER NOT NULL PRIMARY KEY, page_namespace INTEGER NOT NULL,
                page_title VARBINARY(255) NOT NULL, page_touched BINARY(14) NOT NULL, page_content_model VARBINARY(32),
                props BLOB, UNIQUE (page_namespace, page_title));
            CREATE TABLE category (cat_title VARBINARY(255) NOT NULL PRIMARY KEY, cat_pages INTEGER NOT NULL);
            CREATE TABLE categorylinks (cl_from INTEGER NOT NULL, cl_to VARBINARY(255) NOT NULL, cl_label VARCHAR(40),
                PRIMARY KEY (cl_from, cl_to));

            """
        for (index, title) in titles.enumerated() {
            let (model, props) = index % 3 == 0 ? ("NULL", "NULL") : (bytes("wikitext"), bytes(#"{ "n" : \#(index) }"#))
            script += """
                INSERT INTO page VALUES (\(index), \(index % 2), \(bytes(title)), \(bytes("202401311234\(10 + index)")), \(model), \(props));
                INSERT INTO categorylinks VALUES (\(index), \(bytes(titles[index / 3 + 4])), NULL), (\(index), \(bytes("none")), 'none');

                """
        }
        for title in titles { script += "INSERT INTO category VALUES (\(bytes(title)), 1);\n" }
        return script
    }

    private static let description = """
        duet: 1
        resources:
          pages:
            table: page
            singular: page
            type: Page
            key: [namespace, title]
            fields:
              id: {column: page_id, type: int}
              namespace: {column: page_namespace, type: int}
              title: {column: page_title, type: text, charset: utf8, maxLength: 255}
              touched: {column: page_touched, type: key, charset: utf8, maxLength: 14}
              model: {column: page_content_model, type: enum, name: Model, values: [wikitext, javascript], charset: utf8, nullable: true}
              props: {type: json, charset: utf8, nullable: true}
            sort: [title, touched, model]
            relations:
              links: {to: links, many: 20, columns: {page_id: cl_from}}
          links:
            table: categorylinks
            singular: link
            type: Link
            key: [page, category]
            fields:
              page: {column: cl_from, type: int}
              category: {column: cl_to, type: text, charset: utf8}
            hidden: [cl_label]
            relations:
              target: {to: categories, one: optional, columns: {cl_to: cat_title}}
          categories:
            table: category
            singular: category
            type: Category
            key: [title]
            fields:
              title: {column: cat_title, type: text, charset: utf8}
              pages: {column: cat_pages, type: int}
            sort: [title]
            relations:
              links: {to: links, many: 20, columns: {cat_title: cl_to}}
              pageRows: {to: pages, many: 20, through: [{table: categorylinks, columns: {cat_title: cl_to}}], columns: {cl_from: page_id}}
        """

    private static func with<Value>(
        _ backend: TestBackend, _ script: String, _ description: String, _ body: (OddService) async throws -> Value
    ) async throws -> Value {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(script) }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let api = try APIDescription(reading: description, file: "api.yaml")
            return try await body(try OddService(schema, api, database))
        }
    }

    @Test(
        "Texts, filters, orders, keys, cursors and relations of MediaWiki's tables are those of plain SQL",
        arguments: TestBackend.available)
    func mediaWiki(backend: TestBackend) async throws {
        try await Self.with(backend, Self.script, Self.description) { service in
            #expect(try await service.dataFindings() == [])
            let api = APIDescription(service.catalogue)
            #expect(api.validate(against: service.schema).allSatisfy { $0.severity != .error })
            #expect(
                try APIDescription(reading: api.yaml, file: "api.yaml").catalogue.resources
                    == service.catalogue.resources)
            _ = try await service.checkTables()
            try await service.checkRelations()
            try await service.checkOrders()
            try await service.checkFilters()
            let categories = try #require(service.catalogue["categories"])
            let sorted = try await service.get(categories, [("sort", "title"), ("fields", "title")]).elements
            #expect(sorted == Self.titles.map { #"{"title":\#(RawJSON.string($0))}"# })
            for (pattern, count) in [("Z*", 1), ("*_Page", 2), ("X_%|\\\\\\*", 1), ("*ü*", 2), ("🙂", 1), ("a?b", 0)] {
                let found = try await service.get(categories, [("title.like", pattern)])
                #expect(found.elements.count == count, "\(pattern)")
            }
            let error = await #expect(throws: ServiceError.self) { try await service.get(categories, key: ["Zürich!"]) }
            #expect(error?.detail == "there is no category Zürich!")
        }
    }

    @Test("The cache tags of a row with such a key have the text", arguments: TestBackend.available)
    func cacheTags(backend: TestBackend) async throws {
        try await Self.with(backend, Self.script, Self.description) { service in
            let selection = Selection([.field(name: "pages", "pages")])
            let item = Question(.item(resource: "categories", key: [.text("Main_Page")]), .item(selection))
            let list = Question(.list(resource: "categories", Window(first: 4)), .list(.array(selection)))
            for question in [item, list] {
                let answer = try await service.service.answer(question, namesEntities: true)
                #expect(answer.tags.names.contains("Category:Main_Page"), "\(answer.tags.names)")
            }
        }
    }

    @Test(
        "Bytes that are not UTF-8 do not have the type, and are null with mismatch: null",
        arguments: TestBackend.available)
    func invalidBytes(backend: TestBackend) async throws {
        let script = """
            CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, note BLOB); INSERT INTO notes VALUES (1, x'61ff'), (2, x'c3a9');
            """
        func yaml(_ member: String) -> String {
            """
            duet: 1
            resources:
              notes:
                singular: note
                type: Note
                key: [id]
                fields: {id: {type: int}, note: {type: text, charset: utf8, nullable: true\(member)}}
            """
        }
        try await Self.with(backend, script, yaml("")) { service in
            let notes = try #require(service.catalogue["notes"])
            for format in [RowFormat.json, .csv] {
                await #expect(throws: ValueMismatch.self) { try await service.get(notes, [], format) }
            }
            let findings = try await service.dataFindings()
            #expect(findings.count == 1)
            #expect(
                findings.first?.contains("declared as a text that is stored as bytes in UTF-8, but a row has the text")
                    == true
                    && findings.first?.contains("describe the field with type: binary") == true, "\(findings)")
        }
        try await Self.with(backend, script, yaml(", mismatch: null")) { service in
            let notes = try #require(service.catalogue["notes"])
            #expect(try await service.get(notes).elements == [#"{"id":1,"note":null}"#, #"{"id":2,"note":"é"}"#])
            #expect(try await service.get(notes, [], .csv).body == "id,note\r\n1,\r\n2,é\r\n")
            #expect(try await service.dataFindings() == [])
        }
    }

    @Test(
        "In SQLite, a value that is not a blob does not have the type, and a filter compares texts of any database encoding"
    )
    func sqlite() async throws {
        let script = """
            PRAGMA encoding = 'UTF-16';
            CREATE TABLE notes (id INTEGER PRIMARY KEY, note BLOB);
            INSERT INTO notes VALUES (1, \(Self.bytes("Zürich"))), (2, x''), (3, 'Zürich');
            """
        try await OddService.with(
            .sqlite, script, describing: ("note: {type: binary", "note: {type: text, charset: utf8")
        ) { service in
            let notes = try #require(service.catalogue["notes"])
            await #expect(throws: ValueMismatch.self) { try await service.get(notes) }
            for (query, ids) in [
                ("note.like", "Z*h"): [1, 3], ("note.like", "*"): [1, 2, 3], ("note", "Zürich"): [1], ("note", ""): [2],
            ] as KeyValuePairs {
                let found = try await service.get(notes, [query, ("fields", "id")]).elements
                #expect(found == ids.map { #"{"id":\#($0)}"# }, "\(query)")
            }
        }
    }

    @Test(
        "Long texts are sorted by their bytes in pages, and cursors lead to the end", arguments: TestBackend.available)
    func longTexts(backend: TestBackend) async throws {
        let rows = (0..<7).map { "(\($0), \(Self.bytes("\($0 * 3 % 7)é" + String(repeating: "ü漢", count: 1_200))))" }
        let script = """
            CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, note BLOB NOT NULL); INSERT INTO notes VALUES \(rows.joined(separator: ", "));
            """
        let yaml = """
            duet: 1
            resources:
              notes:
                singular: note
                type: Note
                key: [id]
                fields: {id: {type: int}, note: {type: text, charset: utf8}}
                sort: [note]
            """
        try await Self.with(backend, script, yaml) { service in
            try await service.checkOrders()
            try await service.checkFilters()
        }
    }

    @Test("Validation reports charset for other columns, and its absence for a text in a column of bytes")
    func validation() async throws {
        let script = """
            CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, note VARBINARY(20) NOT NULL, label VARCHAR(20) NOT NULL);
            INSERT INTO notes VALUES (1, x'61', 'a');
            """
        for backend in TestBackend.available {
            try await OddService.with(backend, script) { service in
                let yaml = APIDescription(service.catalogue).yaml
                func findings(_ note: String, _ label: String = "{type: text}") throws -> [String] {
                    let yaml = yaml.replacing("note: {type: binary}", with: "note: \(note)")
                        .replacing(/label: \{.*\}/, with: "label: \(label)")
                    return try APIDescription(reading: yaml, file: "api.yaml").validate(against: service.schema)
                        .filter { $0.kind == .type }.map { "\($0.severity) \($0.message)" }
                }
                #expect(try findings("{type: text, charset: utf8}") == [])
                #expect(try findings("{type: text, charset: utf8}", "{type: text, charset: utf8}").count == 1)
                let isMariaDB = backend == .mariaDB
                let missing = try findings("{type: text}")
                #expect(missing.count == 1)
                #expect(missing.first?.hasSuffix("add charset: utf8") == isMariaDB, "\(missing)")
                #expect(
                    try findings("{type: text, charset: utf8, maxLength: 5}").contains {
                        $0.contains("change maxLength")
                    }
                        == isMariaDB)
            }
        }
    }

    @Test("Introspection suggests the type in a comment: in MariaDB by the declaration, in SQLite by the rows")
    func suggestion() async throws {
        let script = """
            CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, note VARBINARY(20), photo BLOB);
            INSERT INTO notes VALUES (1, x'61', x'ff00'), (2, x'c3a9', NULL);
            """
        let comment = "If the values are texts in UTF-8, use: type: text, charset: utf8"
        for backend in TestBackend.available {
            try await OddService.with(backend, script, readsRows: true) { introspected in
                let database = introspected.service.database
                let contents = try await DatabaseContents.read(database, introspected.schema)
                let comments = try IntrospectedDescription(of: introspected.schema, contents: contents).comments
                #expect(comments.contains { $0.path == "notes/fields/note" && $0.text == comment })
                #expect(
                    comments.contains { $0.path == "notes/fields/photo" && $0.text == comment } == (backend == .mariaDB)
                )
                guard backend == .sqlite else { return }
                let service = try await OddService(database, readsRows: true, followsSuggestions: true)
                let notes = try #require(service.catalogue["notes"])
                #expect(
                    try await service.get(notes, [("note", "é")]).elements == [#"{"id":2,"note":"é","photo":null}"#])
                let api = APIDescription(service.catalogue)
                #expect(api.validate(against: service.schema, contents: contents).allSatisfy { $0.kind != .type })
            }
        }
    }
}
