import DuetAPIDescription
import DuetGraphQL
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Values whose types differ from the declared types") struct OddValueTests {
    /// Values that SQLite stores in a column of a different type, each with the end of the error message.
    static let values: [(type: String, value: String, message: String)] = [
        (
            "INTEGER", "'many'",
            "a whole number from -9007199254740991 to 9007199254740991, but a row has the text \"many\""
        ),
        (
            "INTEGER", "1.5",
            "a whole number from -9007199254740991 to 9007199254740991, but a row has the floating-point number 1.5"
        ),
        ("INTEGER", "9007199254740992", "9007199254740991, but a row has the integer 9007199254740992"),
        ("INTEGER", "-9007199254740992", "9007199254740991, but a row has the integer -9007199254740992"),
        ("BOOLEAN", "2", "0 or 1, but a row has the integer 2"),
        ("BOOLEAN", "'true'", "0 or 1, but a row has the text \"true\""),
        ("REAL", "'x'", "a finite number, but a row has the text \"x\""),
        ("REAL", "9e999", "a finite number, but a row has the floating-point number inf"),
        ("DECIMAL(5,2)", "'1,50'", "a decimal number, but a row has the text \"1,50\""),
        ("DECIMAL(5,2)", "-9e999", "a decimal number, but a row has the floating-point number -inf"),
        ("TEXT", "x'00ff'", "a text, but a row has 2 bytes of binary data"),
        ("TEXT", "CAST(x'61ff62' AS TEXT)", "a text, but a row has the text \"a\u{FFFD}b\", which is not UTF-8"),
        (
            "TEXT", "CAST(x'6162636465666768ff' AS TEXT)",
            "a text, but a row has the text \"abcdefgh\u{FFFD}\", which is not UTF-8"
        ),
        ("DATE", "'yesterday'", "a date (YYYY-MM-DD), but a row has the text \"yesterday\""),
        ("DATE", "'2024-02-30'", "a date (YYYY-MM-DD), but a row has the text \"2024-02-30\""),
        ("DATE", "1704067200", "a date (YYYY-MM-DD), but a row has the integer 1704067200"),
        ("DATETIME", "1704067200", "a date and time (YYYY-MM-DD HH:MM:SS), but a row has the integer 1704067200"),
        (
            "DATETIME", "'2024-01-01T00:00:00+01:00'",
            "a date and time (YYYY-MM-DD HH:MM:SS), but a row has the text \"2024-01-01T00:00:00+01:00\""
        ),
        (
            "DATETIME", "'2024-01-01T10:00:00'",
            "a date and time (YYYY-MM-DD HH:MM:SS), but a row has the text \"2024-01-01T10:00:00\""
        ),
        (
            "DATETIME", "'2024-01-01 10:00'",
            "a date and time (YYYY-MM-DD HH:MM:SS), but a row has the text \"2024-01-01 10:00\""
        ),
        ("TIME", "'noon'", "a time (HH:MM:SS), but a row has the text \"noon\""),
        ("UUID", "'none'", "a UUID, but a row has the text \"none\""),
        (
            "UUID", "'123e4567-e89b-12d3-a456_426614174000'",
            "a UUID, but a row has the text \"123e4567-e89b-12d3-a456_426614174000\""
        ),
        ("BLOB", "'text'", "bytes, but a row has the text \"text\""),
        ("JSON", "'[1e400, 01]'", "JSON, but a row has the text \"[1e400, 01]\""),
        ("JSON", "'{'", "JSON, but a row has the text \"{\""),
    ]

    @Test(
        "The error for a value of another type names the resource, field and value. Data validation finds the row",
        arguments: values)
    func mismatch(_ type: String, _ value: String, _ message: String) async throws {
        let script =
            "CREATE TABLE odds (id INTEGER PRIMARY KEY, v \(type)); INSERT INTO odds VALUES (1, NULL), (2, \(value));"
        try await OddService.with(.sqlite, script) { service in
            let resource = try #require(service.catalogue["odds"])
            for format in [RowFormat.json, .ndjson, .csv] {
                let error = await #expect(throws: ValueMismatch.self) { try await service.get(resource, [], format) }
                #expect(error?.description.hasPrefix("odds.v is declared as ") == true)
                #expect(error?.description.hasSuffix(message) == true, "\(error?.description ?? "")")
            }
            let found = try #require(
                await #expect(throws: ValueMismatch.self) { try await service.get(resource, key: ["2"]) })
            let detail = ServiceError(describing: found).detail
            #expect(try await service.dataFindings() == ["\(detail) (the row with the key 2)"])
            #expect(try await service.get(resource, key: ["1"]).body == #"{"id":1,"v":null}"#)
            let operation = try Parser.parse("{ odd(id: 2) { v } }")
            let response = try await PreparedOperation(unvalidated: operation, schema: service.graphQL.schema)
                .execute(userContext: ())
            let error = try #require(response.errors.first)
            #expect(
                (error.underlyingError as? ValueMismatch)?.description.hasPrefix("odds.v is declared") == true,
                "\(error)")
            // A list that does not select the field returns all pages, even if it is sorted by the field.
            for sort in ["v", "-v"] where resource.sortFields.contains("v") {
                let pages = try await service.pages(resource, [("fields", "id"), ("sort", sort)], size: 1)
                #expect(pages.sorted() == [#"{"id":1}"#, #"{"id":2}"#], "\(type) \(value) by \(sort)")
            }
        }
    }

    /// The formats in which SQLite databases store a date with a time. Each element has a stored value, the members of
    /// the description for its format, and the value in a response.
    static let forms = [
        ("2024-01-01 10:00:00", "type: dateTime", "2024-01-01T10:00:00"),
        ("2024-01-01T10:00:00.5", "type: dateTime, stored: iso", "2024-01-01T10:00:00.5"),
        ("2024-01-01T10:00:00Z", "type: timestamp, stored: utc", "2024-01-01T10:00:00Z"),
    ]

    @Test(
        "A date with a time whose format differs from the description is an error that contains the correct format",
        arguments: forms, forms)
    func dateTimeForms(_ row: (String, String, String), _ described: (String, String, String)) async throws {
        let script = """
            CREATE TABLE odds (at DATETIME NOT NULL PRIMARY KEY, n INTEGER);
            INSERT INTO odds VALUES ('\(row.0)', 1), ('\(row.0.replacing("2024", with: "2023"))', 2);
            """
        try await OddService.with(.sqlite, script, describing: ("type: dateTime", described.1)) { service in
            let resource = try #require(service.catalogue["odds"])
            guard row.1 == described.1 else {
                let error = await #expect(throws: ValueMismatch.self) { try await service.get(resource) }
                let remedy =
                    row.1.hasPrefix("type: timestamp") ? row.1 : row.1.hasSuffix("iso") ? "stored: iso" : "stored: sql"
                #expect(
                    ServiceError(describing: try #require(error)).detail.hasSuffix(
                        "; correct the row, or describe the field with \(remedy)"))
                return
            }
            let (text, wanted) = (row.2, #"{"at":"\#(row.2)","n":1}"#)
            #expect(try await service.get(resource, key: [text]).body == wanted)
            #expect(try await service.get(resource, [("at", text)]).body == "[\(wanted)]")
            #expect(try await service.pages(resource, [("sort", "-at")], size: 1).first == wanted)
            #expect(try await service.pages(resource, size: 1).last == wanted)
        }
    }

    @Test("A description of a dateTime with stored: utc is rejected, and the error names the alternative")
    func zoneOfDateTime() async throws {
        let text = """
            duet: 1
            resources:
              events:
                singular: event
                type: Event
                fields:
                  at: {type: dateTime, stored: utc}
            """
        let error = #expect(throws: DescriptionError.self) { _ = try APIDescription(reading: text, file: "api.yaml") }
        #expect(
            error?.description.contains("api.yaml:7:7: events.at is a dateTime, which has no time zone") == true
                && error?.description.contains("use type: timestamp, stored: utc") == true,
            "\(String(describing: error))")
    }

    @Test("An integer above 2^53 requires the type bigInteger, as the error says")
    func largeIntegers() async throws {
        let script = """
            CREATE TABLE odds (id INTEGER PRIMARY KEY, n INTEGER);
            INSERT INTO odds VALUES (1176543210987654321, 1);
            """
        try await OddService.with(.sqlite, script) { service in
            let resource = try #require(service.catalogue["odds"])
            let error = await #expect(throws: ValueMismatch.self) { try await service.get(resource) }
            #expect(
                ServiceError(describing: try #require(error)).detail.hasSuffix(
                    "has the integer 1176543210987654321; correct the row, or describe the field with type: bigInteger")
            )
        }
        try await OddService.with(.sqlite, script, describing: ("id: {type: integer", "id: {type: bigInteger")) {
            service in
            let resource = try #require(service.catalogue["odds"])
            #expect(
                try await service.get(resource, key: ["1176543210987654321"]).body
                    == #"{"id":"1176543210987654321","n":1}"#)
        }
    }

    @Test(
        "A zero date of MariaDB is returned as null if the date is the default of its column",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func zeroDefault() async throws {
        let script = """
            SET sql_mode = '';
            CREATE TABLE odds (id INT NOT NULL PRIMARY KEY, d DATE NOT NULL DEFAULT '0000-00-00',
                t DATETIME(2) NOT NULL DEFAULT '0000-00-00 00:00:00');
            INSERT INTO odds (id) VALUES (1);
            """
        try await OddService.with(.mariaDB, script) { service in
            let resource = try #require(service.catalogue["odds"])
            #expect(try await service.get(resource).body == #"[{"id":1,"d":null,"t":null}]"#)
        }
    }

    @Test("The integers of a SQLite column that is declared BIGINT are returned as JSON strings")
    func bigIntegers() async throws {
        let script = """
            CREATE TABLE odds (id BIGINT PRIMARY KEY NOT NULL, n INT8, u UNSIGNED BIG INT);
            INSERT INTO odds VALUES (1176543210987654321, -9223372036854775808, 7);
            """
        try await OddService.with(.sqlite, script) { service in
            let resource = try #require(service.catalogue["odds"])
            #expect(
                try await service.get(resource, key: ["1176543210987654321"]).body
                    == #"{"id":"1176543210987654321","n":"-9223372036854775808","u":"7"}"#)
            _ = try await service.checkTables()
            try await service.checkFilters()
        }
    }

    @Test(
        "A filter treats a zero date of MariaDB as null, as responses do",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func zeroDateFilters() async throws {
        let script = """
            SET sql_mode = 'ALLOW_INVALID_DATES';
            CREATE TABLE odds (id INT NOT NULL PRIMARY KEY, d DATE, t DATETIME, s TIMESTAMP NULL);
            INSERT INTO odds VALUES (1, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00'),
                (2, '2024-01-31', '2024-01-31 00:00:00', '2024-01-31 00:00:00'), (3, NULL, NULL, NULL),
                (4, '2025-01-31', '2025-01-31 00:00:00', '2025-01-31 00:00:00');
            """
        try await OddService.with(.mariaDB, script) { service in
            let resource = try #require(service.catalogue["odds"])
            for (field, value) in [
                ("d", "2024-06-01"), ("t", "2024-06-01T00:00:00"), ("s", "2024-06-01T00:00:00Z"),
            ] {
                let cases: [(filter: String, ids: [Int])] = [
                    (#"{"null":true}"#, [1, 3]), (#"{"null":false}"#, [2, 4]), ("{\"lt\":\"\(value)\"}", [2]),
                    ("{\"lte\":\"\(value)\"}", [2]), ("{\"ne\":\"\(value)\"}", [2, 4]),
                    ("{\"gt\":\"\(value)\"}", [4]), ("{\"gte\":\"\(value)\"}", [4]),
                ]
                for (filter, ids) in cases {
                    let isComparison = !filter.contains("null")
                    // A comparison with null is neither true nor false.
                    let others = [1, 2, 3, 4].filter { !ids.contains($0) && !(isComparison && [1, 3].contains($0)) }
                    for (text, expected) in [
                        ("{\"\(field)\":\(filter)}", ids), ("{\"not\":{\"\(field)\":\(filter)}}", others),
                    ] {
                        let found = try await service.get(resource, [("fields", "id"), ("filter", text)]).elements
                        #expect(found == expected.map { #"{"id":\#($0)}"# }, "\(text)")
                    }
                }
            }
        }
    }

    @Test(
        "Paging through a list sorted by a date ends and returns each row once, even with zero dates",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func zeroDatesInPages() async throws {
        let script = """
            SET sql_mode = '';
            CREATE TABLE authors (id INT NOT NULL PRIMARY KEY);
            CREATE TABLE notes (id INT NOT NULL PRIMARY KEY, author_id INT NOT NULL REFERENCES authors (id),
                due DATE NOT NULL DEFAULT '0000-00-00', at DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00',
                status VARCHAR(9) NOT NULL DEFAULT 'draft');
            INSERT INTO authors VALUES (1);
            INSERT INTO notes (id, author_id) VALUES (1, 1), (2, 1), (3, 1);
            INSERT INTO notes VALUES (4, 1, '2024-01-01', '2024-01-01 10:00:00', 'draft');
            """
        try await OddService.with(.mariaDB, script) { service in
            let (authors, notes) = (
                try #require(service.catalogue["authors"]), try #require(service.catalogue["notes"])
            )
            let orders: [(sort: String, ids: [Int])] = [
                ("-due", [4, 3, 2, 1]), ("-at", [4, 3, 2, 1]), ("due", [1, 2, 3, 4]), ("due,-at", [3, 2, 1, 4]),
                ("-at,due", [4, 1, 2, 3]), ("status,-due", [4, 3, 2, 1]), ("-due,status", [4, 1, 2, 3]),
            ]
            for (sort, ids) in orders {
                let query: RESTStyle.Query = [("fields", "id"), ("sort", sort)]
                let wanted = ids.map { #"{"id":\#($0)}"# }
                #expect(try await service.pages(notes, query, size: 2) == wanted, "\(sort)")
                #expect(try await service.pages(authors, key: ["1"], relation: "notes", query, size: 1) == wanted)
            }
            #expect(
                try await Self.graphQLPages(service) {
                    "notes(first: 2, sort: {field: DUE, direction: DESCENDING}\($0))"
                }
                    == ["4", "3", "2", "1"])
            let counts = try await service.query(
                "{ a: notes(filter: {due: {null: true}}) { totalCount } b: notes(filter: {due: {null: false}}) { totalCount } }"
            )
            #expect(counts == #"{"a":{"totalCount":3},"b":{"totalCount":1}}"#)
        }
    }

    /// Returns the keys of the rows on all pages of a GraphQL list.
    private static func graphQLPages(_ service: OddService, _ field: (String) -> String) async throws -> [String] {
        var (keys, after): ([String], String) = ([], "")
        while keys.count < 100 {
            let data = try await service.query(
                "{ r: \(field(after)) { nodes { id } pageInfo { hasNextPage endCursor } } }")
            keys += RawJSON.elements(RawJSON.member(data, "r", "nodes")).map { RawJSON.member($0, "id") }
            guard RawJSON.member(data, "r", "pageInfo", "hasNextPage") == "true" else { break }
            after = ", after: \(RawJSON.member(data, "r", "pageInfo", "endCursor"))"
        }
        return keys
    }

    @Test(
        "A JSON value is nullable in GraphQL, because JSON null can occur in a NOT NULL column",
        arguments: TestBackend.available)
    func jsonNull(_ backend: TestBackend) async throws {
        let script = """
            CREATE TABLE odds (id INTEGER NOT NULL PRIMARY KEY, doc JSON NOT NULL);
            INSERT INTO odds VALUES (1, 'null');
            """
        try await OddService.with(backend, script) { service in
            #expect(service.graphQL.sdl.contains("doc: JSON\n"))
            let data = try await service.query("{ odd(id: 1) { doc } }")
            #expect(data == #"{"odd":{"doc":null}}"#)
        }
    }

    @Test(
        "A zero date of MariaDB is an error if the field is not nullable",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func zeroDate() async throws {
        let script = """
            SET sql_mode = 'ALLOW_INVALID_DATES';
            CREATE TABLE odds (id INT NOT NULL PRIMARY KEY, d DATE NOT NULL, t DATETIME NOT NULL);
            INSERT INTO odds VALUES (1, '0000-00-00', '2024-01-01 00:00:00'), (2, '2024-01-01', '0000-00-00 00:00:00');
            """
        try await OddService.with(.mariaDB, script) { service in
            let resource = try #require(service.catalogue["odds"])
            for (key, field) in [("1", "d"), ("2", "t")] {
                let error = await #expect(throws: ValueMismatch.self) { try await service.get(resource, key: [key]) }
                #expect(error?.description.contains("odds.\(field) is declared as a date") == true)
                #expect(
                    ServiceError(describing: try #require(error)).detail.hasSuffix(
                        "describe the field with nullable: true"))
            }
        }
    }

    @Test(
        "The empty text that MariaDB stores for an invalid enumeration value is an error",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func invalidChoice() async throws {
        let script = """
            SET sql_mode = '';
            CREATE TABLE odds (id INT NOT NULL PRIMARY KEY, size ENUM('small', 'LARGE') NOT NULL);
            INSERT INTO odds VALUES (1, 'LARGE'), (2, 'huge');
            """
        try await OddService.with(.mariaDB, script) { service in
            let resource = try #require(service.catalogue["odds"])
            #expect(try await service.get(resource, key: ["1"]).body == #"{"id":1,"size":"LARGE"}"#)
            for format in [RowFormat.json, .csv, .ndjson] {
                let error = await #expect(throws: ValueMismatch.self) { try await service.get(resource, [], format) }
                #expect(
                    error?.description
                        == #"odds.size is declared as a value of its enumeration, but a row has the text """#)
            }
            let findings = try await service.dataFindings()
            #expect(findings.count == 1 && findings[0].hasSuffix(" (the row with the key 2)"), "\(findings)")
        }
    }

    @Test("A number literal in a GraphQL filter retains all digits", arguments: TestBackend.available)
    func literals(_ backend: TestBackend) async throws {
        let script = """
            CREATE TABLE odds (id INTEGER NOT NULL PRIMARY KEY, big BIGINT \(backend == .mariaDB ? "UNSIGNED" : ""), price DECIMAL(20,2));
            INSERT INTO odds VALUES (1, 9007199254740993, 1.5), (2, \(backend == .mariaDB ? "18446744073709551615" : "9223372036854775807"), 90071992547409.93);
            """
        try await OddService.with(backend, script) { service in
            let greatest = backend == .mariaDB ? "18446744073709551615" : "9223372036854775807"
            for (filter, id) in [
                ("big: {eq: 9007199254740993}", 1), ("big: {eq: \(greatest)}", 2), ("price: {eq: 1.5}", 1),
                ("price: {eq: 1.50}", 1), ("price: {in: [90071992547409.93]}", 2),
            ] {
                let data = try await service.query("{ odds(filter: {\(filter)}) { nodes { id } } }")
                #expect(data == #"{"odds":{"nodes":[{"id":\#(id)}]}}"#, "\(filter)")
            }
        }
    }

    @Test("A filter operator on a field without comparable values is rejected, and the error gives the reason")
    func withoutOperators() async throws {
        let script = "CREATE TABLE odds (id INTEGER NOT NULL PRIMARY KEY, k NOT NULL); INSERT INTO odds VALUES (1, 1);"
        try await OddService.with(.sqlite, script) { service in
            let resource = try #require(service.catalogue["odds"])
            let error = await #expect(throws: ServiceError.self) { try await service.get(resource, [("k.gt", "1")]) }
            #expect(error?.detail == "k has no operator gt; its values cannot be compared")
        }
    }

    @Test("A pattern is case-sensitive for every collation", arguments: TestBackend.available)
    func patterns(_ backend: TestBackend) async throws {
        let collation = backend == .sqlite ? "COLLATE NOCASE" : "CHARACTER SET latin1 COLLATE latin1_swedish_ci"
        let script = """
            CREATE TABLE odds (id INTEGER NOT NULL PRIMARY KEY, v VARCHAR(9) \(collation));
            INSERT INTO odds VALUES (1, 'Abc'), (2, 'abc'), (3, 'ABC'), (4, 'ábc'), (5, 'abc ');
            """
        try await OddService.with(backend, script) { service in
            let resource = try #require(service.catalogue["odds"])
            for (pattern, ids) in [
                ("a*", [2, 5]), ("*C", [3]), ("Abc", [1]), ("abc", [2]), ("á*", [4]), ("abc*", [2, 5]),
            ] {
                let rows = try await service.get(resource, [("fields", "id"), ("v.like", pattern)]).elements
                #expect(rows == ids.map { #"{"id":\#($0)}"# }, "\(pattern)")
            }
        }
    }
}
