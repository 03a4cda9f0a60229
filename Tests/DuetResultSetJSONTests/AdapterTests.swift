import DuetResultSetJSON
import DuetSQLDatabase
import Foundation
import NIOCore
import Synchronization
import TestSupport
import Testing

/// Records the texts of statements in order.
final class Statements: Sendable {
    private let kept = Mutex<[String]>([])

    var observer: DatabaseObserver {
        { [self] observation in
            if case .statement(let sql, _, _, _, _) = observation { kept.withLock { $0.append(sql) } }
        }
    }

    /// Returns the statements since the last call.
    func take() -> [String] {
        kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
    }
}

@Suite("The JSON adapter")
struct AdapterTests {
    private static let schema = """
        CREATE TABLE people (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(60), born DATE, boss INTEGER, unit VARCHAR(8));
        CREATE TABLE titles (id INTEGER NOT NULL, title VARCHAR(60) NOT NULL, since DATE);
        CREATE TABLE notes (title VARCHAR(60) NOT NULL, note VARCHAR(60));
        CREATE TABLE units (unit VARCHAR(8) NOT NULL, floor INTEGER);
        INSERT INTO people VALUES (1, 'Ann', '1960-02-29', NULL, 'a'), (2, 'O''Brien', NULL, 1, 'b'),
            (3, NULL, '1999-12-31', 1, NULL), (4, 'Ωmega "4"', '9999-01-01', 2, 'a');
        INSERT INTO titles VALUES (1, 'Boss', '2000-01-01'), (1, 'Clerk', '1990-01-01'), (2, 'Clerk', NULL),
            (4, 'Cook', '1980-05-05');
        INSERT INTO notes VALUES ('Boss', 'of all'), ('Clerk', 'x'), ('Clerk', NULL);
        INSERT INTO units VALUES ('a', 1), ('b', 2), ('a', 3);
        """
    private static let titles = AttachedQuery(
        select: "title, since", from: "titles", key: "id", orderBy: ["title"])
    private static let names = AttachedQuery(select: "title", from: "titles", key: "id", orderBy: ["title"])
    private static let notesOfTitles = Attachment(
        "notes", for: ["title"], AttachedQuery(select: "note", from: "notes", key: "title", orderBy: ["note"]))
    private static let units = AttachedQuery(select: "floor", from: "units", key: "unit", orderBy: ["floor"])

    private let encoding = ValueEncoding(dates: .iso)

    private func with(
        _ backend: TestBackend, _ body: (Database, Statements) async throws -> Void
    ) async throws {
        let statements = Statements()
        try await TestDatabase.with(
            backend, schema: false, configuration: DatabaseConfiguration(poolSize: 1), observer: statements.observer
        ) { database in
            try await database.write { try $0.executeScript(Self.schema) }
            _ = statements.take()
            try await body(database, statements)
        }
    }

    private func written(
        _ database: Database, _ sql: String, _ arguments: Arguments = [:], _ format: RowFormat = .json,
        shape: ObjectShape? = nil, known: Arguments = [:],
        attach: @escaping @Sendable (ResultSetAdapter) throws -> Void = { _ in }
    ) async throws -> String {
        let encoding = encoding
        return try await database.read { connection in
            let adapter = ResultSetAdapter(
                try connection.query(sql, arguments), on: connection, encoding: encoding, shape: shape, known: known)
            try attach(adapter)
            var buffer = ByteBuffer()
            _ = try adapter.write(format, to: &buffer)
            return String(buffer: buffer)
        }
    }

    @Test("Rows are written as a JSON array, as NDJSON, or as CSV", arguments: TestBackend.available)
    func formats(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            let sql = "SELECT id, name, born FROM people ORDER BY id"
            let json = try await written(database, sql)
            #expect(
                json == """
                    [{"id":1,"name":"Ann","born":"1960-02-29"},{"id":2,"name":"O'Brien","born":null},\
                    {"id":3,"name":null,"born":"1999-12-31"},{"id":4,"name":"Ωmega \\"4\\"","born":"9999-01-01"}]
                    """)
            #expect(
                try await written(database, sql, [:], .ndjson) == """
                    {"id":1,"name":"Ann","born":"1960-02-29"}
                    {"id":2,"name":"O'Brien","born":null}
                    {"id":3,"name":null,"born":"1999-12-31"}
                    {"id":4,"name":"Ωmega \\"4\\"","born":"9999-01-01"}

                    """)
            #expect(
                try await written(database, sql, [:], .csv)
                    == "id,name,born\r\n1,Ann,1960-02-29\r\n2,O'Brien,\r\n3,,1999-12-31\r\n4,\"Ωmega \"\"4\"\"\",9999-01-01\r\n"
            )
        }
    }

    @Test(
        "CSV quotes values where necessary and distinguishes NULL from an empty text", arguments: TestBackend.available)
    func csv(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            let line = try await written(
                database,
                "SELECT :a AS a, :b AS b, :c AS c, :d AS d, :e AS e, :f AS f, :g AS \(backend == .sqlite ? "\"g,h\"" : "`g,h`")",
                ["a": "", "b": nil, "c": "x,y", "d": "two\r\nlines", "e": "say \"no\"", "f": " plain ", "g": -5], .csv)
            #expect(
                line == "a,b,c,d,e,f,\"g,h\"\r\n\"\",,\"x,y\",\"two\r\nlines\",\"say \"\"no\"\"\",\" plain \",-5\r\n")
        }
    }

    @Test("Empty results are valid in each format", arguments: TestBackend.available)
    func empty(_ backend: TestBackend) async throws {
        try await with(backend) { database, statements in
            let sql = "SELECT id, name FROM people WHERE id > 99"
            let json = try await written(database, sql)
            #expect(json == "[]")
            #expect(try await written(database, sql, [:], .ndjson) == "")
            #expect(try await written(database, sql, [:], .csv) == "id,name\r\n")
            _ = statements.take()
            #expect(try await written(database, sql) { try $0.attach("titles", for: "id", Self.titles) } == "[]")
            #expect(statements.take().count == 1)
        }
    }

    @Test("Attached rows are written in the row to which they belong", arguments: TestBackend.available)
    func attached(_ backend: TestBackend) async throws {
        try await with(backend) { database, statements in
            let text = try await written(database, "SELECT id, unit FROM people ORDER BY id DESC") {
                try $0.attach("titles", for: "id", Self.titles, attachments: [Self.notesOfTitles])
                try $0.attach("units", for: "unit", Self.units)
            }
            let clerk = #"{"title":"Clerk","since":"1990-01-01","notes":[{"note":null},{"note":"x"}]}"#
            #expect(
                text == """
                    [{"id":4,"unit":"a","titles":[{"title":"Cook","since":"1980-05-05","notes":[]}],\
                    "units":[{"floor":1},{"floor":3}]},\
                    {"id":3,"unit":null,"titles":[],"units":[]},\
                    {"id":2,"unit":"b","titles":[{"title":"Clerk","since":null,"notes":[{"note":null},{"note":"x"}]}],\
                    "units":[{"floor":2}]},\
                    {"id":1,"unit":"a","titles":[{"title":"Boss","since":"2000-01-01","notes":[{"note":"of all"}]},\(clerk)],\
                    "units":[{"floor":1},{"floor":3}]}]
                    """)
            #expect(statements.take().count == 4)
        }
    }

    @Test("Rows with the same key have the same attached rows", arguments: TestBackend.available)
    func sameKeys(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            let text = try await written(database, "SELECT boss FROM people ORDER BY id") {
                try $0.attach("t", for: "boss", Self.names)
            }
            let one = #"{"boss":1,"t":[{"title":"Boss"},{"title":"Clerk"}]}"#
            #expect(text == "[{\"boss\":null,\"t\":[]},\(one),\(one),{\"boss\":2,\"t\":[{\"title\":\"Clerk\"}]}]")
        }
    }

    @Test(
        "Columns, constants and attachments are written in the order of the ObjectShape, at each level",
        arguments: TestBackend.available)
    func order(_ backend: TestBackend) async throws {
        try await with(backend) { database, statements in
            let shape = ObjectShape([
                .attachment, .constant(name: "__typename", json: "\"Person\""), .column(name: "who", 1), .attachment,
                .constant(name: "a", json: "1"), .column(name: "number", 0), .constant(name: "b", json: "null"),
            ])
            let titleShape = ObjectShape([
                .constant(name: "__typename", json: "\"Title\""), .attachment, .column(name: "t", 1),
            ])
            let boss = ObjectShape([.column(name: "name", 1), .constant(name: "c", json: "true")])
            let attach: @Sendable (ResultSetAdapter) throws -> Void = { adapter in
                try adapter.attach(
                    "titles", for: "id", Self.titles, shape: titleShape, attachments: [Self.notesOfTitles])
                try adapter.attach(
                    AttachedMember("boss", form: .object), for: "boss",
                    AttachedQuery(select: "name", from: "people", key: "id"), shape: boss)
            }
            let sql = "SELECT id, name, boss FROM people WHERE id IN (:ids) ORDER BY id"
            let expected = [
                #"{"titles":[{"__typename":"Title","notes":[{"note":"of all"}],"t":"Boss"},"#
                    + #"{"__typename":"Title","notes":[{"note":null},{"note":"x"}],"t":"Clerk"}],"#
                    + #""__typename":"Person","who":"Ann","boss":null,"a":1,"number":1,"b":null}"#,
                #"{"titles":[{"__typename":"Title","notes":[{"note":null},{"note":"x"}],"t":"Clerk"}],"#
                    + #""__typename":"Person","who":"O'Brien","boss":{"name":"Ann","c":true},"a":1,"number":2,"b":null}"#,
                #"{"titles":[],"__typename":"Person","who":null,"boss":{"name":"Ann","c":true},"a":1,"number":3,"b":null}"#,
            ]
            _ = statements.take()
            let list = try await written(database, sql, ["ids": [1, 2, 3]], shape: shape, attach: attach)
            #expect(list == "[" + expected.joined(separator: ",") + "]")
            // One statement for the rows, and one for each relation at each level.
            #expect(statements.take().count == 4)
            // A single row uses a different code path, and a single row with a known key uses a third code path.
            let encoding = encoding
            for (index, id) in [1, 2, 3].enumerated() {
                for known in [[:], ["id": .integer(id), "boss": index == 0 ? nil : 1]] as [Arguments] {
                    let text = try await database.read { connection in
                        let adapter = ResultSetAdapter(
                            try connection.query(sql, ["ids": .integer(id)]), on: connection, encoding: encoding,
                            shape: shape, known: known)
                        try attach(adapter)
                        var buffer = ByteBuffer()
                        #expect(try adapter.writeObject(to: &buffer))
                        return String(buffer: buffer)
                    }
                    #expect(text == expected[index])
                }
            }
        }
    }

    @Test(
        "An ObjectShape selects and renames columns. A shape without members writes only attachments",
        arguments: TestBackend.available)
    func shapes(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            let sql = "SELECT id, name FROM people WHERE id <= 2 ORDER BY id"
            let renamed = try await written(
                database, sql, shape: ObjectShape([(name: "n\"", column: 1), (name: "i", column: 0)]))
            #expect(
                renamed
                    == #"[{"n\"":"Ann","i":1},{"n\"":"O'Brien","i":2}]"#)
            #expect(try await written(database, sql, shape: ObjectShape([ObjectShape.Member]())) == "[{},{}]")
            #expect(
                try await written(database, sql, [:], .ndjson, shape: ObjectShape([ObjectShape.Member]())) == "{}\n{}\n"
            )
            let text = try await written(database, sql, shape: ObjectShape([ObjectShape.Member]())) {
                try $0.attach(
                    "a", for: "id", AttachedQuery(select: "", from: "titles", key: "id"),
                    shape: ObjectShape([ObjectShape.Member]()))
                try $0.attach(
                    "b", for: "id", AttachedQuery(select: "title", from: "titles", key: "id", where: "title = 'none'"))
            }
            #expect(text == #"[{"a":[{},{}],"b":[]},{"a":[{}],"b":[]}]"#)
        }
    }

    @Test(
        "An ObjectShape finds columns by their labels. Attached rows can have the label of the key twice",
        arguments: TestBackend.available)
    func labels(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            let person = ObjectShape([
                .column(name: "who", "name"), .column(name: "id", "id", ValueFormat(.integerText)),
                .computed(name: "both", columns: ["name", 0]) { "\($0.count)" },
            ])
            for columns in ["id, name", "id, born, name", "*"] {
                // The column with the index 0 is the ID in each of these statements.
                let text = try await written(
                    database, "SELECT \(columns) FROM people WHERE id = 1", shape: person)
                #expect(text == #"[{"who":"Ann","id":"1","both":"2"}]"#)
            }
            let csv = try await written(database, "SELECT id, name FROM people WHERE id <= 2", [:], .csv, shape: person)
            #expect(csv == "who,id,both\r\nAnn,1,2\r\nO'Brien,2,2\r\n")
            let attached = try await written(database, "SELECT id FROM people WHERE id = 2") {
                try $0.attach(
                    "titles", for: "id", Self.names,
                    shape: ObjectShape([.column(name: "t", "title"), .column(name: "key", "id")]))
                try $0.attach(
                    "staff", for: "id",
                    AttachedQuery(select: "id, name", from: "people", key: "boss", orderBy: ["name"]),
                    shape: ObjectShape([.column(name: "number", "id")]))
            }
            #expect(attached == #"[{"id":2,"titles":[{"t":"Clerk","key":2}],"staff":[{"number":4}]}]"#)
        }
    }

    @Test(
        "If a change of a table changes the columns of a prepared statement, the statement is an error once",
        arguments: TestBackend.available)
    func changedColumns(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            let shape = ObjectShape([.column(name: "u", "unit")])
            let sql = "SELECT * FROM people WHERE id IN (:ids)"
            let lists: [Arguments] = [["ids": [1]], ["ids": [1, 7, 8]], ["ids": [7]]]
            @Sendable func expectUnit() async throws {
                for ids in lists {
                    let text = try await written(database, sql, ids, shape: shape)
                    #expect(text == (ids["ids"] == [7] ? "[]" : #"[{"u":"a"}]"#))
                }
            }
            try await expectUnit()
            // The number of columns changes, then only their order and names.
            for (change, columns, first) in [
                ("ALTER TABLE people DROP COLUMN born", "id, name, born, boss, unit", 0),
                ("ALTER TABLE people RENAME COLUMN name TO title", "id, name, boss, unit", 1),
                ("ALTER TABLE people RENAME COLUMN title TO name", "id, title, boss, unit", 2),
            ] {
                try await database.write { try $0.execute(change) }
                let error = await #expect(throws: DatabaseError.self) {
                    try await written(database, sql, lists[first], shape: shape)
                }
                #expect(
                    error?.message
                        == "a table has changed since the statement was prepared for the columns \(columns); "
                        + "let the transaction fail, and run it again")
                try await expectUnit()
            }
            // The new column is found after one error.
            try await database.write { try $0.execute("ALTER TABLE people ADD COLUMN email VARCHAR(9)") }
            let email = ObjectShape([.column(name: "e", "email")])
            await #expect(throws: DatabaseError.self) { try await written(database, sql, lists[0], shape: email) }
            #expect(try await written(database, sql, lists[0], shape: email) == #"[{"e":null}]"#)
        }
    }

    @Test(
        "As an object, only the first row is written. If there is no row, nothing is written",
        arguments: TestBackend.available)
    func object(_ backend: TestBackend) async throws {
        try await with(backend) { database, statements in
            let encoding = encoding
            @Sendable func object(_ id: Int, known: Bool) async throws -> String? {
                try await database.read { connection in
                    let adapter = ResultSetAdapter(
                        try connection.query("SELECT id, name FROM people WHERE id = :id", ["id": .integer(id)]),
                        on: connection, encoding: encoding, known: known ? ["id": .integer(Int64(id))] : [:])
                    try adapter.attach("titles", for: "id", Self.titles, attachments: [Self.notesOfTitles])
                    try adapter.attach(
                        "reports", for: "id",
                        AttachedQuery(select: "id", from: "people", key: "boss", orderBy: ["id"]))
                    var buffer = ByteBuffer()
                    return try adapter.writeObject(to: &buffer) ? String(buffer: buffer) : nil
                }
            }
            for known in [false, true] {
                _ = statements.take()
                let first = try await object(1, known: known)
                #expect(
                    first == """
                        {"id":1,"name":"Ann","titles":[{"title":"Boss","since":"2000-01-01","notes":[{"note":"of all"}]},\
                        {"title":"Clerk","since":"1990-01-01","notes":[{"note":null},{"note":"x"}]}],\
                        "reports":[{"id":2},{"id":3}]}
                        """)
                #expect(statements.take().count == 4)
                #expect(try await object(3, known: known) == #"{"id":3,"name":null,"titles":[],"reports":[]}"#)
                #expect(try await object(99, known: known) == nil)
            }
        }
    }

    @Test(
        "An attached query can use a known value instead of a column, and each statement runs once",
        arguments: TestBackend.available)
    func knownInList(_ backend: TestBackend) async throws {
        try await with(backend) { database, statements in
            let text = try await written(
                database, "SELECT boss, name FROM people WHERE boss = :boss ORDER BY id", ["boss": 1],
                known: ["boss": 1]
            ) { try $0.attach("t", for: "boss", Self.names) }
            let titles = #"[{"title":"Boss"},{"title":"Clerk"}]"#
            #expect(text == #"[{"boss":1,"name":"O'Brien","t":\#(titles)},{"boss":1,"name":null,"t":\#(titles)}]"#)
            #expect(statements.take().count == 2)
        }
    }

    @Test(
        "With a limit, the adapter omits further rows, and returns the boundary values of the last written row",
        arguments: TestBackend.available)
    func limit(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            let encoding = encoding
            for attaches in [false, true] {
                for (limit, ids, boundary) in [(2, "1,2", [2, "O'Brien"]), (4, "1,2,3,4", nil), (9, "1,2,3,4", nil)]
                    as [(Int, String, [SQLValue]?)]
                {
                    let (text, page) = try await database.read { connection in
                        let adapter = ResultSetAdapter(
                            try connection.query("SELECT id, name FROM people ORDER BY id"), on: connection,
                            encoding: encoding, shape: ObjectShape([(name: "i", column: 0)]))
                        if attaches { try adapter.attach("t", for: "id", Self.titles) }
                        var buffer = ByteBuffer()
                        let page = try adapter.write(.json, to: &buffer, limit: limit, boundary: ["id", "name"])
                        return (String(buffer: buffer), page)
                    }
                    let values = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
                    #expect(values.map { "\($0["i"] ?? "")" }.joined(separator: ",") == ids)
                    #expect(page.rows == values.count)
                    #expect(page.boundary == boundary)
                }
            }
        }
    }

    @Test(
        "Each relation takes one statement, for any number of rows", arguments: TestBackend.available, [1, 100, 1_000])
    func statementCount(_ backend: TestBackend, _ rows: Int) async throws {
        try await with(backend) { database, statements in
            try await database.write { connection in
                try connection.execute("DELETE FROM people")
                try connection.execute("DELETE FROM titles")
                let people = try connection.bulkInserter(into: "people", columns: ["id", "name"])
                let titles = try connection.bulkInserter(into: "titles", columns: ["id", "title"])
                for id in 1...rows {
                    // The numbers have gaps, so that the SQL has a list of keys instead of a range.
                    try people.append([.integer(Int64(id * 3)), "p"])
                    for title in ["A", "B"] where id % 3 != 0 {
                        try titles.append([.integer(Int64(id * 3)), .text(title)])
                    }
                }
                try people.finish()
                try titles.finish()
            }
            _ = statements.take()
            let text = try await written(database, "SELECT id FROM people ORDER BY id") {
                try $0.attach("titles", for: "id", Self.names)
            }
            let expected = (1...rows).map { id in
                #"{"id":\#(id * 3),"titles":[\#(id % 3 == 0 ? "" : #"{"title":"A"},{"title":"B"}"#)]}"#
            }
            #expect(text == "[\(expected.joined(separator: ","))]")
            let marks =
                rows == 1
                ? "= ?" : "IN (\(Array(repeating: "?", count: rows == 100 ? 128 : 1_024).joined(separator: ", ")))"
            #expect(
                statements.take() == [
                    "SELECT id FROM people ORDER BY id",
                    "SELECT id, title FROM (titles) WHERE (id) \(marks) ORDER BY 1, (title)",
                ])
        }
    }

    @Test(
        "Attached rows of one key are adjacent for any order, and none of them is omitted",
        arguments: TestBackend.available)
    func sorted(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            let titles = try await written(database, "SELECT id FROM people WHERE id < 3 ORDER BY id") {
                try $0.attach(
                    "t", for: "id",
                    AttachedQuery(select: "title", from: "titles", key: "id", orderBy: ["since", .descending("id")]))
            }
            #expect(titles == #"[{"id":1,"t":[{"title":"Clerk"},{"title":"Boss"}]},{"id":2,"t":[{"title":"Clerk"}]}]"#)
            let floors = try await written(database, "SELECT unit FROM people WHERE id IN (1, 2) ORDER BY id") {
                try $0.attach(
                    "u", for: "unit",
                    AttachedQuery(select: "floor", from: "units", key: "unit", orderBy: [.descending("floor")]))
            }
            #expect(floors == #"[{"unit":"a","u":[{"floor":3},{"floor":1}]},{"unit":"b","u":[{"floor":2}]}]"#)
        }
    }

    @Test("A key that is not a column is an error that lists the columns", arguments: TestBackend.available)
    func unknownKey(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            do {
                _ = try await written(database, "SELECT id, name FROM people") {
                    try $0.attach("t", for: "nothing", Self.titles)
                }
                Issue.record("the adapter accepted the call")
            } catch let error as DatabaseError {
                #expect(error.message.contains("id, name"))
            }
        }
    }

    @Test("CSV with attachments is an error", arguments: TestBackend.available)
    func csvAttachments(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            do {
                _ = try await written(database, "SELECT id FROM people", [:], .csv) {
                    try $0.attach("t", for: "id", Self.titles)
                }
                Issue.record("the adapter accepted the call")
            } catch is DatabaseError {}
        }
    }

    @Test(
        "`text` and `objectText` return rows and an object as strings, without a buffer",
        arguments: TestBackend.available)
    func texts(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            for format in RowFormat.allCases {
                let sql = "SELECT id, name, born FROM people ORDER BY id"
                let text = try await database.read { connection in
                    try ResultSetAdapter(try connection.query(sql), on: connection).text(format)
                }
                #expect(text == (try await written(database, sql, [:], format)))
            }
            let objects = try await database.read { connection in
                try [1, 99].map { id in
                    let rows = try connection.query("SELECT id FROM people WHERE id = :id", ["id": .integer(id)])
                    let adapter = ResultSetAdapter(rows, on: connection)
                    try adapter.attach("titles", for: "id", Self.titles)
                    return try adapter.objectText()
                }
            }
            #expect(
                objects == [
                    #"{"id":1,"titles":[{"title":"Boss","since":"2000-01-01"},{"title":"Clerk","since":"1990-01-01"}]}"#,
                    nil,
                ])
        }
    }

    @Test(
        "The pieces of a response form the whole response, for any size of the pieces", arguments: TestBackend.available
    )
    func pieces(_ backend: TestBackend) async throws {
        try await with(backend) { database, _ in
            let encoding = encoding
            for sql in ["SELECT id, name, born FROM people ORDER BY id", "SELECT id FROM people WHERE id > 99"] {
                for format in RowFormat.allCases {
                    let whole = try await written(database, sql, [:], format)
                    for size in [0, 1, 10, 60, 1_000_000] {
                        let pieces = try await database.read { connection in
                            let next = try ResultSetAdapter(
                                try connection.query(sql), on: connection, encoding: encoding
                            )
                            .pieces(format, chunkSize: size)
                            var pieces: [String] = []
                            while let piece = try next() { pieces.append(String(buffer: piece)) }
                            #expect(try next() == nil)
                            return pieces
                        }
                        #expect(pieces.joined() == whole)
                        #expect(!pieces.contains(""))
                        if size < 60, whole.utf8.count > 100 { #expect(pieces.count >= 4) }
                    }
                }
            }
        }
    }

    @Test("Infinite numbers are null, blobs are base64, and control characters are escaped")
    func oddValues() async throws {
        try await with(.sqlite) { database, _ in
            let text = try await written(
                database,
                "SELECT 9e999 AS inf, -9e999 AS ninf, :b AS b, :c AS c, :d AS d, :e AS e, 0.1 AS f, CAST(:g AS TEXT) AS g",
                [
                    "b": .value(.blob([0, 255, 16])), "c": .value(.blob([1])), "d": .value(.blob([])),
                    "e": "\u{1}\t\"\\", "g": .value(.blob([0x61, 0xFF, 0x62])),
                ])
            #expect(
                text
                    == #"[{"inf":null,"ninf":null,"b":"AP8Q","c":"AQ==","d":"","e":"\u0001\t\"\\","f":0.1,"g":"a\#u{FFFD}b"}]"#
            )
        }
    }
}
