import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Swift values as arguments of statements")
struct SwiftValueTests {
    private enum Status: String, SQLValueConvertible {
        case open, done
    }

    private struct Email: SQLValueConvertible {
        var address: String
        var sqlValue: SQLValue { .text(address) }
    }

    @Test("A variable of each type is bound as its value", arguments: TestBackend.available)
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

    @Test("Dates, blobs and unsigned integers are bound as their values", arguments: TestBackend.available)
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

    @Test("An array is a list for IN, including an empty array and an array with nil", arguments: TestBackend.available)
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
}
