import DuetJSON
import DuetResourceService
import ProcessTesting
import TestSupport
import Testing

@Suite("Stored values in groups") struct StoredValueGroupTests {
    /// Values of several types. The second row has values that do not have the types, and the third row has NULL.
    private static let script = """
        CREATE TABLE odds (id INTEGER NOT NULL PRIMARY KEY, flag SMALLINT, kind VARCHAR(10), guid VARCHAR(36),
            tm VARCHAR(20), big BIGINT);
        INSERT INTO odds VALUES
            (1, 1, 'red', '123e4567-e89b-12d3-a456-426614174000', '07:30:00', 9007199254740991),
            (2, 2, 'pink', '123e4567', 'noon', 9007199254740993), (3, NULL, NULL, NULL, NULL, NULL),
            (4, 1, 'blue', '00000000-0000-0000-0000-000000000000', '12:00:00', -5);
        """

    private static func description(_ member: String) -> String {
        """
        duet: 1
        resources:
          odds:
            singular: odd
            type: Odd
            key: [id]
            fields:
              id: {type: int}
              flag: {type: boolean, nullable: true\(member)}
              kind: {type: enum, name: Kind, values: [blue, red], nullable: true\(member)}
              guid: {type: uuid, nullable: true\(member)}
              tm: {type: time, nullable: true\(member)}
              big: {type: integer, nullable: true\(member)}

        """
    }

    @Test(
        "A value that does not have the type is NULL in groups, aggregates and rows if the field has mismatch: null",
        arguments: TestBackend.available)
    func nullified(_ backend: TestBackend) async throws {
        let description = Self.description(", mismatch: null")
        try await WritableShop.with(backend, script: Self.script, description: description) { shop in
            for field in ["flag", "kind", "guid", "tm", "big"] {
                let rows = try await shop.send("GET", "/odds?fields=\(field)").json
                guard case .array(let elements) = rows else { return #expect(rows == []) }
                let values = elements.map { $0[field] ?? .null }
                let known = values.filter { $0 != .null }
                #expect(known.count == 2, "\(field)")
                let groups = try await shop.send("GET", "/odds?group=\(field)&aggregate=count").json
                guard case .array(let found) = groups else { return #expect(groups == []) }
                #expect(found.first == [field: nil, "count": 2], "\(groups)")
                #expect(Set(found.compactMap { $0[field] }) == Set(values), "\(groups)")
                let pages = try await shop.pages("/odds?group=\(field)&aggregate=count")
                #expect(pages == found)
                let all = try await shop.send("GET", "/odds?aggregate=\(field).count,\(field).countDistinct").json
                let distinct = Int64(Set(known).count)
                #expect(all == ["\(field).count": 2, "\(field).countDistinct": .integer(distinct)], "\(all)")
            }
            let numbers = try await shop.send("GET", "/odds?aggregate=flag.sum,big.sum,big.max,kind.min,tm.max")
            #expect(
                numbers.body == """
                    {"flag.sum":2,"big.sum":9007199254740986,"big.max":9007199254740991,"kind.min":"blue",\
                    "tm.max":"12:00:00"}
                    """)
        }
    }

    @Test(
        "Without mismatch: null, such a value is an error that names the field, in both styles",
        arguments: TestBackend.available)
    func mismatches(_ backend: TestBackend) async throws {
        let description = Self.description("")
        try await WritableShop.with(backend, script: Self.script, description: description) { shop in
            for field in ["flag", "kind", "guid", "tm", "big"] {
                for query in ["group=\(field)", "aggregate=\(field).count", "aggregate=\(field).countDistinct"] {
                    let answer = try await shop.send("GET", "/odds?\(query)")
                    #expect(
                        answer.status == 500 && answer.body.contains("value-mismatch")
                            && answer.body.contains("odds.\(field) is declared as "), "\(query): \(answer.body)")
                }
                let answer = try await shop.execute("{ oddsAggregate { \(field) { count } } }").compactText
                #expect(
                    answer.contains("VALUE_MISMATCH") && answer.contains("odds.\(field) is"), "\(field): \(answer)")
            }
            let sum = try await shop.send("GET", "/odds?aggregate=flag.sum")
            #expect(sum.status == 500 && sum.body.contains("odds.flag is declared as 0 or 1"), "\(sum.body)")
        }
    }

    @Test("A number of SQLite that does not have the type is an error that names the field")
    func numbers() async throws {
        let script = """
            CREATE TABLE odds (id INTEGER NOT NULL PRIMARY KEY, n INTEGER, price DECIMAL(9,2), weight REAL, day DATE);
            INSERT INTO odds VALUES (1, 'many', 'cheap', 'heavy', 'today'), (2, 1, 0.5, 1.5, '2024-01-01');
            """
        let description = """
            duet: 1
            resources:
              odds:
                singular: odd
                type: Odd
                key: [id]
                fields:
                  id: {type: int}
                  n: {type: integer, nullable: true}
                  price: {type: decimal, scale: 2, nullable: true}
                  weight: {type: number, nullable: true}
                  day: {type: date, nullable: true}

            """
        try await WritableShop.with(.sqlite, script: script, description: description) { shop in
            for (name, found) in [("n", "many"), ("price", "cheap"), ("weight", "heavy")] {
                for function in ["sum", "avg", "count", "countDistinct", "max"] {
                    let answer = try await shop.send("GET", "/odds?aggregate=\(name).\(function)")
                    #expect(
                        answer.status == 500 && answer.body.contains("value-mismatch")
                            && answer.body.contains("odds.\(name)") && answer.body.contains(found),
                        "\(name).\(function): \(answer.body)")
                }
            }
            let part = try await shop.send("GET", "/odds?group=day.month")
            #expect(part.status == 500 && part.body.contains("odds.day is declared as a date"), "\(part.body)")
            let other = try await shop.send("GET", "/odds?id=2&aggregate=n.sum,price.sum,weight.avg,day.max")
            #expect(other.body == #"{"n.sum":1,"price.sum":"0.50","weight.avg":1.5,"day.max":"2024-01-01"}"#)
        }
    }

    @Test(
        "Zero dates of MariaDB are NULL in groups of a nullable field, and an error otherwise",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func zeroDates() async throws {
        let script = """
            CREATE TABLE visits (id INTEGER NOT NULL PRIMARY KEY, day DATE, at DATETIME, made DATE NOT NULL);
            SET STATEMENT sql_mode = '' FOR INSERT INTO visits VALUES
                (1, '0000-00-00', '0000-00-00 00:00:00', '2024-01-01'), (2, NULL, NULL, '0000-00-00'),
                (3, '2024-00-10', '2024-00-10 00:00:00', '2024-01-02'),
                (4, '2023-05-06', '2023-05-06 07:08:09', '2024-01-02');
            """
        let description = """
            duet: 1
            resources:
              visits:
                singular: visit
                type: Visit
                key: [id]
                fields:
                  id: {type: int}
                  day: {type: date, nullable: true}
                  at: {type: timestamp, nullable: true}
                  made: {type: date}

            """
        try await WritableShop.with(.mariaDB, script: script, description: description) { shop in
            for (field, value) in [("day", "2023-05-06"), ("at", "2023-05-06T07:08:09Z")] {
                let rows = try await shop.send("GET", "/visits?fields=\(field)")
                let null = #"{"\#(field)":null}"#
                #expect(rows.body == #"[\#(null),\#(null),\#(null),{"\#(field)":"\#(value)"}]"#)
                let path = "/visits?group=\(field)&aggregate=count,\(field).count,\(field).countDistinct,\(field).min"
                let groups = try await shop.send("GET", path)
                #expect(
                    groups.body == """
                        [{"\(field)":null,"count":3,"\(field).count":0,"\(field).countDistinct":0,"\(field).min":null},\
                        {"\(field)":"\(value)","count":1,"\(field).count":1,"\(field).countDistinct":1,\
                        "\(field).min":"\(value)"}]
                        """)
                let pages = try await shop.pages(path)
                #expect(groups.elements == pages)
                let months = try await shop.send(
                    "GET", "/visits?group=\(field).month&aggregate=count&timeZone=Europe/Paris")
                #expect(
                    months.body
                        == #"[{"\#(field).month":null,"count":3},{"\#(field).month":"2023-05","count":1}]"#)
                let null2 = try await shop.send("GET", "/visits?id.lt=3&aggregate=\(field).max,\(field).min")
                #expect(null2.body == #"{"\#(field).max":null,"\#(field).min":null}"#)
            }
            // The greatest value is neither a date nor a zero date that filters treat as NULL.
            let partial = try await shop.send("GET", "/visits?aggregate=day.max")
            #expect(partial.status == 500 && partial.body.contains("value-mismatch"), "\(partial.body)")
            for query in [
                "group=made", "group=made.year", "aggregate=made.count", "aggregate=made.min",
                "aggregate=made.countDistinct",
            ] {
                let answer = try await shop.send("GET", "/visits?\(query)")
                #expect(
                    answer.status == 500 && answer.body.contains("value-mismatch")
                        && answer.body.contains("visits.made"), "\(query): \(answer.body)")
            }
            let other = try await shop.send("GET", "/visits?id.ne=2&aggregate=made.count,made.countDistinct,made.min")
            #expect(other.body == #"{"made.count":3,"made.countDistinct":2,"made.min":"2024-01-01"}"#)
        }
    }

    @Test("Spellings of one time, and of one UUID, are one group and one value on SQLite")
    func spellings() async throws {
        let script = """
            CREATE TABLE odds (id INTEGER NOT NULL PRIMARY KEY, tm TEXT, guid TEXT, at TEXT, made TEXT, price TEXT);
            INSERT INTO odds VALUES
                (1, '07:30', 'ABCDEF00-0000-0000-0000-000000000000', '2024-01-01T10:00:00Z', '2024-01-01 10:00:00', '1.5'),
                (2, '07:30:00', 'abcdef00-0000-0000-0000-000000000000', '2024-01-01T10:00:00.000Z', '2024-01-01 10:00:00.0', '1.50'),
                (3, '07:30:00.0', 'abcdef00-0000-0000-0000-000000000001', '2024-01-01T10:00:00.500Z', '2024-01-01 10:00:00.50', '10'),
                (4, '07:30:00.5', NULL, '2024-01-01T10:00:00.5Z', '2024-01-01 10:00:00.5', '9');
            """
        let description = """
            duet: 1
            resources:
              odds:
                singular: odd
                type: Odd
                key: [id]
                fields:
                  id: {type: int}
                  tm: {type: time}
                  guid: {type: uuid, nullable: true}
                  at: {type: timestamp, stored: utc}
                  made: {type: dateTime}
                  price: {type: decimal, scale: 2}

            """
        try await WritableShop.with(.sqlite, script: script, description: description) { shop in
            // The spelling with the smallest bytes represents a group.
            for (field, keys, count) in [
                ("tm", [#""07:30""#, #""07:30:00.5""#], 2),
                (
                    "guid",
                    ["null"]
                        + [0, 1].map { #""\#($0 == 0 ? "ABCDEF" : "abcdef")00-0000-0000-0000-00000000000\#($0)""# }, 2
                ),
                ("at", [#""2024-01-01T10:00:00.000Z""#, #""2024-01-01T10:00:00.500Z""#], 2),
                ("made", [#""2024-01-01T10:00:00""#, #""2024-01-01T10:00:00.5""#], 2),
                ("price", [#""1.50""#, #""9.00""#, #""10.00""#], 3),
            ] {
                let path = "/odds?group=\(field)"
                let groups = try await shop.send("GET", path)
                #expect(groups.body == "[\(keys.map { #"{"\#(field)":\#($0)}"# }.joined(separator: ","))]")
                let pages = try await shop.pages(path)
                #expect(groups.elements == pages)
                let distinct = try await shop.send("GET", "/odds?aggregate=\(field).countDistinct")
                #expect(distinct.body == #"{"\#(field).countDistinct":\#(count)}"#)
            }
            for (having, count) in [
                (#"{"tm.min":{"eq":"07:30:00.000"}}"#, 3), (#"{"tm.min":{"in":["07:30"]}}"#, 3),
                (#"{"tm.min":{"gt":"07:30:00.0"}}"#, 1), (#"{"at.min":{"eq":"2024-01-01T10:00:00.0Z"}}"#, 2),
                (#"{"at.min":{"gt":"2024-01-01T10:00:00Z"}}"#, 2), (#"{"price.max":{"gte":"9"}}"#, 2),
                (#"{"price.max":{"eq":"1.500"}}"#, 2),
            ] {
                let answer = try await shop.send(
                    "GET", "/odds?group=id&aggregate=tm.min,at.min,price.max&having=\(having.queryValue)")
                #expect(answer.elements.count == count, "\(having): \(answer.body)")
            }
            let extremes = try await shop.send("GET", "/odds?aggregate=price.min,price.max")
            #expect(extremes.body == #"{"price.min":"1.50","price.max":"10.00"}"#)
        }
    }

    @Test("For each type, groups of SQLite have the values that rows show, and NULL for all others")
    func agreement() async throws {
        let types = [
            ("a", "integer"), ("b", "bigInteger"), ("c", "number"), ("d", "decimal, scale: 2"), ("e", "boolean"),
            ("f", "text, maxLength: 200"), ("g", "enum, name: Color, values: [red, blue]"), ("h", "uuid"),
            ("i", "time"),
            ("j", "date"), ("k", "dateTime"), ("l", "dateTime, stored: iso"), ("m", "timestamp, stored: utc"),
            ("n", "timestamp, stored: offset"), ("o", "timestamp, stored: unixSeconds"),
            ("p", "timestamp, stored: julianDays"), ("q", "text, charset: utf8, maxLength: 200"), ("r", "dateTime"),
            ("s", "timestamp, stored: utc"),
        ]
        let values = [
            "1", "0", "2", "-5", "9007199254740991", "9007199254740992", "9223372036854775807", "1.5", "1.0", "9e999",
            "-9e999", "1e300", "'1'", "'1.50'", "'-0.5'", "'.5'", "'1e5'", "''", "'a'", "'red'", "'RED'",
            "CAST(x'61ff' AS TEXT)", "x'61'", "x'61ff'", "x''", "x'726564'", "'07:30'", "'07:30:00'", "'7:30:00'",
            "'107:30:00'", "'-07:30:00.5'", "'07:30:00.'", "'24:00:00'", "'2024-02-29'", "'2023-02-29'",
            "'0000-00-00'", "'2024-00-10'", "'0000-01-01'", "'2024-02-29 10:00:00'", "'2024-02-29 10:00:00.50'",
            "'2024-02-29T10:00:00'", "'2024-02-29T10:00:00Z'", "'2024-02-29T10:00:00.500Z'", "'2024-02-29 24:00:00'",
            "'2024-02-29 10:00'", "'2024-02-29 10:00:00+01:00'", "'2024-02-29T09:00:00+00:00'",
            "'123e4567-e89b-12d3-a456-426614174000'", "'123E4567-E89B-12D3-A456-426614174000'",
            "'123e4567e89b12d3a456426614174000'", "1706704496", "2460375.5", "1e12", "-62167219201", "NULL",
        ]
        // The last columns are those in which a date without a time is valid.
        let columns = types.map { ["r", "s"].contains($0.0) ? "\($0.0) DATE" : $0.0 }.joined(separator: ", ")
        let rows = values.enumerated().map { index, value in
            "(\(([String(index)] + types.map { _ in value }).joined(separator: ", ")))"
        }
        let script = """
            CREATE TABLE odds (id INTEGER NOT NULL PRIMARY KEY, \(columns));
            INSERT INTO odds VALUES \(rows.joined(separator: ", "));
            """
        let fields = types.map { "      \($0.0): {type: \($0.1), nullable: true, mismatch: null}" }
        let description = """
            duet: 1
            resources:
              odds:
                singular: odd
                type: Odd
                key: [id]
                fields:
                  id: {type: int}
            \(fields.joined(separator: "\n"))

            """
        try await WritableShop.with(.sqlite, script: script, description: description) { shop in
            for (name, type) in types {
                let shown = try await shop.send("GET", "/odds?fields=\(name)").elements.map { $0[name] ?? .null }
                let known = shown.filter { $0 != .null }
                let counts = try await shop.send("GET", "/odds?aggregate=\(name).count").json
                #expect(counts["\(name).count"] == .integer(Int64(known.count)), "\(type): \(known)")
                guard !["number", "timestamp, stored: offset", "timestamp, stored: julianDays"].contains(type) else {
                    continue
                }
                let groups = try await shop.send("GET", "/odds?group=\(name)&aggregate=count")
                #expect(groups.status == 200, "\(type): \(groups.body)")
                let found = groups.elements.map { ($0[name] ?? .null, $0["count"]?.integerValue ?? 0) }
                let nulls = found.filter { $0.0 == .null }
                #expect(nulls.map(\.1) == [Int64(shown.count - known.count)], "\(type): \(groups.body)")
                #expect(Set(found.map(\.0)).isSubset(of: Set(shown)), "\(type): \(groups.body)")
                #expect(found.reduce(0) { $0 + $1.1 } == Int64(values.count), "\(type): \(groups.body)")
                let pages = try await shop.pages("/odds?group=\(name)&aggregate=count", size: 2)
                #expect(pages == groups.elements, "\(type)")
            }
        }
    }
}
