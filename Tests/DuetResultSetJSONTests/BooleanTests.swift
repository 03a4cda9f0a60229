import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("Columns that are declared as Booleans")
struct BooleanTests {
    private func written(
        _ backend: TestBackend, _ format: RowFormat = .json, _ encoding: ValueEncoding = ValueEncoding(),
        type: String = "BOOLEAN", shape: ObjectShape? = nil,
        attach: @escaping @Sendable (ResultSetAdapter) throws -> Void = { _ in }
    ) async throws -> String {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { connection in
                try connection.execute("CREATE TABLE tasks (id INTEGER, done \(type))")
                try connection.execute("INSERT INTO tasks VALUES (1, TRUE), (2, FALSE), (3, NULL), (4, 7)")
            }
            return try await database.read { connection in
                let adapter = ResultSetAdapter(
                    try connection.query("SELECT id, done FROM tasks ORDER BY id"), on: connection, encoding: encoding,
                    shape: shape)
                try attach(adapter)
                var buffer = ByteBuffer()
                _ = try adapter.write(format, to: &buffer)
                return String(buffer: buffer)
            }
        }
    }

    private static let json =
        #"[{"id":1,"done":true},{"id":2,"done":false},{"id":3,"done":null},{"id":4,"done":7}]"#

    @Test(
        "In a Boolean column, 0 and 1 are written as false and true, and other numbers as numbers",
        arguments: TestBackend.available,
        ["BOOLEAN", "Bool", "TINYINT(1)"])
    func json(_ backend: TestBackend, _ type: String) async throws {
        // On SQLite, only BOOLEAN and BOOL declare a Boolean column, so the test omits TINYINT(1).
        guard backend == .mariaDB || type != "TINYINT(1)" else { return }
        #expect(try await written(backend, type: type) == Self.json)
    }

    @Test("NDJSON and CSV write Booleans as JSON does", arguments: TestBackend.available)
    func otherFormats(_ backend: TestBackend) async throws {
        #expect(
            try await written(backend, .ndjson) == """
                {"id":1,"done":true}
                {"id":2,"done":false}
                {"id":3,"done":null}
                {"id":4,"done":7}

                """)
        #expect(try await written(backend, .csv) == "id,done\r\n1,true\r\n2,false\r\n3,\r\n4,7\r\n")
    }

    @Test("An encoding can write Booleans as numbers", arguments: TestBackend.available)
    func numbers(_ backend: TestBackend) async throws {
        let text = try await written(backend, .json, ValueEncoding(writesBooleans: false))
        #expect(text == Self.json.replacing("true", with: "1").replacing("false", with: "0"))
    }

    @Test(
        "A type in a shape takes precedence over the type BOOLEAN of the column. Otherwise, Booleans are written",
        arguments: TestBackend.available)
    func shapes(_ backend: TestBackend) async throws {
        #expect(
            try await written(backend, shape: ObjectShape([(name: "id", column: 0), (name: "done", column: 1)]))
                == Self.json)
        let integers = ObjectShape([.column(name: "id", 0), .column(name: "done", 1, ValueFormat(.integer))])
        #expect(
            try await written(backend, shape: integers)
                == Self.json.replacing("true", with: "1").replacing("false", with: "0"))
        let strict = ObjectShape([.column(name: "done", 1, ValueFormat(.boolean))])
        await #expect(throws: ValueMismatch.self) { try await written(backend, shape: strict) }
    }

    @Test("Booleans in attached rows are written as false and true", arguments: TestBackend.available)
    func attached(_ backend: TestBackend) async throws {
        let text = try await written(backend, shape: ObjectShape([(name: "id", column: 0)])) {
            try $0.attach("same", for: "id", AttachedQuery(select: "done", from: "tasks", key: "id", where: "id < 3"))
        }
        #expect(
            text.hasPrefix(#"[{"id":1,"same":[{"done":true}]},{"id":2,"same":[{"done":false}]},{"id":3,"same":[]}"#))
    }

    @Test("A text in a Boolean column of SQLite is a text")
    func text() async throws {
        let encoding = ValueEncoding()
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write { connection in
                try connection.execute("CREATE TABLE tasks (done BOOLEAN)")
                try connection.execute("INSERT INTO tasks VALUES ('say \"yes\"'), (0.5), (x'01')")
            }
            for (format, expected) in [
                (RowFormat.json, #"[{"done":"say \"yes\""},{"done":0.5},{"done":"AQ=="}]"#),
                (.csv, "done\r\n\"say \"\"yes\"\"\"\r\n0.5\r\nAQ==\r\n"),
            ] {
                let text = try await database.read { connection in
                    var buffer = ByteBuffer()
                    _ = try ResultSetAdapter(
                        try connection.query("SELECT done FROM tasks"), on: connection, encoding: encoding
                    ).write(format, to: &buffer)
                    return String(buffer: buffer)
                }
                #expect(text == expected)
            }
        }
    }
}
