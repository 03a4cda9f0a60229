import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Named parameters")
struct ParametersTests {
    private func rendered(_ sql: String, _ arguments: Arguments = [:]) throws -> String {
        try Parameters(parsing: sql).render(arguments, .sqlite).sql
    }

    @Test("A parameter with three periods takes a list, with one placeholder for each value")
    func spreadLists() throws {
        let sql = "SELECT INTERVAL(a, :limits...) FROM t WHERE b = :b"
        #expect(
            try rendered(sql, ["limits": [1, 2, 3], "b": 4]) == "SELECT INTERVAL(a, ?, ?, ?) FROM t WHERE b = ?")
        let values = try Parameters(parsing: sql).render(["limits": [1, 2], "b": 4], .mariaDB).values
        #expect(values == [1, 2, 4])
        for argument in [Arguments.Argument.list([]), 1] {
            let error = #expect(throws: DatabaseError.self) { try rendered(sql, ["limits": argument, "b": 4]) }
            #expect(error?.message == "the parameter :limits... takes a list with at least one value")
        }
    }

    @Test(
        "A colon in a text, a quoted name or a comment does not start a parameter",
        arguments: [
            ("SELECT :a", "SELECT ?"),
            ("SELECT ':a', \":a\", `:a`, :a", "SELECT ':a', \":a\", `:a`, ?"),
            ("SELECT 'it''s :b', :a", "SELECT 'it''s :b', ?"),
            ("SELECT \"a\"\":b\", `a``:b`, :a", "SELECT \"a\"\":b\", `a``:b`, ?"),
            ("SELECT `:b ? -- /* ' \" [`, :a", "SELECT `:b ? -- /* ' \" [`, ?"),
            ("SELECT ```:b``?```, :a", "SELECT ```:b``?```, ?"),
            ("SELECT \":b ? -- /* ' ` [\", :a", "SELECT \":b ? -- /* ' ` [\", ?"),
            ("SELECT [:b ? -- /* ' \" `], :a", "SELECT [:b ? -- /* ' \" `], ?"),
            ("SELECT `a\\`, `:b\\`, :a", "SELECT `a\\`, `:b\\`, ?"),
            ("SELECT `:b\n--`, [:b\n--], :a", "SELECT `:b\n--`, [:b\n--], ?"),
            ("SELECT `x IN (`, :a", "SELECT `x IN (`, ?"),
            ("SELECT :a -- not :b\n, 1", "SELECT ? -- not :b\n, 1"),
            ("SELECT :a -- to the end :b", "SELECT ? -- to the end :b"),
            ("SELECT 1 # it's not :b\n, :a", "SELECT 1 # it's not :b\n, ?"),
            ("SELECT :a # to the end :b", "SELECT ? # to the end :b"),
            ("SELECT (# x IN (\n:a)", "SELECT (# x IN (\n?)"),
            ("SELECT /* :b ' \" */ :a /**/", "SELECT /* :b ' \" */ ? /**/"),
            ("SELECT a::text, :a", "SELECT a::text, ?"),
            ("SELECT 'C:\\', :a", "SELECT 'C:\\', ?"),
            ("SELECT ':', :a, 12:30", "SELECT ':', ?, 12:30"),
            ("SELECT :a+:a,(:a)", "SELECT ?+?,(?)"),
            ("SELECT 'Grüße 東京 👩🏽‍🚀 :b', :a", "SELECT 'Grüße 東京 👩🏽‍🚀 :b', ?"),
            ("SELECT :a WHERE NOT EXISTS (SELECT 1)", "SELECT ? WHERE NOT EXISTS (SELECT 1)"),
            ("SELECT '' AS e, :a", "SELECT '' AS e, ?"),
        ])
    func scanning(_ sql: String, _ expected: String) throws {
        #expect(try rendered(sql, ["a": 1]) == expected)
    }

    @Test(
        "A list of rows is written in the syntax of the backend, and padded to a power of two",
        arguments: Dialect.allCases)
    func rows(_ dialect: Dialect) throws {
        let parameters = try Parameters(parsing: "SELECT 1 WHERE (a, b) IN (:k) AND c = :c")
        func rendered(_ rows: [[SQLValue]]) throws -> Parameters.Rendered {
            try parameters.render(["k": .rows(rows), "c": 9], dialect)
        }
        let three = try rendered([[1, "x"], [2, "y"], [3, "z"]])
        let list = "(?, ?), (?, ?), (?, ?), (?, ?)"
        #expect(
            three.sql == "SELECT 1 WHERE (a, b) IN (\(dialect == .sqlite ? "VALUES " : "")\(list)) AND c = ?")
        #expect(three.values == [1, "x", 2, "y", 3, "z", 3, "z", 9])
        #expect(try rendered([[1, "x"]]).values == [1, "x", 9])
        for rows: [[SQLValue]] in [[], [[1, "x"], [2]], [[]]] {
            #expect(throws: DatabaseError.self) { try rendered(rows) }
        }
    }

    @Test("Names consist of letters, digits and underscores, and are case-sensitive")
    func names() throws {
        let parameters = try Parameters(parsing: "SELECT :_a1, :A1, :a1b_, :a1b_")
        #expect(parameters.names == ["_a1", "A1", "a1b_"])
        let values = try parameters.render(["a1b_": 3, "A1": 2, "_a1": 1], .sqlite).values
        #expect(values == [1, 2, 3, 3])
    }

    @Test("The error for a missing or superfluous argument names the argument")
    func wrongArguments() throws {
        let parameters = try Parameters(parsing: "SELECT :first, :second")
        let missing = #expect(throws: DatabaseError.self) { try parameters.render(["first": 1], .sqlite) }
        #expect(missing?.code == .parameter)
        #expect(missing?.message.contains(":second") == true)
        let superfluous = #expect(throws: DatabaseError.self) {
            try parameters.render(["first": 1, "second": 2, "third": 3, "fourth": "secret"], .sqlite)
        }
        #expect(superfluous?.code == .parameter)
        #expect(superfluous?.message.contains(":third, :fourth") == true)
        #expect(superfluous?.description.contains("secret") == false)
        #expect(superfluous?.statement == "SELECT :first, :second")
    }

    @Test(
        "The error for a misspelled argument names the parameters of the statement",
        arguments: [
            ("SELECT :id", ["iD": 1], "the statement has no parameter for the argument :iD; its parameter is :id"),
            (
                "SELECT :id, :name", ["id": 1, "nmae": "Ada"],
                "the statement has no parameter for the argument :nmae; its parameters are :id, :name, and :name has no argument"
            ),
            ("SELECT 1", ["id": 1], "the statement has no parameter for the argument :id; it has no parameters"),
            (
                "SELECT :a, :b, :c", ["a": 1, "x": 2, "y": 3],
                "the statement has no parameter for the arguments :x, :y; its parameters are :a, :b, :c, and :b, :c have no arguments"
            ),
            ("SELECT :a, :b, :c", ["a": 1], "the parameters :b, :c have no arguments"),
        ] as [(String, Arguments, String)])
    func misspelled(_ sql: String, _ arguments: Arguments, _ message: String) throws {
        let parameters = try Parameters(parsing: sql)
        let error = #expect(throws: DatabaseError.self) { try parameters.render(arguments, .sqlite) }
        #expect(error?.code == .parameter)
        #expect(error?.message == message)
    }

    @Test(
        "Invalid parameter syntax is rejected",
        arguments: [
            "SELECT ?", "SELECT 'open", "SELECT [open", "SELECT `a``", "SELECT \"open", "SELECT `open",
            "SELECT /* open", "SELECT 'a''", "/*/",
        ])
    func refused(_ sql: String) {
        let error = #expect(throws: DatabaseError.self) { try Parameters(parsing: sql) }
        #expect(error?.code == .parameter)
        #expect(error?.statement == sql)
    }

    @Test("A question mark in a text or a comment is not a parameter")
    func questionMark() throws {
        #expect(try rendered("SELECT '?' /* ? */ -- ?") == "SELECT '?' /* ? */ -- ?")
    }

    @Test(
        "The values of a list determine its SQL form: an equality, a range or IN",
        arguments: [
            ([], "= ?", [nil]),
            ([7], "= ?", [7]),
            ([7, 8], "BETWEEN ? AND ?", [7, 8]),
            ([7, 8, 9, 10], "BETWEEN ? AND ?", [7, 10]),
            ([8, 7], "IN (?, ?)", [8, 7]),
            ([1, 3], "IN (?, ?)", [1, 3]),
            ([1, 1], "IN (?, ?)", [1, 1]),
            ([1, 2, 4], "IN (?, ?, ?, ?)", [1, 2, 4, 4]),
            ([1, 2, 3, 5, 6], "IN (?, ?, ?, ?, ?, ?, ?, ?)", [1, 2, 3, 5, 6, 6, 6, 6]),
            (["a", "b"], "IN (?, ?)", ["a", "b"]),
            ([.integer(.max), .integer(.min)], "IN (?, ?)", [.integer(.max), .integer(.min)]),
            ([.integer(.max - 1), .integer(.max)], "BETWEEN ? AND ?", [.integer(.max - 1), .integer(.max)]),
            ([1, nil], "IN (?, ?)", [1, nil]),
        ] as [([SQLValue], String, [SQLValue])])
    func lists(_ list: [SQLValue], _ shape: String, _ values: [SQLValue]) throws {
        let rendered = try Parameters(parsing: "SELECT 1 WHERE x IN (:list) AND y")
            .render(["list": .list(list)], .sqlite)
        #expect(rendered.sql == "SELECT 1 WHERE x \(shape) AND y")
        #expect(rendered.values == values)
    }

    @Test(
        "IN is recognized in any case and with any white space",
        arguments: [
            ("x IN (:l)", "x = ?"), ("x in(:l)", "x = ?"), ("x In \n ( \t:l\r\n )", "x = ?"), ("(x)IN(:l)", "(x)= ?"),
            ("`x`IN (:l)", "`x`= ?"), ("x = :l", "x = ?"), ("min (:l)", "min (?)"), ("x IN (:l, 1)", "x IN (?, 1)"),
            ("x IN (1, :l)", "x IN (1, ?)"), ("x IN (:l + 1)", "x IN (?+ 1)"), ("x NOT IN (:l)", "x NOT IN (?)"),
            ("x not\n in (:l)", "x not\n in (?)"), ("knot IN (:l)", "knot = ?"), ("x -- in\n (:l)", "x -- in\n (?)"),
            ("x /* IN */ (:l)", "x /* IN */ (?)"), ("'in' (:l)", "'in' (?)"),
        ])
    func listPlaces(_ sql: String, _ expected: String) throws {
        #expect(try rendered(sql, ["l": 1]) == expected.replacing("?+", with: "? +"))
    }

    @Test(
        "A list without IN and a list in NOT IN are rejected",
        arguments: [
            "x = :l", "x NOT IN (:l)", "x IN (:l, 1)", "x IN (SELECT :l)",
        ])
    func misplacedList(_ sql: String) {
        let error = #expect(throws: DatabaseError.self) { try rendered(sql, ["l": [1, 2]]) }
        #expect(error?.code == .parameter)
        #expect(error?.message.contains(":l") == true)
    }

    @Test("The error for a list next to other values of IN says how to write the list")
    func listBesideValues() throws {
        let error = #expect(throws: DatabaseError.self) {
            try rendered("SELECT 1 WHERE n IN (:ids, 5)", ["ids": [1, 2]])
        }
        #expect(
            error?.description
                == "the parameter :ids takes a single value; a list needs IN (:ids), with no other value in the parentheses; statement: SELECT 1 WHERE n IN (:ids, 5)"
        )
    }

    @Test(
        "A list in NOT IN is rejected with the reason and an alternative", arguments: TestBackend.available)
    func excludedList(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, _ in
            try await database.write { connection in
                try connection.execute("CREATE TABLE t (n INTEGER)")
                try connection.execute("INSERT INTO t VALUES (1), (2), (NULL)")
            }
            let error = await failure {
                try await database.read { try $0.query("SELECT n FROM t WHERE n not in (:ns)", ["ns": [1]]).rows() }
            }
            #expect(error?.code == .parameter)
            #expect(error?.message.contains("NOT IN (:ns) takes no list") == true)
            #expect(error?.message.contains("(column IN (:ns)) IS NOT TRUE") == true)
            // The statement that the error recommends returns the rows that are not in the list.
            for (list, rows) in [([], [nil, 1, 2]), ([1], [nil, 2]), ([1, 2], [nil]), ([2, nil], [nil, 1])]
                as [([SQLValue], [SQLValue])]
            {
                let found = try await database.read {
                    try $0.query("SELECT n FROM t WHERE (n IN (:ns)) IS NOT TRUE ORDER BY n", ["ns": .list(list)])
                        .rows()
                }
                #expect(found == rows.map { [$0] })
            }
        }
    }

    @Test("The values of lists and of other parameters are bound in the order of the parameters")
    func mixed() throws {
        let rendered = try Parameters(parsing: "SELECT :b WHERE x IN (:l) AND y = :a AND z IN (:l) AND w IN (:m)")
            .render(["a": "A", "b": "B", "l": [5, 1], "m": [3, 4]], .sqlite)
        #expect(rendered.sql == "SELECT ? WHERE x IN (?, ?) AND y = ? AND z IN (?, ?) AND w BETWEEN ? AND ?")
        #expect(rendered.values == ["B", 5, 1, "A", 5, 1, 3, 4])
    }

    @Test("Values never become part of the SQL text", arguments: ["'; DROP TABLE t; --", ":a", "?", "*/ 1", "\u{0}"])
    func neverSpliced(_ text: String) throws {
        let parameters = try Parameters(parsing: "SELECT :a WHERE b IN (:l)")
        #expect(
            try parameters.render(["a": .text(text), "l": [.text(text), "x"]], .sqlite).sql
                == "SELECT ? WHERE b IN (?, ?)")
    }

    @Test("If an argument name occurs twice, the last value applies. Arguments can be replaced and removed")
    func argumentsTwice() {
        var arguments: Arguments = ["a": 1, "b": 2, "a": 3]
        #expect(arguments["a"] == 3)
        arguments["a"] = nil
        #expect(arguments["a"] == nil)
        arguments["b"] = "two"
        #expect(arguments["b"] == "two")
        arguments["b"] = nil
        #expect(arguments.isEmpty)
    }

    @Test("A list matches the same rows in every SQL form", arguments: TestBackend.available)
    func execution(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    "CREATE TABLE t (n INTEGER, c VARCHAR(20)); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'it''s'), (NULL, NULL)"
                )
            }
            let cases: [(Arguments.Argument, Int)] = [
                ([], 0), ([2], 1), ([1, 2, 3], 3), ([3, 1], 2), ([1, 2, 9, 3], 3), ([nil], 0), ([1, nil], 1), (2, 1),
            ]
            for (list, count) in cases {
                let rows = try await database.read {
                    try $0.query("SELECT n FROM t WHERE n IN (:l)", ["l": list]).rows()
                }
                #expect(rows.count == count)
            }
            let texts = try await database.read {
                try $0.query("SELECT n FROM t WHERE c IN (:l) ORDER BY n", ["l": ["it's", "a", "' OR 1=1 --"]]).rows()
            }
            #expect(texts == [[1], [3]])
        }
    }

    @Test(
        "A script is split at its semicolons",
        arguments: [
            ("", []), (" ;\n; ", []), ("A", ["A"]), ("A;B", ["A", "B"]),
            ("A 'x;y' ; B \"x;\"\"\" ; C `;`", ["A 'x;y'", "B \"x;\"\"\"", "C `;`"]),
            ("A -- ; no\n; B", ["A", "B"]), ("A # ; it's no\n; B", ["A", "B"]), ("A /* ; */ B;", ["A   B"]),
            ("A/**/B", ["A B"]), ("-- only a comment", []), ("# only a comment", []),
            ("A 'it''s; so'; B", ["A 'it''s; so'", "B"]), ("A [x;'y] ; B", ["A [x;'y]", "B"]), ("'ü;東' ;", ["'ü;東'"]),
        ])
    func script(_ text: String, _ statements: [String]) throws {
        #expect(try SQLScript(text).statements == statements)
    }

    @Test(
        "A script with an unterminated quote or comment is rejected",
        arguments: ["A 'x", "A /* x", "A `x", "A [x", "'"])
    func openScript(_ text: String) {
        #expect(throws: DatabaseError.self) { try SQLScript(text) }
    }
}
