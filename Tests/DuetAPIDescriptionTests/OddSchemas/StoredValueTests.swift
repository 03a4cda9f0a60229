import DuetAPIDescription
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

/// SQLite stores values of any type in a column of any declared type. Introspection chooses types that fit the rows.
@Suite("Types that fit the rows of SQLite") struct StoredValueTests {
    /// A declared type, values of the column as SQL, and the described type.
    static let columns: [(declared: String, values: [String], type: String)] = [
        ("INTEGER", ["1", "-2"], "integer"),
        ("INTEGER", ["1", "9007199254740992"], "bigInteger"),
        ("INTEGER", ["1", "1.5"], "number"),
        ("INTEGER", ["'many'", "'few'"], "text"),
        ("INTEGER", ["'many'", "1"], "any"),
        ("INTEGER", ["9007199254740993", "0.5"], "any"),
        ("INTEGER", ["x'00ff'"], "binary"),
        ("INTEGER", ["'2024-01-31'", "NULL"], "date"),
        ("BOOLEAN", ["0", "1"], "boolean"),
        ("BOOLEAN", ["0", "2"], "integer"),
        ("BOOLEAN", ["'true'", "'false'"], "text"),
        ("DECIMAL(10,2)", ["1.5", "2"], "decimal, scale: 2"),
        ("DECIMAL(10,2)", ["'1,50'"], "text"),
        ("REAL", ["1.5", "2"], "number"),
        ("REAL", ["'x'"], "text"),
        ("DATE", ["'2024-01-31'"], "date"),
        ("DATE", ["'2024-01-31 12:00:00'"], "dateTime"),
        ("DATE", ["'31.1.2024'"], "text"),
        ("DATE", ["'2024-01-31'", "'2024-01-31 12:00:00'"], "text"),
        ("DATETIME", ["'2016-07-04'"], "date"),
        ("DATETIME", ["'2016-07-04 10:00:00'", "'2016-07-04 10:00:00.5'"], "dateTime"),
        ("DATETIME", ["'2016-07-04T10:00:00'"], "dateTime, stored: iso"),
        ("DATETIME", ["'2016-07-04T10:00:00Z'"], "timestamp, stored: utc"),
        ("DATETIME", ["'2011-09-06 06:00:00+00:00'", "'2011-09-06T06:00:00.25Z'"], "timestamp, stored: offset"),
        ("DATETIME", ["'2016-07-04'", "'2016-07-04 10:00:00'"], "text"),
        ("DATETIME", ["1706704496", "0"], "timestamp, stored: unixSeconds"),
        ("DATETIME", ["1706704496.25"], "timestamp, stored: unixSeconds"),
        ("DATETIME", ["1706704496000"], "timestamp, stored: unixMilliseconds"),
        ("DATETIME", ["1706704496000000"], "timestamp, stored: unixMicroseconds"),
        ("DATETIME", ["13351178096000000"], "timestamp, stored: webKitMicroseconds"),
        ("TIMESTAMP", ["328397296.123", "428397296"], "timestamp, stored: cocoaSeconds"),
        // Seconds in the years 2021 to 2040 since 2001 can also be seconds in the years 1990 to 2009 since 1970.
        ("TIMESTAMP", ["728397296.5"], "number"),
        ("TIMESTAMP", ["728397296"], "integer"),
        ("TIMESTAMP", ["328397296", "728397296.5"], "timestamp, stored: cocoaSeconds"),
        ("DATETIME", ["1006704496", "1706704496"], "timestamp, stored: unixSeconds"),
        ("DATETIME", ["2460341.5"], "timestamp, stored: julianDays"),
        ("DATETIME", ["0"], "integer"),
        ("DATETIME", ["738936000", "739000000.25"], "number"),
        ("DATETIME", ["738936000", "1706704496"], "timestamp, stored: unixSeconds"),
        ("DATETIME", ["738936000", "328397296"], "timestamp, stored: cocoaSeconds"),
        ("DATETIME", ["2460000.5", "0"], "number"),
        ("DATETIME", ["'2024-01-01T00:00:00Z'", "'2024-01-01T00:00:00.5Z'"], "timestamp, stored: offset"),
        ("DATETIME", ["'2024-01-01T00:00:00.0Z'", "'2024-01-01T00:00:00.5Z'"], "timestamp, stored: utc"),
        ("DATETIME", ["7"], "integer"),
        ("DATETIME", ["1706704496", "'never'"], "any"),
        ("TIME", ["'10:00'", "'10:00:00'"], "time"),
        ("TIME", ["'noon'"], "text"),
        ("TEXT", ["'2024-01-31'"], "text"),
        ("TEXT", ["x'00'"], "binary"),
        ("TEXT", ["'a'", "x'00'"], "any"),
        ("VARCHAR(3)", ["'longer'"], "text"),
        ("STRING", ["'a'", "'b-1'"], "text"),
        ("STRING", ["'a'", "'1'"], "any"),
        ("STRING", ["x'00'"], "any"),
        ("BLOB", ["x'00'"], "binary"),
        ("BLOB", ["'text'"], "text"),
        ("UUID", ["'none'"], "text"),
        ("UUID", ["x'00112233445566778899aabbccddeeff'"], "binary"),
        ("JSON", ["'{'"], "text"),
        ("JSON", ["'[1]'", "7"], "json"),
        ("YEAR", ["2024"], "integer, minimum: 0, maximum: 9999"),
        ("YEAR", ["20240101"], "integer"),
    ]

    @Test("The type of a field fits all rows, and is the declared type if possible", arguments: columns)
    func types(declared: String, values: [String], type: String) async throws {
        let rows = values.enumerated().map { "(\($0.offset + 1), \($0.element))" }
        let script = """
            CREATE TABLE odds (id INTEGER PRIMARY KEY, v \(declared));
            INSERT INTO odds VALUES \(rows.joined(separator: ", "));
            """
        try await OddService.with(.sqlite, script, readsRows: true) { service in
            let yaml = APIDescription(service.catalogue).yaml
            let line = yaml.split(separator: "\n").first { $0.contains(" v: {") } ?? ""
            let isInt = type.hasPrefix("integer, minimum")
            #expect(line.contains("v: {type: \(isInt ? "int\(type.dropFirst(7))" : type), nullable: true}"), "\(yaml)")
            #expect(try await service.dataFindings() == [])
            let contents = try await DatabaseContents.read(service.service.database, service.schema)
            let api = APIDescription(service.catalogue)
            #expect(api.validate(against: service.schema, contents: contents).allSatisfy { $0.kind != .type })
            #expect(try api.differences(to: service.schema, contents: contents).isEmpty)
            let odds = try #require(service.catalogue["odds"])
            #expect(try await service.get(odds).elements.count == values.count)
        }
    }

    @Test("Comments have the number of values of each storage class, but no values, and suggest types of times")
    func comments() async throws {
        let script = """
            CREATE TABLE odds (id INTEGER PRIMARY KEY, amount INTEGER, made TEXT, created_at INTEGER, snow INTEGER, n INTEGER, f REAL,
                visited REAL, stamp TIMESTAMP);
            INSERT INTO odds VALUES (1, 'secret', '2024-01-31', 1706704496, 9007199254740993, 1706704496, 9e999, 728397296.5, 728397296),
                (2, 1, '2024-02-01', 1706704497, 1, 2, CAST(x'ff' AS TEXT), NULL, NULL),
                (3, 1.5, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
            """
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write { try $0.executeScript(script) }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let contents = try await DatabaseContents.read(database, schema)
            let described = try IntrospectedDescription(of: schema, contents: contents)
            let comments = Dictionary(grouping: described.comments, by: \.path).mapValues { $0.map(\.text) }
            #expect(
                comments["odds/fields/amount"] == [
                    "The column is declared INTEGER, but the rows have 1 integer, 1 floating-point number and 1 text, which are returned as stored."
                ])
            #expect(comments["odds/fields/made"] == ["If the values are dates, use: type: date"])
            #expect(
                comments["odds/fields/createdAt"] == [
                    "If the values are points in time, use: type: timestamp, stored: unixSeconds"
                ])
            let epochs = [
                "If the values are points in time in the years 2021 to 2040, use: type: timestamp, stored: cocoaSeconds",
                "If the values are points in time in the years 1990 to 2009, use: type: timestamp, stored: unixSeconds",
            ]
            #expect(comments["odds/fields/visited"] == epochs)
            #expect(comments["odds/fields/stamp"]?.suffix(2) == epochs[...])
            #expect(comments["odds/fields/snow"] == ["The column has integers outside ±9007199254740991."])
            #expect(comments["odds/fields/n"] == nil)
            #expect(comments["odds/fields/f"]?.first?.hasPrefix("JSON cannot represent 2 of the values") == true)
            #expect(!described.yaml.contains("secret"))
        }
    }

    @Test(
        "A comment suggests the type that a column would have without its empty texts, and the rows can be read with it",
        arguments: [
            ("DATETIME", "'2016-07-04 10:00:00'", "dateTime", #""2016-07-04T10:00:00""#),
            ("DATETIME", "'2011-09-06 06:00:00+00:00'", "timestamp, stored: offset", #""2011-09-06T06:00:00Z""#),
            ("TEXT", "'2016-07-04T10:00:00Z'", "timestamp, stored: utc", #""2016-07-04T10:00:00Z""#),
            ("TEXT", "'2016-07-04'", "date", #""2016-07-04""#), ("DATE", "'2016-07-04'", "date", #""2016-07-04""#),
            ("DATETIME", "1706704496", "timestamp, stored: unixSeconds", #""2024-01-31T12:34:56Z""#),
            ("DATETIME", "728397296", "timestamp, stored: cocoaSeconds", #""2024-01-31T12:34:56Z""#),
            ("TIME", "'10:00'", "time", #""10:00""#), ("INTEGER", "7", "integer", "7"),
            ("DECIMAL(5,2)", "1.5", "decimal, scale: 2", #""1.50""#), ("REAL", "1.5", "number", "1.5"),
            ("UUID", "'123e4567-e89b-12d3-a456-426614174000'", "uuid", #""123e4567-e89b-12d3-a456-426614174000""#),
        ])
    func emptyTexts(declared: String, value: String, type: String, shown: String) async throws {
        for constraint in ["", " NOT NULL"] {
            let script = """
                CREATE TABLE odds (id INTEGER PRIMARY KEY, made_at \(declared)\(constraint));
                INSERT INTO odds VALUES (1, \(value)), (2, '');
                """
            try await OddService.with(.sqlite, script, readsRows: true) { introspected in
                let nullable = constraint.isEmpty ? "" : ", nullable: true"
                #expect(introspected.suggestions["odds/fields/madeAt"] == "\(type)\(nullable), mismatch: null")
                let service = try await OddService(
                    introspected.service.database, readsRows: true, followsSuggestions: true)
                let odds = try #require(service.catalogue["odds"])
                let rows = [#"{"id":1,"madeAt":\#(shown)}"#, #"{"id":2,"madeAt":null}"#]
                #expect(try await service.get(odds).elements == rows)
                #expect(try await service.dataFindings() == [])
            }
        }
    }

    @Test("Without other values, in a key, and among other texts, empty texts have no suggestion")
    func noSuggestion() async throws {
        let script = """
            CREATE TABLE odds (id INTEGER PRIMARY KEY, a DATETIME, b DATETIME NOT NULL UNIQUE, c DATETIME);
            INSERT INTO odds VALUES (1, '', '', ''), (2, '', '2024-01-31', 'never'), (3, NULL, '2024-02-29', '2024-01-31');
            """
        try await OddService.with(.sqlite, script, readsRows: true) { #expect($0.suggestions.isEmpty) }
    }

    @Test("The error for a number of seconds that can be a time since 1970 or since 2001 names both forms")
    func ambiguousSeconds() async throws {
        let script = "CREATE TABLE odds (id INTEGER PRIMARY KEY, at DATETIME); INSERT INTO odds VALUES (1, 728397296);"
        try await OddService.with(.sqlite, script) { service in
            let findings = try await service.dataFindings()
            #expect(
                findings.first?.contains(
                    "describe the field with type: timestamp, stored: unixSeconds or stored: cocoaSeconds") == true,
                "\(findings)")
        }
    }

    @Test("The rows of a large table are read at ten places, so that the same table always has the same description")
    func places() async throws {
        // The rows are numbered with gaps of different widths.
        let script = """
            CREATE TABLE many (id INTEGER PRIMARY KEY, v INTEGER, w INTEGER);
            WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
            INSERT INTO many SELECT i * i, i, CASE WHEN i IN (0, 999) THEN 'end' ELSE i END FROM n;
            CREATE TABLE keyed (k TEXT PRIMARY KEY, v INTEGER) WITHOUT ROWID;
            INSERT INTO keyed SELECT printf('%05d', v), v FROM many;
            CREATE VIEW shown AS SELECT v, w FROM many;
            CREATE TABLE shadowed (rowid TEXT, _rowid_ TEXT, oid INTEGER);
            INSERT INTO shadowed SELECT 'a', 'b', v FROM many;
            """
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write { try $0.executeScript(script) }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            func described(_ rows: DatabaseContents.Rows) async throws -> IntrospectedDescription {
                try IntrospectedDescription(
                    of: schema, contents: try await DatabaseContents.read(database, schema, rows: rows))
            }
            let some = try await described(.some(100))
            #expect(some.yaml == (try await described(.some(100)).yaml))
            #expect(some.api.catalogue["manies"]?.field("w")?.type == .any)
            let notes = some.comments.filter { $0.text.contains("rows that were read. To check all rows") }
            #expect(Set(notes.map(\.path)) == ["manies", "keyeds", "showns", "shadoweds"])
            let all = try await described(.all)
            #expect(all.comments.allSatisfy { !$0.text.contains("To check all rows") })
            #expect(all.api.catalogue["showns"]?.field("w")?.type == .any)
        }
    }

    @Test("A primary key that is NULL in a row is no key, so that lists with the row can be read")
    func nullKey() async throws {
        let script = """
            CREATE TABLE tags (name TEXT PRIMARY KEY, n INTEGER); INSERT INTO tags VALUES ('a', 1), (NULL, 2);
            """
        try await OddService.with(.sqlite, script, readsRows: true) { service in
            let tags = try #require(service.catalogue["tags"])
            #expect(!tags.hasKey)
            #expect(Set(try await service.get(tags).elements) == [#"{"name":"a","n":1}"#, #"{"name":null,"n":2}"#])
        }
    }

    @Test("Row IDs can have any distance, and one row far from the others does not reduce the number of rows")
    func rowIDs() async throws {
        let script = """
            CREATE TABLE wide (id INTEGER PRIMARY KEY, v);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
            INSERT INTO wide SELECT i, i FROM n;
            INSERT INTO wide VALUES (-9000000000000000000, 1), (9223372036854775807, 2);
            CREATE TABLE outlier (id INTEGER PRIMARY KEY, v INTEGER);
            INSERT INTO outlier SELECT id, CASE id WHEN 90 THEN 'text' ELSE id END FROM wide WHERE id BETWEEN 1 AND 150;
            INSERT INTO outlier VALUES (9000000000000000, 1);
            """
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write { try $0.executeScript(script) }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            for count in [1, 5, 100, Int.max] {
                let contents = try await DatabaseContents.read(database, schema, rows: .some(count))
                let described = try IntrospectedDescription(of: schema, contents: contents)
                let notes = described.comments.filter { $0.text.contains("rows that were read.") }.map(\.text)
                #expect(
                    notes.allSatisfy { $0.hasPrefix("The types fit the \(count) rows") }
                        && notes.isEmpty == (count > 200))
                #expect(count < 100 || described.api.catalogue["outliers"]?.field("v")?.type == .any)
            }
        }
    }

    @Test("A table of Core Data has times since 2001. Other numbers that can be times in two forms remain numbers")
    func coreData() async throws {
        let script = """
            CREATE TABLE znote (Z_PK INTEGER PRIMARY KEY, ZCREATED TIMESTAMP); INSERT INTO znote VALUES (1, 738936000.25);
            CREATE TABLE visits (id INTEGER PRIMARY KEY, visit_time REAL); INSERT INTO visits VALUES (1, 738936000.25);
            """
        try await OddService.with(.sqlite, script, readsRows: true) { service in
            let notes = try #require(service.catalogue["znotes"])
            #expect(try await service.get(notes).elements == [#"{"zPk":1,"zcreated":"2024-06-01T12:00:00.25Z"}"#])
            let contents = try await DatabaseContents.read(service.service.database, service.schema)
            let described = try IntrospectedDescription(of: service.schema, contents: contents)
            #expect(
                described.comments.filter { $0.path == "visits/fields/visitTime" }.map(\.text) == [
                    "If the values are points in time in the years 2021 to 2040, use: type: timestamp, stored: cocoaSeconds",
                    "If the values are points in time in the years 1990 to 2009, use: type: timestamp, stored: unixSeconds",
                ])
        }
    }

    @Test("A key of times with offsets or Julian days is a text or a number, because a key needs one stored value")
    func keys() async throws {
        let script = """
            CREATE TABLE readings (sensor INTEGER NOT NULL, at DATETIME NOT NULL, PRIMARY KEY (sensor, at));
            INSERT INTO readings VALUES (1, '2024-01-01 00:00:00+01:00');
            CREATE TABLE days (day REAL PRIMARY KEY NOT NULL, at TEXT NOT NULL UNIQUE);
            INSERT INTO days VALUES (2460000.5, '2024-01-01T00:00:00+01:00');
            CREATE TABLE julian (at DATETIME PRIMARY KEY NOT NULL); INSERT INTO julian VALUES (2460000.5);
            """
        try await OddService.with(.sqlite, script, readsRows: true) { service in
            _ = try await service.checkTables()
            #expect(service.catalogue["readings"]?.field("at")?.type == .text())
            #expect(service.catalogue["julians"]?.field("at")?.type == .number)
        }
    }

    @Test("References between columns declared DATE and columns of another type lead to the rows of a join")
    func dates() async throws {
        let script = """
            CREATE TABLE days (day DATE PRIMARY KEY NOT NULL, n INTEGER);
            INSERT INTO days VALUES ('2024-01-31', 1), ('2024-02-29', 2);
            CREATE TABLE events (id INTEGER PRIMARY KEY, at DATETIME REFERENCES days (day), made TEXT REFERENCES days (day));
            INSERT INTO events VALUES (1, '2024-01-31', '2024-02-29'), (2, '2024-01-31', NULL), (3, NULL, '2024-02-29');
            """
        try await OddService.with(.sqlite, script, readsRows: true) { service in
            _ = try await service.checkTables()
            try await service.checkRelations()
        }
    }

    @Test("A view that takes too long is not read, and the comment says so", .timeLimit(.minutes(15)))
    func endlessView() async throws {
        let script = """
            CREATE VIEW a AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) AS c FROM n;
            """
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write { try $0.executeScript(script) }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let contents = try await DatabaseContents.read(database, schema, limit: .milliseconds(100))
            #expect(contents.failures == ["a": .timeLimit])
            let described = try IntrospectedDescription(of: schema, contents: contents)
            #expect(
                described.comments.contains {
                    $0.text
                        == "The types fit the 0 rows that were read before the time limit. To check all rows, use: duet validate --data"
                })
        }
    }

    @Test("After the time limit, the remaining tables are unread and have their declared types")
    func limit() async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write { try $0.executeScript("CREATE TABLE a (v INTEGER); CREATE TABLE b (v DATE);") }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let contents = try await DatabaseContents.read(database, schema, total: .zero)
            #expect(contents.failures == ["a": .timeLimit, "b": .timeLimit])
            let described = try IntrospectedDescription(of: schema, contents: contents)
            #expect(described.api.catalogue["b"]?.field("v")?.type == .date)
        }
    }
}
