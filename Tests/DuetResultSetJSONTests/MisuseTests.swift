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
    private static let lines = AttachedQuery(
        select: "product", from: "order_lines", key: "number", orderBy: ["position"])
    private static let pricesOfProduct = AttachedQuery(select: "price", from: "prices", key: "product")

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
        "An attached page and a nested attachment without a key column are errors that name the member",
        arguments: TestBackend.available, Way.allCases)
    func noKeyColumnBelow(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            let prices = AttachedQuery(select: "price", from: "prices", key: [])
            let nested = await refusal(database, Self.orders, way) {
                try $0.attach(
                    "lines", for: "number", Self.lines, attachments: [Attachment("prices", for: ["product"], prices)])
            }
            #expect(nested.hasPrefix("the attached member prices: its query has no key columns, but the parent rows"))
            let page = PageForm(
                PageShape([.rows(name: "rows", ObjectShape([(name: "p", column: 0)]))], cursor: Self.noCursor),
                limit: 9,
                count: nil)
            let lines = AttachedQuery(select: "product", from: "order_lines", key: [])
            let message = await refusal(database, Self.orders, way) {
                try $0.attach(AttachedMember("lines", form: .page(page)), for: "number", lines)
            }
            #expect(message.hasPrefix("the attached member lines: its query has no key columns, but the parent rows"))
        }
    }

    private static let noCursor = PageShape.Cursor(columns: []) { _ in "" }

    @Test("A key of two columns assigns each row to one parent row", arguments: TestBackend.available)
    func severalColumns(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let right = try await json(database, "SELECT number, position FROM order_lines ORDER BY number, position") {
                try $0.attach(
                    "same", for: ["number", "position"],
                    AttachedQuery(select: "product", from: "order_lines", key: ["number", "position"]))
            }
            #expect(right.hasPrefix(#"[{"number":1,"position":1,"same":[{"product":"tea"}]},"#))
        }
    }

    @Test(
        "The key column can have a different name than the column of the parent rows", arguments: TestBackend.available,
        Way.allCases)
    func otherLabel(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            let text = try await json(database, "SELECT number AS id FROM orders WHERE number = 2", way) {
                try $0.attach("lines", for: "id", Self.lines)
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
            let labels = AttachedQuery(select: "color", from: "labels", key: "name")
            let parents = "SELECT customer FROM orders WHERE number < 3 ORDER BY number"
            let list = await refusal(database, parents) { try $0.attach("labels", for: "customer", labels) }
            #expect(list.hasPrefix("the attached member labels: a row has the key A, but no parent row has a key"))
            // The remedy of the error.
            let joined = try await json(database, parents) {
                try $0.attach(
                    "labels", for: "customer",
                    AttachedQuery(
                        select: "color",
                        from: """
                            (SELECT DISTINCT o.customer, l.color FROM labels l JOIN orders o ON l.name = o.customer) AS t
                            """,
                        key: "customer"))
            }
            #expect(
                joined
                    == #"[{"customer":"a","labels":[{"color":"red"}]},{"customer":"b","labels":[{"color":"blue"}]}]"#)
            let page = PageForm(
                PageShape(
                    [.rows(name: "rows", ObjectShape([.column(name: "color", "color")])), .totalCount(name: "count")],
                    cursor: Self.noCursor),
                limit: 9,
                count: .init(of: labels))
            for known in [[:], ["customer": "a"]] as [Arguments] {
                let object = try await json(
                    database, "SELECT customer FROM orders WHERE number = 1", .object, known: known
                ) {
                    try $0.attach("labels", for: "customer", labels)
                    try $0.attach(AttachedMember("page", form: .page(page)), for: "customer", labels)
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
            let parents = "SELECT CAST(number AS \(type)) AS number FROM orders ORDER BY 1"
            let message = await refusal(database, parents) { try $0.attach("lines", for: "number", Self.lines) }
            #expect(
                message
                    == "the attached member lines: a row has a value in its key column number that is not the key of a "
                    + "parent row; if the types of the columns differ, CAST the key column to the type of the key")
            // The remedy of the error.
            let text = try await json(database, parents) {
                try $0.attach(
                    "lines", for: "number",
                    AttachedQuery(select: "product", from: "order_lines", key: "CAST(number AS \(type))"))
            }
            #expect(text.hasSuffix(#"{"number":"30","lines":[{"product":"pot"}]}]"#))
        }
    }

    @Test(
        "Rows of one key that a collation sorts between rows of another key are an error with a remedy",
        arguments: TestBackend.available)
    func scattered(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let collation = backend == .sqlite ? "NOCASE" : "utf8mb4_general_ci"
            try await database.write { connection in
                try connection.execute(
                    "CREATE TABLE labels (name VARCHAR(8) COLLATE \(collation) NOT NULL, place INTEGER)")
                try connection.execute("INSERT INTO labels VALUES ('a', 1), ('A', 2), ('a', 3)")
            }
            let parents = "SELECT 'a' AS name UNION ALL SELECT 'A'"
            let message = await refusal(database, parents) {
                try $0.attach(
                    "labels", for: "name",
                    AttachedQuery(select: "place", from: "labels", key: "name", orderBy: ["place"]))
            }
            #expect(message.hasPrefix("the attached member labels: the rows of one key are not consecutive, because"))
            #expect(message.hasSuffix("for example with COLLATE"))
            // The remedy of the error.
            let binary = backend == .sqlite ? "BINARY" : "utf8mb4_bin"
            let text = try await json(database, parents) {
                try $0.attach(
                    "labels", for: "name",
                    AttachedQuery(
                        select: "place", from: "labels", key: "name COLLATE \(binary)", orderBy: ["place"]))
            }
            #expect(
                text
                    == #"[{"name":"a","labels":[{"place":1},{"place":3}]},{"name":"A","labels":[{"place":2}]}]"#)
        }
    }

    @Test(
        "The parameters and the arguments of an attached query must be the same, even if no row needs them",
        arguments: TestBackend.available, Way.allCases)
    func arguments(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            for sql in [
                "SELECT number FROM orders WHERE number = 1", "SELECT note AS number FROM orders WHERE number = 2",
            ] {
                let missing = await refusal(database, sql, way) {
                    try $0.attach(
                        "lines", for: "number",
                        AttachedQuery(
                            select: "product", from: "order_lines", key: "number", where: "position > :least"))
                }
                #expect(missing == "the attached member lines: the parameter :least has no argument")
                let superfluous = await refusal(database, sql, way) {
                    try $0.attach(
                        "lines", for: "number",
                        AttachedQuery(
                            select: "product", from: "order_lines", key: "number", arguments: ["least": 1]))
                }
                #expect(
                    superfluous
                        == "the attached member lines: the statement has no parameter for the argument :least; its "
                        + "parameter is :keys")
            }
            for (condition, reason) in [
                ("number NOT IN (:keys)", "NOT IN (:keys) takes no list"),
                ("number = :keys", "the parameter :keys takes a single value; a list needs IN (:keys), with no"),
            ] {
                let message = await refusal(database, Self.orders, way) {
                    try $0.attach(
                        "lines", for: "number",
                        AttachedQuery(select: "product", from: "order_lines", key: "number", where: condition))
                }
                #expect(message.hasPrefix("the attached member lines: \(reason)"), "\(message)")
            }
        }
    }

    @Test(
        "An attachment whose key is not a column of the parent rows is an error before any row is read",
        arguments: TestBackend.available,
        Way.allCases)
    func missingKeyColumn(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            let message = await refusal(database, "SELECT number, customer FROM orders WHERE number = 99", way) {
                try $0.attach("lines", for: "order", Self.lines)
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
            let message = await refusal(database) {
                try $0.attach(
                    "lines", for: "number",
                    AttachedQuery(select: "product", from: "order_lines", key: "number", arguments: ["keys": 1]))
            }
            #expect(message.contains("lines: its argument keys has the name of the key's parameter"))
        }
    }

    @Test(
        "A mistake in an attached query is an error even if there are no parent rows, or their key is NULL",
        arguments: TestBackend.available, Way.allCases)
    func mistakesWithoutRows(_ backend: TestBackend, _ way: Way) async throws {
        func lines(
            _ columns: String = "product", key: [String] = ["number"], where condition: String? = nil,
            orderBy order: [AttachedQuery.Order] = []
        ) -> AttachedQuery {
            AttachedQuery(select: columns, from: "order_lines", key: key, where: condition, orderBy: order)
        }
        let mistakes: [(query: AttachedQuery, message: String)] = [
            (lines(key: []), "its query has no key columns"),
            (lines(key: ["number", "position"]), "its query has the key columns number, position, but"),
            (lines(key: ["numbers"]), "numbers"), (lines("produkt"), "produkt"),
            (lines(where: "number NOT IN (:keys)"), "NOT IN (:keys) takes no list"),
            (lines(where: "number = :keys"), "takes a single value"), (lines(""), "selects only the key"),
            (lines("product, position AS product"), "two columns of the result set have the label product"),
            (lines(where: "position > :least"), ":least"), (lines(orderBy: ["position LIMIT 1"]), "LIMIT"),
        ]
        try await with(backend) { database in
            for parents in [
                "SELECT number FROM orders WHERE number < 0",
                "SELECT CAST(NULL AS \(backend == .sqlite ? "INTEGER" : "SIGNED")) AS number FROM orders WHERE number = 1",
            ] {
                for (query, expected) in mistakes {
                    let message = await refusal(database, parents, way) {
                        try $0.attach("lines", for: "number", query)
                    }
                    #expect(message.contains(expected), "\(parents): \(query): \(message)")
                }
                let nested = await refusal(database, parents, way) {
                    try $0.attach(
                        "lines", for: "number", Self.lines,
                        attachments: [Attachment("prices", for: "article", Self.pricesOfProduct)])
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
        count: PageForm.CountQuery = .init(of: MisuseTests.lines),
        attachments: [[DuetResultSetJSON.Attachment]] = [[]]
    ) -> DuetResultSetJSON.Attachment {
        let page = PageForm(
            PageShape(members, cursor: .init(columns: cursor) { values in "\(values.count)" }), limit: 9, count: count)
        return Attachment(
            AttachedMember("lines", form: .page(page)), for: ["number"],
            AttachedQuery(
                select: "product, position", from: "order_lines", key: "number", orderBy: ["position"]),
            attachments: attachments)
    }

    @Test("An attached page contains the rows and their number, or is empty", arguments: TestBackend.available)
    func validPages(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let prices = Attachment("prices", for: "product", Self.pricesOfProduct)
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
        let prices = Attachment("prices", for: "article", Self.pricesOfProduct)
        let mistakes: [(page: DuetResultSetJSON.Attachment, message: String)] = [
            (
                Self.page([.rows(name: "rows", ObjectShape([.column(name: "p", "place")]))]),
                "lines: the member p refers to the column place"
            ),
            (Self.page([rows, .endCursor(name: "end")], cursor: ["place"]), "no column is called place"),
            (
                Self.page([rows, count], count: .init(of: AttachedQuery(select: "", from: "numbers", key: "number"))),
                "numbers"
            ),
            (
                Self.page([count], count: .init("SELECT COUNT(*) FROM order_lines")),
                "lines: its count query has no key columns; use CountQuery(of:), which counts the rows of each key"
            ),
            (
                Self.page(
                    [count],
                    count: .init(of: AttachedQuery(select: "", from: "order_lines", key: ["number", "position"]))),
                "lines: its count query has the key columns number, position, but its query has the key columns number; "
                    + "use the same key columns"
            ),
            (
                Self.page(
                    [count], count: .init(of: AttachedQuery(select: "", from: "order_lines", key: "position"))),
                "lines: its count query has the key columns position, but its query has the key columns number; use"
            ),
            (
                Self.page([count], count: .init(of: AttachedQuery(select: "", from: "order_lines", key: []))),
                "lines: its count query has no key columns, but its query has the key columns number; use"
            ),
            (
                Self.page(
                    [count],
                    count: .init(
                        of: AttachedQuery(
                            select: "", from: "order_lines", key: "number", where: "position IN (:keys)",
                            arguments: ["keys": [1, 2]]))),
                "lines: the argument keys of its count query has the name of the key's parameter; give the argument"
            ),
            (
                Self.page(
                    [count],
                    count: .init(
                        of: AttachedQuery(select: "", from: "order_lines", key: "number", where: "position > :least"))),
                "lines: its count query: the parameter :least has no argument"
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
            let text = await refusal(database, "SELECT CAST(number AS \(type)) AS number FROM orders") {
                try $0.attach(Self.page([count]))
            }
            #expect(text.contains("a row of its count query has the key 1, which is not the key of a parent row"))
        }
    }

    @Test(
        "If a collation counts the rows of two parent rows under one key, the count query is an error with a remedy",
        arguments: TestBackend.available)
    func countedTogether(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let (collation, binary) =
                backend == .sqlite ? ("NOCASE", "BINARY") : ("utf8mb4_general_ci", "utf8mb4_bin")
            try await database.write { connection in
                try connection.execute(
                    "CREATE TABLE labels (name VARCHAR(8) COLLATE \(collation) NOT NULL, place INTEGER)")
                try connection.execute("INSERT INTO labels VALUES ('a', 1), ('A', 2)")
            }
            @Sendable func attach(_ adapter: ResultSetAdapter, key: String) throws {
                let labels = AttachedQuery(select: "place", from: "labels", key: key, orderBy: ["place"])
                let page = PageForm(
                    PageShape(
                        [.rows(name: "rows", ObjectShape([.column(name: "n", "place")])), .totalCount(name: "count")],
                        cursor: Self.noCursor),
                    limit: 9, count: .init(of: labels))
                try adapter.attach(AttachedMember("labels", form: .page(page)), for: "name", labels)
            }
            let parents = "SELECT 'a' AS name UNION ALL SELECT 'A'"
            let message = await refusal(database, parents) { try attach($0, key: "name") }
            #expect(
                message.hasPrefix("the attached member labels: its count query does not count the rows with the key "))
            #expect(message.hasSuffix("for example with COLLATE"))
            // The remedy of the error.
            let text = try await json(database, parents) { try attach($0, key: "name COLLATE \(binary)") }
            #expect(
                text
                    == #"[{"name":"a","labels":{"rows":[{"n":1}],"count":1}},"#
                    + #"{"name":"A","labels":{"rows":[{"n":2}],"count":1}}]"#)
        }
    }

    @Test("A negative limit of an attached query is an error", arguments: TestBackend.available, Way.allCases)
    func negativeLimit(_ backend: TestBackend, _ way: Way) async throws {
        try await with(backend) { database in
            let message = await refusal(database, Self.orders, way) {
                try $0.attach(
                    "lines", for: "number",
                    AttachedQuery(select: "product", from: "order_lines", key: "number", limit: -1))
            }
            #expect(message == "the attached member lines: its limit is -1, but the limit must not be negative")
        }
    }

    @Test(
        "The error of a missing column in an attached query has the member, the name and the original text",
        arguments: TestBackend.available)
    func missingColumn(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let error = await #expect(throws: DatabaseError.self) {
                try await json(database) {
                    try $0.attach(
                        "lines", for: "number", AttachedQuery(select: "produkt", from: "order_lines", key: "number"))
                }
            }
            #expect(error?.message.hasPrefix("the attached member lines: ") == true)
            #expect(error?.missingName == "produkt")
            #expect(
                error?.statement == "SELECT number, produkt FROM (order_lines) WHERE (number) IN (:keys) ORDER BY 1")
            let unclosed = await refusal(database) {
                try $0.attach(
                    "lines", for: "number", AttachedQuery(select: "'x", from: "order_lines", key: "number"))
            }
            #expect(unclosed.hasPrefix("the attached member lines: "))
        }
    }

    @Test(
        "A limit of an attached query is an error, because it would apply to the rows of all keys",
        arguments: TestBackend.available)
    func limitOfAllKeys(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            let last = AttachedQuery(
                select: "product", from: "order_lines", key: "number", orderBy: [.descending("position")], limit: 1)
            let expected =
                "its limit would apply to the rows of all keys together; number the rows of each key "
                + "with ROW_NUMBER() OVER (PARTITION BY …) in a derived table, and compare the number with the limit"
            for parents in [Self.orders, "SELECT number FROM orders WHERE number < 0"] {
                let message = await refusal(database, parents) { try $0.attach("lines", for: "number", last) }
                #expect(message == "the attached member lines: \(expected)")
            }
            let one = "SELECT number FROM orders WHERE number = 1"
            let object = try await json(database, one, .object) { try $0.attach("lines", for: "number", last) }
            #expect(object == #"{"number":1,"lines":[{"product":"cup"}]}"#)
            // The attached rows have several keys, even if there is one parent row.
            let price = AttachedQuery(select: "price", from: "prices", key: "product", limit: 1)
            let nested = await refusal(database, one, .object) {
                try $0.attach(
                    "lines", for: "number", Self.lines, attachments: [Attachment("prices", for: "product", price)])
            }
            #expect(nested == "the attached member prices: \(expected)")
            let first = try await json(database, "SELECT number FROM orders WHERE number < 3 ORDER BY number") {
                try $0.attach(
                    "lines", for: "number",
                    AttachedQuery(
                        select: "product",
                        from: """
                            (
                                SELECT number, product, ROW_NUMBER() OVER (PARTITION BY number ORDER BY position) AS place
                                FROM order_lines WHERE number IN (:keys)
                            ) AS numbered
                            """,
                        key: "number", where: "place <= 1"))
            }
            #expect(first == #"[{"number":1,"lines":[{"product":"tea"}]},{"number":2,"lines":[{"product":"tea"}]}]"#)
        }
    }

    @Test(
        "attach itself reports a mistake that it finds without the database", arguments: TestBackend.available)
    func errorOfAttach(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            try await database.read { connection in
                let adapter = ResultSetAdapter(try connection.query(Self.orders), on: connection)
                let error = #expect(throws: DatabaseError.self) {
                    try adapter.attach(
                        "lines", for: "number", AttachedQuery(select: "product", from: "order_lines", key: []))
                }
                #expect(error?.message.contains("its query has no key columns") == true)
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
                    attachments: [Attachment("product", for: ["product"], Self.pricesOfProduct)])
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
                    AttachedQuery(select: "product AS p, position AS p", from: "order_lines", key: "number"))
            }
            #expect(attached.contains("have the label p"))
            // The key is not written, so its label may be equal to that of a written column.
            let text = try await json(database, "SELECT number FROM orders WHERE number = 2") {
                try $0.attach(
                    "lines", for: "number", AttachedQuery(select: "number", from: "order_lines", key: "number"))
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
            let prices = Attachment("prices", for: "product", Self.pricesOfProduct)
            let parents = "SELECT product, number FROM order_lines WHERE number = 2"
            let text = try await json(database, parents) {
                try $0.attach(
                    "same", for: "product",
                    AttachedQuery(select: "product", from: "order_lines", key: "product", where: "number = 2"),
                    shape: ObjectShape([(name: "p", column: 1)]), attachments: [prices])
            }
            #expect(text == #"[{"product":"tea","number":2,"same":[{"p":"tea","prices":[{"price":5}]}]}]"#)
            let message = await refusal(database, parents) {
                try $0.attach(
                    "same", for: "product",
                    AttachedQuery(
                        select: "position AS product, product", from: "order_lines", key: "product",
                        where: "number = 2"),
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
                    "lines", for: ["number", "number"],
                    AttachedQuery(
                        select: "l.product", from: "order_lines l JOIN orders o ON o.number = l.number",
                        key: ["l.number", "o.number"]),
                    shape: ObjectShape([.column(name: "key", "number")]))
            }
            #expect(keys.contains("two columns of the result set have the label number"))
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
            let key = AttachedQuery(select: "", from: "order_lines", key: "number")
            let message = await refusal(database, Self.orders, way) { try $0.attach("lines", for: "number", key) }
            #expect(
                message
                    == "the attached member lines: its query selects only the key, which is not written, so its objects would be "
                    + "empty; select more columns")
            let text = try await json(database, "SELECT number FROM orders WHERE number = 2", way) {
                try $0.attach("lines", for: "number", key, shape: ObjectShape([(name: "order", column: 0)]))
            }
            let object = #"{"number":2,"lines":[{"order":2}]}"#
            #expect(text == (way == .list ? "[\(object)]" : object))
        }
    }

    @Test(
        "A page with a repeated name, an attachment for rows that it does not have, or a wrong count query is an error",
        arguments: TestBackend.available)
    func pages(_ backend: TestBackend) async throws {
        try await with(backend) { database in
            @Sendable func write(
                _ members: [PageShape.Member], form: Int? = nil, count: PageForm.CountQuery? = nil
            ) async -> String? {
                await #expect(throws: DatabaseError.self) {
                    try await database.read { connection in
                        let adapter = ResultSetAdapter(
                            try connection.query(Self.orders), on: connection, encoding: ValueEncoding(dates: .iso))
                        if let form {
                            try adapter.attach(Attachment("lines", for: ["number"], Self.lines), toForm: form)
                        }
                        var buffer = ByteBuffer()
                        try adapter.writePage(
                            PageForm(PageShape(members, cursor: Self.noCursor), limit: 9, count: count), to: &buffer)
                    }
                }?.message
            }
            let rows = PageShape.Member.rows(name: "rows", ObjectShape([(name: "n", column: 0)]))
            #expect(await write([rows, .hasNextPage(name: "rows")]) == "two members of the shape have the name rows")
            #expect(await write([rows], form: 1)?.contains("a form of the rows that the page does not have") == true)
            for (count, expected) in [
                (PageForm.CountQuery("SELECT customer FROM orders"), "must return the number of rows as an integer"),
                (PageForm.CountQuery("SELECT number FROM orders"), "must return one row"),
                (PageForm.CountQuery("SELECT number, 1 FROM orders"), "must select one column, the number of rows"),
                (PageForm.CountQuery(of: Self.lines), "counts the rows of each key, but the page has no parent rows; "),
            ] {
                let message = await write([rows, .totalCount(name: "count")], count: count)
                #expect(message?.hasPrefix("the count query of the page \(expected)") == true, "\(message ?? "")")
            }
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
