import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("Incorrect use of the adapter is an error that contains a remedy")
struct MisuseTests {
    private static let schema = """
        CREATE TABLE orders (number INTEGER NOT NULL PRIMARY KEY, customer VARCHAR(8) NOT NULL, note VARCHAR(20));
        CREATE TABLE order_lines (number INTEGER NOT NULL, position INTEGER NOT NULL, product VARCHAR(20) NOT NULL);
        CREATE TABLE prices (product VARCHAR(20) NOT NULL, price INTEGER NOT NULL);
        INSERT INTO orders VALUES (1, 'a', 'x'), (2, 'b', NULL), (30, 'a', NULL);
        INSERT INTO order_lines VALUES (1, 1, 'tea'), (1, 2, 'cup'), (2, 1, 'tea'), (30, 1, 'pot');
        INSERT INTO prices VALUES ('tea', 5), ('cup', 7);
        """
    private static let orders = "SELECT number, customer FROM orders ORDER BY number"
    private static let lines = """
        SELECT number, product FROM order_lines WHERE number IN (:number) ORDER BY number, position
        """

    /// The ways to write rows with attachments.
    enum Way: String, CaseIterable {
        case list, object
    }

    private func with(_ backend: TestBackend, _ body: (Database) async throws -> Void) async throws {
        try await TestDatabase.with(backend, schema: false, configuration: DatabaseConfiguration(poolSize: 1)) {
            try await $0.write { try $0.executeScript(Self.schema) }
            try await body($0)
        }
    }

    private func json(
        _ database: Database, _ sql: String = orders, _ way: Way = .list, known: Arguments = [:],
        shape: ObjectShape? = nil, attach: @escaping @Sendable (ResultSetAdapter) throws -> Void = { _ in }
    ) async throws -> String {
        try await database.read { connection in
            let adapter = ResultSetAdapter(
                try connection.query(sql), on: connection, encoding: ValueEncoding(dates: .iso), shape: shape,
                known: known)
            try attach(adapter)
            var buffer = ByteBuffer()
            switch way {
            case .list: _ = try adapter.write(.json, to: &buffer)
            case .object: _ = try adapter.writeObject(to: &buffer)
            }
            return String(buffer: buffer)
        }
    }

    /// Expects an error when rows are written, and returns its message.
    private func refusal(
        _ database: Database, _ sql: String = orders, _ way: Way = .list, known: Arguments = [:],
        shape: ObjectShape? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        attach: @escaping @Sendable (ResultSetAdapter) throws -> Void = { _ in }
    ) async -> String {
        do {
            let text = try await json(database, sql, way, known: known, shape: shape, attach: attach)
            Issue.record("it was written: \(text)", sourceLocation: sourceLocation)
            return ""
        } catch {
            #expect((error as? DatabaseError)?.statement != nil, sourceLocation: sourceLocation)
            return (error as? DatabaseError)?.message ?? "\(error)"
        }
    }

    // MARK: Attached queries

    @Test(
        "An attached query that does not begin with the key is an error, in lists and in objects",
        arguments: TestBackend.available, Way.allCases)
    func keyNotFirst(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            for sql in [
                "SELECT product, number FROM order_lines WHERE number IN (:number) ORDER BY number, position",
                "SELECT position + 70 AS p, number FROM order_lines WHERE number IN (:number) ORDER BY number, position",
                "SELECT NULL AS missing, number FROM order_lines WHERE number IN (:number) ORDER BY number, position",
            ] {
                let message = await refusal(database, Self.orders, way) { try $0.attach("lines", for: "number", sql) }
                #expect(message.hasPrefix("the attached member lines: its rows must begin with the key"))
                #expect(message.contains("compared with :number"))
            }
            let known = await refusal(database, Self.orders, .object, known: ["number": 1]) {
                try $0.attach(
                    "lines", for: "number",
                    "SELECT UPPER(product) AS p, number FROM order_lines WHERE number IN (:number) ORDER BY number")
            }
            #expect(
                known.contains(
                    "number is compared with :number, but the query selects an expression of product first; "))
        }
    }

    @Test(
        "Attached pages and nested attachments must begin with the key", arguments: TestBackend.available)
    func keyNotFirstBelow(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let prices = "SELECT price, product FROM prices WHERE product IN (:product) ORDER BY price"
            let nested = await refusal(database) {
                try $0.attach(
                    "lines", for: "number", Self.lines, attachments: [Attachment("prices", for: ["product"], prices)])
            }
            #expect(nested.hasPrefix("the attached member prices: its rows must begin with the key"))
            let page = PageForm(
                PageShape([.rows(name: "rows", ObjectShape([(name: "p", column: 0)]))], cursor: Self.noCursor),
                limit: 9,
                count: nil)
            for way in Way.allCases {
                let message = await refusal(database, Self.orders, way) {
                    try $0.attach(
                        AttachedMember("lines", form: .page(page)), for: "number",
                        "SELECT product, number FROM order_lines WHERE number IN (:number) ORDER BY number")
                }
                #expect(message.hasPrefix("the attached member lines: its rows must begin with the key"))
            }
        }
    }

    private static let noCursor = PageShape.Cursor(columns: []) { _ in "" }

    @Test("A composite key in the wrong column order is an error", arguments: TestBackend.available)
    func severalColumns(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let right = try await json(database, "SELECT number, position FROM order_lines ORDER BY number, position") {
                try $0.attach(
                    Attachment(
                        "same", for: ["number", "position"],
                        """
                        SELECT number, position, product FROM order_lines
                        WHERE (number, position) IN (:number_position) ORDER BY number, position
                        """))
            }
            #expect(right.hasPrefix(#"[{"number":1,"position":1,"same":[{"product":"tea"}]},"#))
            let swapped = await refusal(database, "SELECT number, position FROM order_lines ORDER BY number, position")
            {
                try $0.attach(
                    Attachment(
                        "same", for: ["number", "position"],
                        """
                        SELECT position + 0 AS p, number + 0 AS n, product FROM order_lines
                        WHERE (number, position) IN (:number_position) ORDER BY number, position
                        """))
            }
            #expect(
                swapped.contains(
                    "number, position is compared with :number_position, but the query selects an expression of position, an expression of number first; "
                ))
        }
    }

    @Test("The first column of an attached query can have any label", arguments: TestBackend.available, Way.allCases)
    func otherLabel(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            let text = try await json(database, "SELECT number AS id FROM orders WHERE number = 2", way) {
                try $0.attach(
                    "lines", for: "id", "SELECT number, product FROM order_lines WHERE number IN (:id) ORDER BY number")
            }
            #expect(text == (way == .list ? "[%]" : "%").replacing("%", with: #"{"id":2,"lines":[{"product":"tea"}]}"#))
        }
    }

    @Test(
        "In a list, a key that is equal only by a collation is an error. For one parent row, it is valid",
        arguments: TestBackend.available)
    func collation(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let collation = backend == .sqlite ? "NOCASE" : "utf8mb4_general_ci"
            try await database.write { connection in
                try connection.execute(
                    "CREATE TABLE labels (name VARCHAR(8) COLLATE \(collation) NOT NULL, color VARCHAR(8))")
                try connection.execute("INSERT INTO labels VALUES ('A', 'red'), ('b', 'blue')")
            }
            let sql = "SELECT name, color FROM labels WHERE name IN (:customer) ORDER BY name"
            let parents = "SELECT customer FROM orders WHERE number < 3 ORDER BY number"
            let list = await refusal(database, parents) { try $0.attach("labels", for: "customer", sql) }
            #expect(list.hasPrefix("the attached member labels: a row has the key A, but no parent row has a key"))
            // The remedy of the error.
            let joined = try await json(database, parents) {
                try $0.attach(
                    "labels", for: "customer",
                    """
                    SELECT DISTINCT o.customer, l.color FROM labels l JOIN orders o ON l.name = o.customer
                    WHERE o.customer IN (:customer) ORDER BY o.customer
                    """)
            }
            #expect(
                joined
                    == #"[{"customer":"a","labels":[{"color":"red"}]},{"customer":"b","labels":[{"color":"blue"}]}]"#)
            let page = PageForm(
                PageShape(
                    [.rows(name: "rows", ObjectShape([.column(name: "color", "color")])), .totalCount(name: "count")],
                    cursor: Self.noCursor),
                limit: 9,
                count: .init("SELECT name, COUNT(*) FROM labels WHERE name IN (:customer) GROUP BY name"))
            for known in [[:], ["customer": "a"]] as [Arguments] {
                let object = try await json(
                    database, "SELECT customer FROM orders WHERE number = 1", .object, known: known
                ) {
                    try $0.attach("labels", for: "customer", sql)
                    try $0.attach(AttachedMember("page", form: .page(page)), for: "customer", sql)
                }
                #expect(
                    object
                        == #"{"customer":"a","labels":[{"color":"red"}],"page":{"rows":[{"color":"red"}],"count":1}}"#)
            }
        }
    }

    @Test(
        "In a list, a key whose type differs from the type of the parent key is an error",
        arguments: TestBackend.available)
    func otherType(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let type = backend == .sqlite ? "TEXT" : "CHAR"
            let message = await refusal(database, "SELECT CAST(number AS \(type)) AS number FROM orders") {
                try $0.attach("lines", for: "number", Self.lines)
            }
            #expect(message.contains("CAST them to the type of the key if their type differs"))
        }
    }

    @Test(
        "Rows of one key that are not adjacent are an error that suggests the order",
        arguments: TestBackend.available)
    func scattered(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let message = await refusal(database) {
                try $0.attach(
                    "lines", for: "number",
                    "SELECT number, product FROM order_lines WHERE number IN (:number) ORDER BY product")
            }
            #expect(message.contains("lines: the rows of one key must be consecutive; ORDER BY number first"))
        }
    }

    @Test(
        "An attached query requires the parameter of its key, even if no row needs it",
        arguments: TestBackend.available, Way.allCases)
    func missingParameter(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            for sql in [
                "SELECT number FROM orders WHERE number = 1", "SELECT note AS number FROM orders WHERE number = 2",
            ] {
                let message = await refusal(database, sql, way) {
                    try $0.attach("lines", for: "number", "SELECT number, product FROM order_lines ORDER BY number")
                }
                #expect(
                    message
                        == "the attached member lines: its query has no parameter for the key; it needs the condition column IN (:number)"
                )
            }
            let single = await refusal(database) {
                try $0.attach("lines", for: "number", "SELECT number, product FROM order_lines WHERE number = :number")
            }
            #expect(
                single.contains("lines: the parameter :number takes a single value; a list needs IN (:number), with no")
            )
        }
    }

    @Test("An attached query with fewer columns than the key is an error", arguments: TestBackend.available)
    func tooFewColumns(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let message = await refusal(database, "SELECT number, position FROM order_lines ORDER BY number, position")
            {
                try $0.attach(
                    Attachment(
                        "same", for: ["number", "position"],
                        "SELECT number FROM order_lines WHERE (number, position) IN (:number_position)"))
            }
            #expect(message.contains("same: its query has 1 columns; it must begin with the 2 columns of the key"))
        }
    }

    @Test(
        "An attachment whose key is not a column of the parent rows is an error before any row is read",
        arguments: TestBackend.available,
        Way.allCases)
    func missingKeyColumn(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            let message = await refusal(database, "SELECT number, customer FROM orders WHERE number = 99", way) {
                try $0.attach("lines", for: "order", "SELECT number FROM order_lines WHERE number IN (:order)")
            }
            #expect(
                message
                    == "the attached member lines: the parent rows have no column order for the key; "
                    + "their columns are number, customer")
        }
    }

    @Test("An argument with the name of the key's parameter is an error", arguments: TestBackend.available)
    func reservedArgument(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let message = await refusal(database) { try $0.attach("lines", for: "number", Self.lines, ["number": 1]) }
            #expect(message.contains("lines: its argument number has the name of the key's parameter"))
        }
    }

    @Test(
        "A mistake in an attached query is an error even if there are no parent rows, or their key is NULL",
        arguments: TestBackend.available, Way.allCases)
    func mistakesWithoutRows(_ backend: TestBackend, _ way: Way) async throws {
        let mistakes: [(sql: String, message: String)] = [
            ("SELECT product, number FROM order_lines WHERE number IN (:number)", "the query selects product first"),
            ("SELECT * FROM order_lines WHERE product IN (:number)", "product is compared with :number, but"),
            ("SELECT number, product FROM order_lines WHERE number NOT IN (:number)", "NOT IN (:number) takes no list"),
            ("SELECT number, product FROM order_lines WHERE number = :number", "takes a single value"),
            ("SELECT number, produkt FROM order_lines WHERE number IN (:number)", "produkt"),
            ("SELECT number FROM order_lines WHERE number IN (:number)", "selects only the key"),
            (
                "SELECT number, product, position AS product FROM order_lines WHERE number IN (:number)",
                "two columns of the result set have the label product"
            ),
            ("SELECT number, product FROM order_lines WHERE number IN (:number) AND position > :least", ":least"),
        ]
        try await with(backend) { database in
            for parents in [
                "SELECT number FROM orders WHERE number < 0",
                "SELECT CAST(NULL AS \(backend == .sqlite ? "INTEGER" : "SIGNED")) AS number FROM orders WHERE number = 1",
            ] {
                for (sql, expected) in mistakes {
                    let message = await refusal(database, parents, way) {
                        try $0.attach("lines", for: "number", sql)
                    }
                    #expect(message.contains(expected), "\(parents): \(sql): \(message)")
                }
                let nested = await refusal(database, parents, way) {
                    try $0.attach(
                        "lines", for: "number", Self.lines,
                        attachments: [
                            Attachment(
                                "prices", for: "article",
                                "SELECT product, price FROM prices WHERE product IN (:article)")
                        ])
                }
                #expect(nested.contains("the parent rows have no column article for the key"), "\(nested)")
            }
        }
    }

    /// A page of the lines of an order, in two forms of the rows, with the number of lines.
    private static func page(
        _ members: [PageShape.Member] = [
            .rows(name: "rows", ObjectShape([.column(name: "p", "product")])),
            .rows(name: "positions", ObjectShape([.column(name: "n", "position")])), .totalCount(name: "count"),
            .endCursor(name: "end"),
        ], cursor: [String] = ["position"],
        count: String = "SELECT number, COUNT(*) FROM order_lines WHERE number IN (:number) GROUP BY number",
        attachments: [[DuetResultSetJSON.Attachment]] = [[]]
    ) -> DuetResultSetJSON.Attachment {
        let page = PageForm(
            PageShape(members, cursor: .init(columns: cursor) { values in "\(values.count)" }), limit: 9,
            count: .init(count))
        return Attachment(
            AttachedMember("lines", form: .page(page)), for: ["number"],
            "SELECT number, product, position FROM order_lines WHERE number IN (:number) ORDER BY number, position",
            attachments: attachments)
    }

    @Test("An attached page contains the rows and their number, or is empty", arguments: TestBackend.available)
    func validPages(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let prices = Attachment(
                "prices", for: "product",
                "SELECT product, price FROM prices WHERE product IN (:product) ORDER BY product")
            let attach: @Sendable (ResultSetAdapter) throws -> Void = {
                try $0.attach(Self.page(attachments: [[prices]]))
            }
            let parents = "SELECT number FROM orders WHERE number"
            let one = try await json(database, "\(parents) = 2", attach: attach)
            let line = #"{"rows":[{"p":"tea","prices":[{"price":5}]}],"positions":[{"n":1}],"count":1,"end":"1"}"#
            #expect(one == #"[{"number":2,"lines":\#(line)}]"#)
            for known in [[:], ["number": 2]] as [Arguments] {
                let object = try await json(database, "\(parents) = 2", .object, known: known, attach: attach)
                #expect("[\(object)]" == one)
            }
            let none = try await json(database, "\(parents) < 0", attach: attach)
            #expect(none == "[]")
            let null = try await json(
                database, "SELECT CAST(NULL AS \(backend == .sqlite ? "INTEGER" : "SIGNED")) AS number", attach: attach)
            #expect(null == #"[{"number":null,"lines":{"rows":[],"positions":[],"count":0,"end":null}}]"#)
        }
    }

    @Test(
        "A mistake in an attached page is an error, with and without parent rows", arguments: TestBackend.available,
        Way.allCases)
    func mistakesInPages(_ backend: TestBackend, _ way: Way) async throws {
        let rows = PageShape.Member.rows(name: "rows", ObjectShape([.column(name: "p", "product")]))
        let count = PageShape.Member.totalCount(name: "count")
        let prices = Attachment(
            "prices", for: "article", "SELECT product, price FROM prices WHERE product IN (:article)")
        let mistakes: [(page: DuetResultSetJSON.Attachment, message: String)] = [
            (
                Self.page([.rows(name: "rows", ObjectShape([.column(name: "p", "place")]))]),
                "lines: the member p refers to the column place"
            ),
            (Self.page([rows, .endCursor(name: "end")], cursor: ["place"]), "no column is called place"),
            (Self.page([rows, count], count: "SELECT n FROM numbers WHERE n IN (:number)"), "numbers"),
            (
                Self.page([count], count: "SELECT COUNT(*) FROM order_lines WHERE number IN (:number)"),
                "lines: its count query must select 2 columns: the columns of the key, then the number of rows of the key"
            ),
            (
                Self.page(
                    [count], count: "SELECT COUNT(*), number FROM order_lines WHERE number IN (:number) GROUP BY 2"),
                "lines: the rows of its count query must begin with the key: number is compared with :number, but the query "
            ),
            (
                Self.page([count], count: "SELECT number, COUNT(*) FROM order_lines GROUP BY number"),
                "lines: its count query: "
            ),
            (Self.page([rows], attachments: [[prices]]), "the parent rows have no column article for the key"),
            (
                Self.page([rows], attachments: [[], [prices]]),
                "prices: it is attached to a form of the rows that the page does not have"
            ),
            (
                Self.page([rows, .rows(name: "edges", ObjectShape([.attachment(name: "prices")]))]),
                "the shape's attachment prices has no query"
            ),
            (Self.page([count, .constant(name: "count", json: "1")]), "two members of the shape have the name count"),
        ]
        try await with(backend) { database in
            for condition in ["= 1", "< 0"] {
                for (page, expected) in mistakes {
                    let message = await refusal(database, "SELECT number FROM orders WHERE number \(condition)", way) {
                        try $0.attach(page)
                    }
                    #expect(message.contains(expected), "\(condition): \(message)")
                }
            }
            let type = backend == .sqlite ? "TEXT" : "CHAR"
            let text = await refusal(database) {
                try $0.attach(
                    Self.page(
                        [count],
                        count: """
                            SELECT CAST(number AS \(type)) AS number, COUNT(*) FROM order_lines
                            WHERE number IN (:number) GROUP BY number
                            """))
            }
            for (query, expected) in [
                ("SELECT number, 1 FROM order_lines WHERE number IN (:number)", "must return one row for each key"),
                ("SELECT number, product FROM order_lines WHERE number IN (:number)", "the number of rows as an"),
            ] {
                let message = await refusal(database) { try $0.attach(Self.page([count], count: query)) }
                #expect(message.hasPrefix("the attached member lines: its count query must return"))
                #expect(message.contains(expected))
            }
            #expect(text.contains("a row of its count query has the key 1, which is not the key of a parent row"))
        }
    }

    @Test(
        "The error of a missing column in an attached query has the member, the name and the original text",
        arguments: TestBackend.available)
    func missingColumn(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let sql = "SELECT number, produkt FROM order_lines WHERE number IN (:number) ORDER BY number"
            let error = await #expect(throws: DatabaseError.self) {
                try await json(database) { try $0.attach("lines", for: "number", sql) }
            }
            #expect(error?.message.hasPrefix("the attached member lines: ") == true)
            #expect(error?.missingName == "produkt")
            #expect(error?.statement == sql)
            let unclosed = await refusal(database) {
                try $0.attach("lines", for: "number", "SELECT number, 'x FROM order_lines WHERE number IN (:number)")
            }
            #expect(unclosed.hasPrefix("the attached member lines: "))
        }
    }

    @Test(
        "A limit of an attached query is an error, because it would apply to the rows of all keys",
        arguments: TestBackend.available)
    func limitOfAllKeys(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let message = await refusal(database) {
                try $0.attach(
                    "lines", for: "number",
                    "SELECT number, product FROM order_lines WHERE number IN (:number) ORDER BY number LIMIT 1")
            }
            #expect(
                message
                    == "the attached member lines: its LIMIT or FETCH would apply to the rows of all keys together; number the rows of each key "
                    + "with ROW_NUMBER() OVER (PARTITION BY …) in a subquery, and compare the number with the limit")
            let none = await refusal(database, "SELECT number FROM orders WHERE number < 0") {
                try $0.attach(
                    "lines", for: "number",
                    "(SELECT number, product FROM order_lines WHERE number IN (:number) ORDER BY number LIMIT 1)")
            }
            #expect(none.contains("its LIMIT or FETCH would apply to the rows of all keys together"))
            let fetch = await refusal(database) {
                try $0.attach(
                    "lines", for: "number",
                    "SELECT number, product FROM order_lines WHERE number IN (:number) ORDER BY number FETCH FIRST ROW ONLY"
                )
            }
            // SQLite has no FETCH, but the text is checked before the database reads it.
            #expect(fetch.contains("its LIMIT or FETCH would apply to the rows of all keys together"))
            let object = try await json(database, "SELECT number FROM orders WHERE number = 1", .object) {
                try $0.attach(
                    "lines", for: "number",
                    "SELECT number, product FROM order_lines WHERE number IN (:number) ORDER BY position DESC LIMIT 1")
            }
            #expect(object == #"{"number":1,"lines":[{"product":"cup"}]}"#)
            let first = try await json(database, "SELECT number FROM orders WHERE number < 3 ORDER BY number") {
                try $0.attach(
                    "lines", for: "number",
                    """
                    SELECT number, product FROM (
                        SELECT number, product, ROW_NUMBER() OVER (PARTITION BY number ORDER BY position) AS place
                        FROM order_lines WHERE number IN (:number)
                    ) AS numbered WHERE place <= 1 ORDER BY number
                    """)
            }
            #expect(first == #"[{"number":1,"lines":[{"product":"tea"}]},{"number":2,"lines":[{"product":"tea"}]}]"#)
        }
    }

    @Test(
        "attach itself reports a mistake in the text, before any row is written", arguments: TestBackend.available)
    func errorOfAttach(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            try await database.read { connection in
                let adapter = ResultSetAdapter(try connection.query(Self.orders), on: connection)
                let error = #expect(throws: DatabaseError.self) {
                    try adapter.attach(
                        "lines", for: "number", "SELECT product, number FROM order_lines WHERE number IN (:number)")
                }
                #expect(error?.message.contains("number is compared with :number") == true)
                // The adapter can still be used.
                try adapter.attach("lines", for: "number", Self.lines)
                let text = try adapter.text()
                #expect(text.hasPrefix(#"[{"number":1,"customer":"a","lines":[{"product":"tea"}"#))
            }
        }
    }

    @Test(
        "If the value of the key is known, the parent rows need not contain the key", arguments: TestBackend.available)
    func knownKeyWithoutColumn(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let text = try await json(
                database, "SELECT customer FROM orders WHERE number = 1", .object, known: ["number": 1]
            ) {
                try $0.attach("lines", for: "number", Self.lines)
            }
            #expect(text == #"{"customer":"a","lines":[{"product":"tea"},{"product":"cup"}]}"#)
        }
    }

    @Test("A column with the format choice needs its valid texts", arguments: TestBackend.available)
    func noChoices(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let message = await refusal(
                database, shape: ObjectShape([.column(name: "customer", 1, ValueFormat(.choice))]))
            #expect(
                message == "the member customer of the shape has the format choice, but no valid texts; specify choices"
            )
        }
    }

    // MARK: Names

    @Test(
        "Members of different objects can have the same name, including an attachment in an object",
        arguments: TestBackend.available)
    func nestedNames(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let shape = ObjectShape([
                .constant(name: "lines", json: "\"Edge\""),
                .object(name: "node", [.column(name: "number", 0), .attachment]), .attachment,
            ])
            let text = try await json(database, "SELECT number FROM orders WHERE number = 1", shape: shape) { adapter in
                try adapter.attach("lines", for: "number", Self.lines)
                try adapter.attach("others", for: "number", Self.lines)
            }
            #expect(text.hasPrefix(#"[{"lines":"Edge","node":{"number":1,"lines":[{"#))
            #expect(text.contains(#"},"others":[{"#))
        }
    }

    @Test(
        "An attachment with the name of a column or of another attachment is an error",
        arguments: TestBackend.available, Way.allCases)
    func memberNames(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            let column = await refusal(database, Self.orders, way) {
                try $0.attach("customer", for: "number", Self.lines)
            }
            #expect(
                column == "the attached member customer: another member has this name; give one of them another name")
            let twice = await refusal(database, Self.orders, way) {
                try $0.attach("lines", for: "number", Self.lines)
                try $0.attach("lines", for: "number", Self.lines)
            }
            #expect(twice.hasPrefix("the attached member lines: another member has this name"))
            let below = await refusal(database, Self.orders, way) {
                try $0.attach(
                    "lines", for: "number", Self.lines,
                    attachments: [
                        Attachment(
                            "product", for: ["product"], "SELECT product, price FROM prices WHERE product IN (:product)"
                        )
                    ])
            }
            #expect(below.hasPrefix("the attached member product: another member has this name"))
        }
    }

    @Test(
        "Two columns with one label are an error that names the label, in all formats", arguments: TestBackend.available
    )
    func repeatedLabel(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let sql =
                "SELECT o.number, l.product, l.number FROM orders o JOIN order_lines l ON l.number = o.number ORDER BY 1"
            let expected = "two columns of the result set have the label number; give one a different label with AS"
            for way in Way.allCases {
                let message = await refusal(database, sql, way)
                #expect(message == expected)
            }
            for format in RowFormat.allCases {
                let error = await #expect(throws: DatabaseError.self) {
                    try await database.read { connection in
                        _ = try ResultSetAdapter(
                            try connection.query(sql), on: connection, encoding: ValueEncoding(dates: .iso)
                        ).pieces(format)
                    }
                }
                #expect(error?.message == expected)
            }
            let attached = await refusal(database) {
                try $0.attach(
                    "lines", for: "number",
                    "SELECT number, product AS p, position AS p FROM order_lines WHERE number IN (:number) ORDER BY 1")
            }
            #expect(attached.contains("have the label p"))
            // The key is not written, so its label may be equal to that of a written column.
            let text = try await json(database, "SELECT number FROM orders WHERE number = 2") {
                try $0.attach(
                    "lines", for: "number",
                    "SELECT number, number FROM order_lines WHERE number IN (:number) ORDER BY 1")
            }
            #expect(text == #"[{"number":2,"lines":[{"number":2}]}]"#)
        }
    }

    @Test(
        "Two columns of the parent rows with the label of the key are an error, even if the shape omits them",
        arguments: TestBackend.available, Way.allCases)
    func repeatedKeyLabel(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            let shape = ObjectShape([(name: "customer", column: 0)])
            // The first column with the label number contains the position, so an order would get the lines of a
            // different order.
            let sql = """
                SELECT o.customer, l.position AS number, o.number
                FROM orders o JOIN order_lines l ON l.number = o.number WHERE o.number = 2
                """
            let message = await refusal(database, sql, way, shape: shape) {
                try $0.attach("lines", for: "number", Self.lines)
            }
            #expect(
                message
                    == "the attached member lines: two columns of the parent rows have the label number of the key; "
                    + "give one of them a different label with AS")
            let other = try await json(
                database, sql.replacing("AS number", with: "AS number_of_line"), way, shape: shape
            ) { try $0.attach("lines", for: "number", Self.lines) }
            #expect(other.contains(#""lines":[{"product":"tea"}]"#))
        }
    }

    @Test(
        "The key columns of an attached query can have the label of the key of the next level",
        arguments: TestBackend.available)
    func repeatedKeyLabelBelow(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let prices = Attachment(
                "prices", for: "product",
                "SELECT product, price FROM prices WHERE product IN (:product) ORDER BY product")
            let parents = "SELECT product, number FROM order_lines WHERE number = 2"
            let text = try await json(database, parents) {
                try $0.attach(
                    "same", for: "product",
                    "SELECT product, product FROM order_lines WHERE product IN (:product) AND number = 2 ORDER BY 1",
                    shape: ObjectShape([(name: "p", column: 1)]), attachments: [prices])
            }
            #expect(text == #"[{"product":"tea","number":2,"same":[{"p":"tea","prices":[{"price":5}]}]}]"#)
            let message = await refusal(database, parents) {
                try $0.attach(
                    "same", for: "product",
                    """
                    SELECT product, position AS product, product FROM order_lines
                    WHERE product IN (:product) AND number = 2 ORDER BY 1
                    """,
                    shape: ObjectShape([(name: "p", column: 2)]), attachments: [prices])
            }
            #expect(
                message.hasPrefix("the attached member prices: two columns of the parent rows have the label product"))
        }
    }

    @Test(
        "A shape with a repeated name in one object, or with a column that does not exist, is an error",
        arguments: TestBackend.available)
    func shapes(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            for shape in [
                ObjectShape([(name: "a", column: 0), (name: "a", column: 1)]),
                ObjectShape([
                    .column(name: "b", 0),
                    .object(name: "c", [.constant(name: "a", json: "1"), .column(name: "a", 1)]),
                ]),
            ] {
                let message = await refusal(database, shape: shape)
                #expect(message == "two members of the shape have the name a")
            }
            let inside = ObjectShape([.column(name: "a", 0), .object(name: "b", [.column(name: "a", 1)])])
            let text = try await json(database, "SELECT number, customer FROM orders WHERE number = 1", shape: inside)
            #expect(text == #"[{"a":1,"b":{"a":"a"}}]"#)
            let column = await refusal(database, shape: ObjectShape([(name: "a", column: 2)]))
            #expect(
                column == "the member a refers to column 2, but the result set has 2 columns, numbered from 0")
        }
    }

    @Test(
        "A label of no column, or of several columns, is an error, even without rows", arguments: TestBackend.available)
    func columnLabels(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            for shape in [
                ObjectShape([.column(name: "a", "number"), .column(name: "b", "note")]),
                ObjectShape([.computed(name: "b", columns: ["number", "note"]) { _ in "" }]),
            ] {
                for parents in [Self.orders, "SELECT number, customer FROM orders WHERE number < 0"] {
                    let missing = await refusal(database, parents, shape: shape)
                    #expect(
                        missing
                            == "the member b refers to the column note, but the columns of the result set are number, customer"
                    )
                }
            }
            let twice = await refusal(
                database, "SELECT number, customer, note AS customer FROM orders",
                shape: ObjectShape([.column(name: "a", "customer")]))
            #expect(
                twice == "two columns of the result set have the label customer; give one a different label with AS")
            let cases: [(parents: String, known: Arguments)] = [
                (Self.orders, [:]), ("SELECT number FROM orders WHERE number < 0", [:]),
                ("SELECT number FROM orders WHERE number < 0", ["number": -1]),
            ]
            for (parents, known) in cases {
                for way in Way.allCases {
                    let attached = await refusal(database, parents, way, known: known) {
                        try $0.attach(
                            "lines", for: "number", Self.lines, shape: ObjectShape([.column(name: "p", "position")]))
                    }
                    #expect(
                        attached
                            == "the attached member lines: the member p refers to the column position, but the columns of the result set are number, product"
                    )
                }
            }
            let keys = await refusal(database) {
                try $0.attach(
                    "lines", for: ["number", "customer"],
                    """
                    SELECT l.number AS k, o.customer AS k, l.product FROM order_lines l JOIN orders o ON o.number = l.number
                    WHERE (l.number, o.customer) IN (:number_customer) ORDER BY l.number, o.customer
                    """, shape: ObjectShape([.column(name: "key", "k")]))
            }
            #expect(keys.contains("two columns of the result set have the label k"))
        }
    }

    @Test("A column number outside of the result set is an error", arguments: [-1, .min, .max])
    func columnNumbers(_ column: Int) async throws {
        try await with(.sqlite) { database in
            for shape in [
                ObjectShape([.column(name: "a", 0), .column(name: "b", .index(column))]),
                ObjectShape([.computed(name: "b", columns: [0, .index(column)]) { _ in "" }]),
            ] {
                let message = await refusal(database, shape: shape)
                #expect(message.hasPrefix("the member b refers to column \(column), but the result set has 2 columns"))
            }
        }
    }

    @Test("An attachment of the shape without a query is an error that names the attachment", arguments: Way.allCases)
    func missingAttachments(_ way: Way) async throws {
        try await with(.sqlite) { database in
            let none = await refusal(database, Self.orders, way, shape: ObjectShape([.attachment]))
            #expect(
                none == "the shape's attachment number 1 has no query; attach one before writing (nothing is attached)")
            let second = await refusal(
                database, Self.orders, way,
                shape: ObjectShape([.attachment, .column(name: "a", 0), .attachment(name: nil)])
            ) { try $0.attach("lines", for: "number", Self.lines) }
            #expect(
                second
                    == "the shape's attachment number 2 after the member a has no query; attach one before writing (attached: lines)"
            )
            let named = await refusal(
                database, Self.orders, way,
                shape: ObjectShape([
                    .attachment(name: "notes"), .attachment(name: "lines"), .attachment(name: "prices"),
                ])
            ) { try $0.attach("lines", for: "number", Self.lines) }
            #expect(
                named
                    == "the shape's attachments notes, prices have no query; attach one before writing (attached: lines)"
            )
        }
    }

    @Test(
        "An attachment in a position that the shape gives to another attachment is an error that names both",
        arguments: Way.allCases)
    func misplacedAttachment(_ way: Way) async throws {
        try await with(.sqlite) { database in
            let shape = ObjectShape([.attachment(name: "lines"), .attachment, .column(name: "id", 0)])
            let sql = "SELECT number FROM orders WHERE number = 2"
            let message = await refusal(database, sql, way, shape: shape) {
                try $0.attach("others", for: "number", Self.lines)
                try $0.attach("lines", for: "number", Self.lines)
            }
            #expect(
                message
                    == "the attached member others: the shape has the attachment lines at its place; attach lines, number 2 "
                    + "in this order")
            let text = try await json(database, sql, way, shape: shape) {
                try $0.attach("lines", for: "number", Self.lines)
                try $0.attach("others", for: "number", Self.lines)
            }
            let lines = #"[{"product":"tea"}]"#
            let object = #"{"lines":\#(lines),"others":\#(lines),"id":2}"#
            #expect(text == (way == .list ? "[\(object)]" : object))
        }
    }

    @Test("An attached query that selects only the key is an error", arguments: TestBackend.available, Way.allCases)
    func keyAlone(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            let sql = "SELECT number FROM order_lines WHERE number IN (:number) ORDER BY number"
            let message = await refusal(database, Self.orders, way) { try $0.attach("lines", for: "number", sql) }
            #expect(
                message
                    == "the attached member lines: its query selects only the key, which is not written, so its objects would be "
                    + "empty; select more columns")
            let text = try await json(database, "SELECT number FROM orders WHERE number = 2", way) {
                try $0.attach("lines", for: "number", sql, shape: ObjectShape([(name: "order", column: 0)]))
            }
            let object = #"{"number":2,"lines":[{"order":2}]}"#
            #expect(text == (way == .list ? "[\(object)]" : object))
        }
    }

    @Test(
        "A page with a repeated name, or with an attachment for rows that the page does not have, is an error",
        arguments: TestBackend.available)
    func pages(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            @Sendable func write(_ members: [PageShape.Member], form: Int? = nil) async -> String? {
                await #expect(throws: DatabaseError.self) {
                    try await database.read { connection in
                        let adapter = ResultSetAdapter(
                            try connection.query(Self.orders), on: connection, encoding: ValueEncoding(dates: .iso))
                        if let form {
                            try adapter.attach(Attachment("lines", for: ["number"], Self.lines), toForm: form)
                        }
                        var buffer = ByteBuffer()
                        try adapter.writePage(
                            PageForm(PageShape(members, cursor: Self.noCursor), limit: 9, count: nil), to: &buffer)
                    }
                }?.message
            }
            let rows = PageShape.Member.rows(name: "rows", ObjectShape([(name: "n", column: 0)]))
            #expect(await write([rows, .hasNextPage(name: "rows")]) == "two members of the shape have the name rows")
            #expect(await write([rows], form: 1)?.contains("a form of the rows that the page does not have") == true)
            let list = await refusal(database) {
                try $0.attach(Attachment("lines", for: ["number"], Self.lines), toForm: 1)
            }
            #expect(list.contains("a second form of the rows, but only a page has several forms"))
        }
    }

    // MARK: Use

    @Test("Attaching a query after rows have been written is an error", arguments: TestBackend.available)
    func attachedLate(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let error = await #expect(throws: DatabaseError.self) {
                try await database.read { connection in
                    let adapter = ResultSetAdapter(try connection.query(Self.orders), on: connection)
                    _ = try adapter.text()
                    try adapter.attach("lines", for: "number", Self.lines)
                }
            }
            #expect(
                error?.message
                    == "the attached member lines: the adapter has already begun to write; attach all members before the first row is written"
            )
        }
    }

    @Test(
        "An adapter writes only once. An adapter of a result set that was read before is an error",
        arguments: TestBackend.available)
    func twice(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let uses: [@Sendable (ResultSetAdapter) throws -> Void] = [
                { adapter in
                    var buffer = ByteBuffer()
                    _ = try adapter.write(.json, to: &buffer)
                },
                { adapter in
                    var buffer = ByteBuffer()
                    _ = try adapter.writeObject(to: &buffer)
                },
                { adapter in
                    var buffer = ByteBuffer()
                    let shape = PageShape([.hasNextPage(name: "more")], cursor: Self.noCursor)
                    try adapter.writePage(PageForm(shape, limit: 1, count: nil), to: &buffer)
                },
                { _ = try $0.pieces(.ndjson) },
            ]
            for first in uses {
                for second in uses {
                    let errors = try await database.read { connection in
                        let rows = try connection.query(Self.orders)
                        let adapter = ResultSetAdapter(rows, on: connection, encoding: ValueEncoding(dates: .iso))
                        try first(adapter)
                        let again = #expect(throws: DatabaseError.self) { try second(adapter) }
                        return [again?.message]
                    }
                    #expect(
                        errors == [
                            "this adapter has already written its rows; run the query again, and create a new adapter for its result set"
                        ])
                }
            }
            for rowsRead in [1, 9] {
                let error = try await database.read { connection in
                    let rows = try connection.query(Self.orders)
                    for _ in 0..<rowsRead { _ = try rows.next() }
                    return #expect(throws: DatabaseError.self) {
                        try uses[0](ResultSetAdapter(rows, on: connection, encoding: ValueEncoding(dates: .iso)))
                    }?.message
                }
                #expect(error?.hasPrefix("rows of the result set have already been read") == true)
            }
        }
    }
}
