import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Swift values as arguments of statements")
struct SwiftValueTests {
    private enum Status: String, SQLValueConvertible, SQLValueDecodable {
        case open, done
    }

    private struct Email: SQLValueConvertible {
        var address: String
        var sqlValue: SQLValue { .text(address) }
    }

    @Test("Variables of Swift types can be arguments of a statement", arguments: TestBackend.available)
    func types(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            let (int, int32, int64, byte) = (1, Int32(2), Int64.max, UInt8(4))
            let (text, part, yes, double) = ("Ada", "Grace Hopper".prefix(5), true, 1.5)
            let (none, some) = (Int?.none, String?.some("x"))
            let (status, email) = (Status.done, Email(address: "a@b"))
            let rows = try await database.read { connection in
                try connection.query(
                    """
                    SELECT :int AS a, :int32 AS b, :int64 AS c, :byte AS d, :text AS e, :part AS f, :yes AS g, :double AS h,
                        :none AS i, :some AS j, :status AS k, :email AS l, :null AS m, :one AS n
                    """,
                    [
                        "int": int, "int32": int32, "int64": int64, "byte": byte, "text": text, "part": part,
                        "yes": yes,
                        "double": double, "none": none, "some": some, "status": status, "email": email, "null": nil,
                        "one": 1,
                    ]
                ).rows()
            }
            #expect(
                rows == [
                    [1, 2, .integer(.max), 4, "Ada", "Grace", 1, 1.5, nil, "x", "done", "a@b", nil, 1]
                ])
        }
    }

    @Test("Dates, byte arrays and unsigned integers can be arguments of a statement", arguments: TestBackend.available)
    func otherTypes(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write {
                try $0.executeScript("CREATE TABLE t (n INTEGER, day DATE, content \(backend.blobType))")
            }
            let day = try #require(CalendarDate(iso: "2026-01-31"))
            let content: [UInt8] = [0, 255]
            let number: UInt16 = 7
            let changes = try await database.write {
                try $0.execute(
                    "INSERT INTO t VALUES (:n, :day, :content)", ["n": number, "day": day, "content": content])
            }
            #expect(changes == 1)
            let rows = try await database.read { connection in
                try connection.query(
                    "SELECT n, day, content FROM t WHERE day = :day AND content = :content",
                    ["day": day, "content": content]
                ).rows()
            }
            #expect(rows == [[7, .date(day), .blob(content)]])
            #expect(UInt64.max.sqlValue == .unsigned(.max))
        }
    }

    @Test(
        "An array can be the list of IN, even if the array is empty or contains nil",
        arguments: TestBackend.available)
    func lists(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write {
                try $0.executeScript("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), (2), (4), (NULL)")
            }
            let least = 0
            for (numbers, expected) in [([2, 4], [[2], [4]]), ([], []), ([4, nil], [[4]])] as [([Int?], [[SQLValue]])] {
                let rows = try await database.read { connection in
                    try connection.query(
                        "SELECT n FROM t WHERE n > :least AND n IN (:numbers) ORDER BY n",
                        ["least": least, "numbers": numbers]
                    ).rows()
                }
                #expect(rows == expected)
            }
            let numbers = [2, 4]
            let arguments = Arguments(["numbers": numbers, "numbers": [1, 2]])
            #expect(arguments["numbers"] == .list([1, 2]))
        }
    }

    @Test("Values of a row are decoded as Swift types", arguments: TestBackend.available)
    func decoded(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            let day = try #require(CalendarDate(iso: "2026-01-31"))
            try await database.write { connection in
                try connection.executeScript(
                    "CREATE TABLE t (n INTEGER, x DOUBLE, s VARCHAR(20), yes BOOLEAN, day DATE, content \(backend.blobType), none INTEGER)"
                )
                let (number, status) = (300, Status.done)
                try connection.bulkInsert(into: "t", columns: ["n", "x", "s", "yes", "day", "content", "none"]) {
                    try $0.append([number, 1.5, status, true, day, SQLValue.blob([1, 2]), Int?.none])
                }
            }
            try await database.read { connection in
                let rows = try connection.query("SELECT n, x, s, yes, day, content, none FROM t")
                func message(_ read: () throws -> Void) -> String {
                    do {
                        try read()
                        return "none"
                    } catch {
                        return (error as? DatabaseError)?.message ?? "\(error)"
                    }
                }
                #expect(
                    message { _ = try rows.decode(Int.self, "n") }
                        == "there is no current row; call next() before a value is read, and stop when it returns false"
                )
                try #require(try rows.next())
                #expect(try rows.decode(Int.self, "n") == 300)
                #expect(try rows.decode(Double.self, at: 0) == 300)
                #expect(try rows.decode(Double.self, "x") == 1.5)
                #expect(try rows.decode(String.self, "s") == "done")
                #expect(try rows.decode(Status.self, "s") == .done)
                #expect(try rows.decode(Bool.self, "yes"))
                #expect(try rows.decode(CalendarDate.self, "day") == day)
                #expect(try rows.decode([UInt8].self, "content") == [1, 2])
                #expect(try rows.decode(Int?.self, "none") == nil)
                #expect(try rows.decode(Int?.self, "n") == 300)
                #expect(try rows.decode(SQLValue.self, "n") == 300)
                #expect(
                    message { _ = try rows.decode(UInt8.self, "n") }
                        == "the column n has an integer, which cannot be decoded as UInt8")
                #expect(
                    message { _ = try rows.decode(Int.self, "s") }
                        == "the column s has a text, which cannot be decoded as Int")
                #expect(
                    message { _ = try rows.decode(Int.self, "none") }
                        == "the column none has NULL, which is not a value of Int; decode Int?")
                #expect(message { _ = try rows.decode(Int.self, "m") }.hasPrefix("no column is called m"))
                #expect(
                    message { _ = try rows.decode(Int.self, at: 7) }
                        == "there is no column 7; the rows have 7 columns, from 0")
                #expect(try !rows.next())
                #expect(message { _ = try rows.decode(Int.self, "n") }.hasPrefix("there is no current row"))
            }
        }
    }

    @Test(
        "After a caught error, a bulk insert continues with the next rows",
        arguments: TestBackend.available)
    func afterError(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript("CREATE TABLE t (n INTEGER PRIMARY KEY)") }
            let error = try await database.write { connection -> DatabaseError? in
                var caught: DatabaseError?
                try connection.bulkInsert(into: "t", columns: ["n"]) { rows in
                    // On MariaDB, one statement inserts 1,024 rows.
                    for number in (0..<1_023) + [0] {
                        do {
                            try rows.append([.integer(Int64(number))])
                        } catch let error as DatabaseError {
                            caught = error
                        }
                    }
                    for number in 2_000..<2_010 { try rows.append([.integer(Int64(number))]) }
                }
                return caught
            }
            #expect(error?.code == .uniqueViolation)
            let count = try await database.read { connection in
                let rows = try connection.query("SELECT count(*) FROM t WHERE n >= 2000")
                return try rows.next() ? rows.decode(Int.self, at: 0) : 0
            }
            #expect(count == 10)
        }
    }

    @Test(
        "An observer receives the statements of a bulk insert, including a failed statement",
        arguments: TestBackend.available)
    func observedBulkInsert(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, recorder in
            try await database.write { try $0.executeScript("CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY)") }
            try await database.write { connection in
                try connection.bulkInsert(into: "notes", columns: ["id"]) { notes in
                    for id in 1...3 { try notes.append([id]) }
                }
            }
            let inserts = { recorder.statements.filter { $0.hasPrefix("INSERT INTO notes") } }
            // On SQLite, each row has a statement.
            let expected = backend == .sqlite ? 3 : 1
            #expect(inserts().count == expected)
            let error = await #expect(throws: DatabaseError.self) {
                try await database.write { connection in
                    try connection.bulkInsert(into: "notes", columns: ["id"]) { try $0.append([1]) }
                }
            }
            #expect(error?.code == .uniqueViolation)
            #expect(inserts().count == expected + 1)
        }
    }
}
