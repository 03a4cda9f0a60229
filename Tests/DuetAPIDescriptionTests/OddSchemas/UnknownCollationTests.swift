import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("SQLite files with collations, functions and modules of other programs") struct UnknownCollationTests {
    /// The tables of a SQLite file. The collation `NOCASE` represents the collation of another program.
    private static let tables = """
        CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE UNIQUE, n INTEGER);
        INSERT INTO tags VALUES (1, 'b', 1), (2, 'A', 2), (3, 'a2', 1), (4, 'C', 3), (5, 'Éa', 2);
        CREATE TABLE words (word TEXT NOT NULL COLLATE NOCASE, part INTEGER NOT NULL, note TEXT COLLATE NOCASE, PRIMARY KEY (word, part)) WITHOUT ROWID;
        INSERT INTO words VALUES ('b', 1, 'x'), ('B', 2, NULL), ('A', 1, 'X'), ('c', 1, 'y'), ('a', 2, 'Y');
        CREATE TABLE uses (id INTEGER PRIMARY KEY, tag TEXT COLLATE NOCASE REFERENCES tags (name), word TEXT, part INTEGER, FOREIGN KEY (word, part) REFERENCES words (word, part));
        INSERT INTO uses VALUES (1, 'b', 'b', 1), (2, 'A', 'B', 2), (3, 'C', 'c', 1), (4, NULL, NULL, NULL), (5, 'A', 'A', 1), (6, 'b', 'a', 2);
        CREATE INDEX uses_tag ON uses (tag);
        CREATE TABLE marks (tag TEXT COLLATE NOCASE NOT NULL REFERENCES tags (name), use_id INTEGER NOT NULL REFERENCES uses (id), PRIMARY KEY (tag, use_id));
        INSERT INTO marks VALUES ('b', 1), ('A', 1), ('b', 2), ('C', 5), ('a2', 5);
        CREATE VIEW names AS SELECT n, name FROM tags;

        """

    /// Replaces texts in the definitions of the tables.
    private static func defining(_ changes: [(String, String)]) -> String {
        "PRAGMA writable_schema = ON;\n"
            + changes.map { "UPDATE sqlite_schema SET sql = replace(sql, '\($0)', '\($1)');\n" }.joined()
            + "PRAGMA writable_schema = RESET;\n"
    }

    /// Reads the tables in many ways, and returns the answers.
    private static func answers(_ service: OddService) async throws -> [String: [String]] {
        var answers: [String: [String]] = [:]
        for resource in service.catalogue.resources {
            let name = resource.name
            let fields = ("fields", resource.fields.map(\.name).joined(separator: ","))
            let counted = try await service.get(resource, [("first", "1000"), ("count", "true")])
            let rows = counted.elements
            answers["\(name) \(counted.totalCount ?? -1)"] = rows
            for row in resource.hasItems ? rows : [] {
                answers["\(name) \(row)"] = [try await service.get(resource, key: service.key(resource, row)).body]
            }
            for field in resource.sortFields {
                for sort in [field, "-" + field] {
                    answers["\(name) by \(sort)"] =
                        resource.hasKey
                        ? try await service.pages(resource, [("sort", sort), fields], size: 2)
                        : try await service.get(resource, [("sort", sort), fields]).elements
                }
                for value in Set(rows.map { RawJSON.member($0, field) }).sorted() {
                    for comparison in value == "null" ? [] : ["eq", "ne", "lt", "gte", "in"] {
                        let operand = comparison == "in" ? "[\(value)]" : value
                        let filter = "{\"\(field)\":{\"\(comparison)\":\(operand)}}"
                        let found = try await service.get(
                            resource, [("first", "1000"), ("count", "true"), ("filter", filter)])
                        // The rows of the view have no order.
                        answers["\(name) \(filter) \(found.totalCount ?? -1)"] =
                            resource.hasKey ? found.elements : found.elements.sorted()
                    }
                }
            }
            for relation in resource.relations {
                let some = #"{"\#(relation.name)":\#(relation.isToMany ? #"{"some":{"and":[]}}"# : #"{"and":[]}"#)}"#
                    .replacing(#"{"and":[]}"#, with: #"{"not":{"or":[]}}"#)
                let with = try await service.get(resource, [("first", "1000"), ("count", "true"), ("filter", some)])
                answers["\(name) with \(relation.name) \(with.totalCount ?? -1)"] = with.elements
                answers["\(name).\(relation.name)"] = try await service.get(
                    resource, [("first", "1000"), ("details", relation.name)]
                ).elements
                guard relation.isToMany else { continue }
                answers["\(name).\(relation.name) first"] = try await service.get(
                    resource, [("details", relation.name), ("\(relation.name).first", "1")]
                ).elements
                for row in rows {
                    answers["\(relation.name) of \(row)"] = try await service.pages(
                        resource, key: service.key(resource, row), relation: relation.name, size: 1)
                }
                let below = relation.size == .few(typical: 20) ? "__typename" : "totalCount pageInfo { hasNextPage }"
                let data = try await service.query(
                    "{ \(name)(first: 1000) { nodes { \(relation.name)(first: 1) { \(below) } } } }")
                answers["\(name).\(relation.name) over GraphQL"] = [data]
            }
        }
        return answers
    }

    @Test(
        "If another program has defined a collation, the answers are those for texts that are compared by their bytes")
    func answers() async throws {
        let binary = try await OddService.with(.sqlite, Self.tables.replacing(" COLLATE NOCASE", with: "")) {
            try await Self.answers($0)
        }
        let unknown = try await OddService.with(.sqlite, Self.tables + Self.defining([("NOCASE", "unicase")])) {
            service in
            #expect(try await service.dataFindings() == [])
            #expect(service.schema.tables.allSatisfy { $0.failure == nil })
            let notes = try IntrospectedDescription(of: service.schema).comments.map(\.text)
            #expect(notes.count { $0.hasPrefix("The collation UNICASE is defined by another program.") } == 5)
            return try await Self.answers(service)
        }
        #expect(binary.count > 150)
        for (question, answer) in binary { #expect(unknown[question] == answer, "\(question)") }
        #expect(unknown.count == binary.count)
    }

    @Test("A statement that compares values by an unknown collation is an error, even if it returns only one row")
    func comparison() async throws {
        try await OddService.with(.sqlite, Self.tables + Self.defining([("NOCASE", "unicase")])) { service in
            for sql in [
                "SELECT id FROM tags WHERE name = 'A'", "SELECT id FROM tags ORDER BY n, name LIMIT 1",
                "SELECT note FROM words ORDER BY note LIMIT 1", "SELECT 1 FROM words WHERE word > 'a'",
                "SELECT MAX(note) FROM words",
            ] {
                await #expect(throws: DatabaseError.self, "\(sql)") {
                    try await service.service.database.read { connection in
                        let rows = try connection.query(sql)
                        defer { rows.close() }
                        _ = try rows.next()
                    }
                }
            }
            // The connection is usable after the errors.
            let count = try await service.service.database.read { connection in
                let rows = try connection.query("SELECT COUNT(*) FROM uses")
                return try rows.next() ? rows.value(at: 0) : .null
            }
            #expect(count == .integer(6))
        }
    }

    @Test("A view whose query compares values by an unknown collation is omitted")
    func view() async throws {
        let views = """
            CREATE VIEW named AS SELECT id FROM tags WHERE name > 'a';
            CREATE VIEW plain AS SELECT id FROM tags WHERE n > 1;

            """
        try await OddService.with(.sqlite, Self.tables + views + Self.defining([("NOCASE", "unicase")])) { service in
            #expect(
                try IntrospectedDescription(of: service.schema).omissions == [
                    "The view named is omitted, because it cannot be read: no such collation sequence: unicase"
                ])
            let plain = try #require(service.catalogue["plains"])
            #expect(try await service.get(plain, [("count", "true")]).totalCount == 3)
        }
    }

    @Test("A view that is omitted does not prevent the connection from reading the tables of the view")
    func tablesOfView() async throws {
        let view = "CREATE VIEW sorted AS SELECT part FROM words ORDER BY word;\n"
        try await OddService.with(.sqlite, Self.tables + view + Self.defining([("NOCASE", "unicase")])) { service in
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.access = .readOnly
            let database = Database(service.service.database.url, configuration: configuration)
            let schema = try await database.read { try DatabaseSchema.read($0) }
            #expect(try IntrospectedDescription(of: schema).omissions.count == 1)
            let contents = try await DatabaseContents.read(database, schema)
            await database.close()
            #expect(contents.failures.isEmpty)
        }
    }

    /// Objects that need functions, modules and tokenizers of another program.
    private static let objects = """
        CREATE TABLE sums (id INTEGER PRIMARY KEY, a TEXT, b TEXT AS (upper(a)), c TEXT AS (upper(a)) STORED, d TEXT AS (lower(a)));
        INSERT INTO sums (id, a) VALUES (1, 'x'), (2, 'y');
        CREATE INDEX sums_a ON sums (upper(a));
        CREATE INDEX sums_part ON sums (a) WHERE upper(a) = 'X';
        CREATE VIEW shouts AS SELECT id, upper(a) AS a FROM sums;
        CREATE VIEW quiet AS SELECT id, a FROM sums;
        CREATE VIRTUAL TABLE notes USING fts5(body);
        INSERT INTO notes VALUES ('hello');
        CREATE VIRTUAL TABLE pages USING fts5(body);
        INSERT INTO pages VALUES ('whole');
        CREATE VIRTUAL TABLE places USING fts5(body);
        INSERT INTO places VALUES ('here');

        """

    @Test("What needs unknown functions, modules or tokenizers is omitted with a reason, and everything else is served")
    func objects() async throws {
        let changes = [
            ("upper(", "shout("), ("notes USING fts5(body)", "notes USING fts5(body, tokenize=snowball)"),
            ("places USING fts5(body)", "places USING spatial(body)"),
        ]
        try await OddService.with(.sqlite, Self.objects + Self.defining(changes)) { service in
            let described = try IntrospectedDescription(of: service.schema)
            #expect(
                described.omissions.map { $0.replacing("is omitted, because it cannot be read: ", with: "- ") } == [
                    "The table notes - no such tokenizer: snowball", "The table places - no such module: spatial",
                    "The view shouts - no such function: shout", "The column b of sums - unknown function: shout()",
                ])
            for omission in described.omissions { #expect(described.comments.contains { $0.text == omission }) }
            let sums = try #require(service.catalogue["sums"])
            #expect(
                try await service.get(sums, [("first", "9"), ("sort", "-a")]).elements
                    == [#"{"id":2,"a":"y","c":"Y","d":"y"}"#, #"{"id":1,"a":"x","c":"X","d":"x"}"#])
            #expect(try await service.get(sums, [("a", "x"), ("count", "true")]).totalCount == 1)
            let pages = try #require(service.catalogue["pages"])
            #expect(try await service.get(pages).elements == [#"{"body":"whole"}"#])
            // The text of an unreadable full-text table is in one of its shadow tables.
            for name in ["notesContents", "placesContents"] {
                let contents = try #require(service.catalogue[name], "\(service.catalogue.resources.map(\.name))")
                #expect(try await service.get(contents).elements.count == 1)
            }
            #expect(service.catalogue.resources.allSatisfy { !$0.table.hasPrefix("pages_") })
        }
    }
}
