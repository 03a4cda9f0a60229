import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

/// Times in each of the formats in which programs store them.
@Suite("Formats of stored times") struct StoredTimeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let backend: TestBackend
        let stored: String
        let column: String
        /// The stored values as SQL, and their times, in ascending order.
        let values: [(sql: String, time: String)]

        var testDescription: String { "\(stored), \(column), \(backend)" }
    }

    static let cases: [Case] =
        [
            Case(
                backend: .sqlite, stored: "offset", column: "at TEXT",
                values: [
                    ("'2011-09-06 06:00:00+02:00'", "2011-09-06T04:00:00Z"),
                    ("'2011-09-06 04:00:00.25 +00:00'", "2011-09-06T04:00:00.25Z"),
                    ("'2011-09-06T04:00:01Z'", "2011-09-06T04:00:01Z"),
                    ("'2011-09-05 23:00:01.123456789-0600'", "2011-09-06T05:00:01.123456789Z"),
                ]),
            Case(
                backend: .sqlite, stored: "julianDays", column: "at REAL",
                values: [
                    ("2440587.5", "1970-01-01T00:00:00Z"), ("2460341", "2024-01-31T12:00:00Z"),
                    ("julianday('2024-01-31 12:34:56.789')", "2024-01-31T12:34:56.789Z"),
                ]),
            Case(
                backend: .sqlite, stored: "cocoaSeconds", column: "at TIMESTAMP",
                values: [
                    ("-63113904000", "0001-01-01T00:00:00Z"), ("-0.5", "2000-12-31T23:59:59.5Z"),
                    ("728397296.123456", "2024-01-31T12:34:56.123456Z"), ("728397297", "2024-01-31T12:34:57Z"),
                ]),
            Case(
                backend: .sqlite, stored: "utc", column: "at VARCHAR(20)",
                values: [
                    ("'2024-01-31T12:34:56Z'", "2024-01-31T12:34:56Z"),
                    ("'2024-01-31T12:34:57Z'", "2024-01-31T12:34:57Z"),
                ]),
        ]
        + TestBackend.available.flatMap { backend in
            [
                Case(
                    backend: backend, stored: "unixSeconds", column: "at \(backend == .sqlite ? "DATETIME" : "BIGINT")",
                    values: [
                        ("-1", "1969-12-31T23:59:59Z"), ("1706704496", "2024-01-31T12:34:56Z"),
                        ("253402300799", "9999-12-31T23:59:59Z"),
                    ]),
                Case(
                    backend: backend, stored: "unixSeconds", column: "at DOUBLE",
                    values: [
                        ("-0.25", "1969-12-31T23:59:59.75Z"), ("1706704496.1", "2024-01-31T12:34:56.1Z"),
                        ("1706704497", "2024-01-31T12:34:57Z"),
                    ]),
                Case(
                    backend: backend, stored: "unixMilliseconds", column: "at BIGINT",
                    values: [
                        ("-1", "1969-12-31T23:59:59.999Z"), ("1706704496000", "2024-01-31T12:34:56Z"),
                        ("1706704496120", "2024-01-31T12:34:56.12Z"),
                    ]),
                Case(
                    backend: backend, stored: "unixMicroseconds", column: "at BIGINT",
                    values: [
                        ("1706704496000000", "2024-01-31T12:34:56Z"),
                        ("1706704496000001", "2024-01-31T12:34:56.000001Z"),
                    ]),
                Case(
                    backend: backend, stored: "webKitMicroseconds", column: "at BIGINT",
                    values: [("0", "1601-01-01T00:00:00Z"), ("13351178096000000", "2024-01-31T12:34:56Z")]),
            ]
        }

    /// Creates a table with the values in rows with the keys 1, 2 and so on, and one row with NULL.
    private static func service(
        _ one: Case, _ body: (OddService, Resource) async throws -> Void
    ) async throws {
        let rows = one.values.enumerated().map { "(\($0.offset + 1), \($0.element.sql))" } + ["(99, NULL)"]
        let script = """
            CREATE TABLE events (id INTEGER NOT NULL PRIMARY KEY, \(one.column));
            INSERT INTO events VALUES \(rows.joined(separator: ", "));
            """
        try await OddService.with(one.backend, script) { original in
            let type = try #require(original.catalogue["events"]?.field("at")?.type.description)
            let service = try await OddService(
                original.service.database,
                describing: ("at: {type: \(type)", "at: {type: timestamp, stored: \(one.stored)"))
            try await body(service, try #require(service.catalogue["events"]))
        }
    }

    @Test("Responses contain the time in UTC, and the data has no findings", arguments: cases)
    func output(_ one: Case) async throws {
        try await Self.service(one) { service, events in
            let expected =
                one.values.enumerated().map { #"{"id":\#($0.offset + 1),"at":"\#($0.element.time)"}"# }
                + [#"{"id":99,"at":null}"#]
            #expect(try await service.get(events).elements == expected)
            let data = try await service.query("{ events { nodes { id at } } }")
            #expect(RawJSON.elements(RawJSON.member(data, "events", "nodes")) == expected)
            let csv = try await service.get(events, [("fields", "at")], .csv).body
            #expect(csv == (["at"] + one.values.map(\.time) + ["\"\""]).map { $0 + "\r\n" }.joined())
            #expect(try await service.dataFindings() == [])
        }
    }

    @Test("Filters compare the times, also times with another offset from UTC", arguments: cases)
    func filters(_ one: Case) async throws {
        try await Self.service(one) { service, events in
            func ids(_ query: RESTStyle.Query) async throws -> [Int] {
                try await service.get(events, [("fields", "id")] + query).elements.compactMap {
                    Int(RawJSON.member($0, "id"))
                }
            }
            let all = Array(1...one.values.count)
            for (index, value) in one.values.enumerated() {
                let id = index + 1
                #expect(try await ids([("at", value.time)]) == [id], "\(value)")
                #expect(try await ids([("at", value.time.replacing("Z", with: "+00:00"))]) == [id], "\(value)")
                #expect(try await ids([("at.ne", value.time)]) == all.filter { $0 != id }, "\(value)")
                #expect(try await ids([("at.lt", value.time)]) == all.filter { $0 < id }, "\(value)")
                #expect(try await ids([("at.gte", value.time)]) == all.filter { $0 >= id }, "\(value)")
                #expect(try await ids([("at.in", value.time), ("at.in", "1999-09-09T09:09:09Z")]) == [id])
                let data = try await service.query(
                    #"{ events(filter: {not: {at: {gt: "\#(value.time)"}}}) { nodes { id } } }"#)
                #expect(RawJSON.elements(RawJSON.member(data, "events", "nodes")).count == id, "\(value)")
            }
            #expect(try await ids([("at.null", "true")]) == [99])
            let error = await #expect(throws: ServiceError.self) { try await ids([("at", "2024-01-31T12:34:56")]) }
            #expect(error?.detail.contains("an offset from UTC") == true)
        }
    }

    @Test("Lists are sorted by the times, and their pages contain each row once", arguments: cases)
    func orders(_ one: Case) async throws {
        try await Self.service(one) { service, events in
            let ascending = [99] + Array(1...one.values.count)
            for (sort, ids) in [("at", ascending), ("-at", ascending.reversed())] {
                for size in [1, 3, 7] {
                    let rows = try await service.pages(events, [("fields", "id"), ("sort", sort)], size: size)
                    #expect(rows == ids.map { #"{"id":\#($0)}"# }, "\(sort), \(size)")
                }
            }
        }
    }

    @Test("A date in a column with any declared type is a date", arguments: ["DATETIME", "TEXT", "VARCHAR(10)"])
    func dates(_ type: String) async throws {
        let script = """
            CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, made \(type));
            INSERT INTO orders VALUES (1, '2016-07-04'), (2, NULL), (3, '2016-07-05');
            """
        try await OddService.with(.sqlite, script) { original in
            let type = try #require(original.catalogue["orders"]?.field("made")?.type.description)
            let service = try await OddService(
                original.service.database, describing: ("made: {type: \(type)", "made: {type: date"))
            let orders = try #require(service.catalogue["orders"])
            let rows = try await service.get(orders).elements
            #expect(
                rows == [
                    #"{"id":1,"made":"2016-07-04"}"#, #"{"id":2,"made":null}"#, #"{"id":3,"made":"2016-07-05"}"#,
                ])
            #expect(try await service.get(orders, [("made.gte", "2016-07-05")]).elements == [rows[2]])
            #expect(try await service.get(orders, [("made", "2016-07-04")]).elements == [rows[0]])
            let sorted = try await service.pages(orders, [("sort", "-made")], size: 1)
            #expect(sorted == [rows[2], rows[0], rows[1]])
            #expect(try await service.dataFindings() == [])
        }
    }

    @Test(
        "A time as a key is found by the time in a path",
        arguments: [
            ("unixMilliseconds", "1706704496120", "2024-01-31T12:34:56.12Z"),
            ("cocoaSeconds", "0", "2001-01-01T00:00:00Z"),
        ])
    func keys(stored: String, value: String, time: String) async throws {
        let script = """
            CREATE TABLE ticks (at INTEGER NOT NULL PRIMARY KEY, n INTEGER);
            INSERT INTO ticks VALUES (\(value), 1);
            """
        try await OddService.with(
            .sqlite, script, describing: ("at: {type: integer}", "at: {type: timestamp, stored: \(stored)}")
        ) { service in
            let ticks = try #require(service.catalogue["ticks"])
            #expect(try await service.get(ticks, key: [time]).body == #"{"at":"\#(time)","n":1}"#)
            #expect(try await service.query(#"{ tick(id: "\#(time)") { n } }"#) == #"{"tick":{"n":1}}"#)
        }
    }

    @Test("A description with an impossible format is refused, and the error says what to use")
    func refused() async throws {
        let script = "CREATE TABLE ticks (at PRIMARY KEY NOT NULL, n INTEGER) WITHOUT ROWID;"
        for (type, message) in [
            ("dateTime, stored: unixSeconds", "use type: timestamp, stored: unixSeconds"),
            ("timestamp, stored: julian", "stored is one of sql, iso, utc, offset"),
        ] {
            let error = await #expect(throws: (any Error).self) {
                try await OddService.with(.sqlite, script, describing: ("at: {type: any}", "at: {type: \(type)}")) {
                    _ in
                }
            }
            #expect("\(error.map { "\($0)" } ?? "")".contains(message), "\(error.map { "\($0)" } ?? "")")
        }
    }
}

extension FieldType {
    /// The name of the type in an introspected description.
    fileprivate var description: String {
        switch self {
        case .any: "any"
        case .bigInteger: "bigInteger"
        case .number: "number"
        case .dateTime: "dateTime"
        case .text(let length): length.map { "text, maxLength: \($0)" } ?? "text"
        default: "\(self)"
        }
    }
}
