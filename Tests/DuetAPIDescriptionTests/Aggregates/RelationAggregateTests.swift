import DuetJSON
import DuetResourceService
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Aggregates of relations as sort keys and in filters") struct RelationAggregateTests {
    /// A customer without orders, and the lines of some orders.
    private static let script =
        SalesShop.script + """

            INSERT INTO customers VALUES (5, 'Eve', 'DE');
            CREATE TABLE order_lines (id INTEGER NOT NULL PRIMARY KEY, order_id INTEGER NOT NULL, price DECIMAL(6,2) NOT NULL,
                FOREIGN KEY (order_id) REFERENCES orders (id));
            INSERT INTO order_lines VALUES (1, 10, 1.50), (2, 10, 0.10), (3, 11, 20), (4, 13, 1), (5, 13, 1), (6, 13, 1.01);
            CREATE INDEX orders_customer ON orders (customer_id);
            CREATE INDEX lines_order ON order_lines (order_id);
            """

    private static let description =
        SalesShop.description
        .replacing(
            "    relations:\n      orders:", with: "    sort: [id, name, country]\n    relations:\n      orders:"
        )
        .replacing("    key: [id]\n", with: "    key: [id]\n    writes: [update, delete]\n") + """
                  lines: {to: lines, many: 20, columns: {id: order_id}}
              lines:
                singular: line
                type: Line
                table: order_lines
                key: [id]
                fields:
                  id: {type: int}
                  orderId: {type: int, column: order_id}
                  price: {type: decimal, scale: 2}
                relations:
                  order: {to: orders, one: required, columns: {order_id: id}}

            """

    private static func with(
        _ backend: TestBackend, roles: [Role] = [], _ body: @Sendable @escaping (WritableShop) async throws -> Void
    ) async throws {
        try await WritableShop.with(backend, roles: roles, script: script, description: description, body)
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// Returns the values of the member `id` of the objects in a list.
    private static func identifiers(_ list: JSONValue?) -> [Int64] {
        guard case .array(let rows)? = list else { return [] }
        return rows.compactMap { $0["id"]?.integerValue }
    }

    // MARK: Orders

    private static let orders: [(sort: String, ids: [Int64])] = [
        ("-orders.count,-name", [2, 1, 4, 3, 5]), ("orders.count", [5, 3, 4, 1, 2]),
        ("orders.total.sum", [5, 1, 4, 3, 2]), ("-orders.total.sum", [2, 3, 4, 1, 5]),
        ("orders.total.avg", [5, 1, 4, 3, 2]), ("-orders.note.max", [2, 4, 1, 5, 3]),
        ("orders.orderedOn.min", [5, 1, 2, 3, 4]), ("-orders.amount.sum", [4, 3, 2, 1, 5]),
        ("-orders.isPaid.sum,orders.count", [2, 1, 5, 3, 4]),
        ("orders.note.countDistinct,-orders.total.max", [3, 5, 4, 1, 2]),
        ("country,-orders.total.sum", [3, 2, 5, 4, 1]), ("-orders.amount.avg,orders.count,-id", [4, 3, 2, 1, 5]),
    ]

    /// Returns the argument `orderBy` for a value of `sort`.
    private static func orderBy(_ sort: String) -> String {
        let terms = sort.split(separator: ",").map { term in
            let direction = term.hasPrefix("-") ? "DESCENDING" : "ASCENDING"
            let parts = term.drop { $0 == "-" }.split(separator: ".").map(String.init)
            let value =
                switch parts.count {
                case 1: "field: \(parts[0].uppercased())"
                case 2: "\(parts[0]): {\(parts[1]): VALUE}"
                default:
                    "\(parts[0]): {\(parts[1]): \(parts[2] == "countDistinct" ? "COUNT_DISTINCT" : parts[2].uppercased())}"
                }
            return "{\(value), direction: \(direction)}"
        }
        return "[\(terms.joined(separator: ", "))]"
    }

    @Test(
        "A list is sorted by aggregates of relations in both styles, and its pages contain each row once",
        arguments: TestBackend.available)
    func sort(_ backend: TestBackend) async throws {
        try await Self.with(backend) { shop in
            for (sort, ids) in Self.orders {
                let whole = try await shop.send("GET", "/customers?fields=id&sort=\(sort)")
                #expect(Self.identifiers(try whole.json) == ids, "\(sort): \(whole.body)")
                let timing = whole.headers.first(name: "Server-Timing") ?? ""
                #expect(timing.contains("desc=\"1\""), "\(timing)")
                var paged: [Int64] = []
                var next: String? = "/customers?fields=id&sort=\(sort)&first=1"
                while let target = next, paged.count <= ids.count {
                    let answer = try await shop.send("GET", target)
                    #expect(answer.status == 200, "\(answer.body)")
                    paged += Self.identifiers(try answer.json)
                    next = answer.headers.first(name: "Link").map { String($0.dropFirst().prefix { $0 != ">" }) }
                }
                #expect(paged == ids, "\(sort)")
                var nodes: [Int64] = []
                var after = ""
                for _ in ids {
                    let answer = try await shop.execute(
                        """
                        { customers(orderBy: \(Self.orderBy(sort)), first: 2\(after)) {
                            edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }
                        """)
                    let page = answer["data"]?["customers"]
                    guard case .array(let edges)? = page?["edges"] else { return #expect(answer == [:], "\(sort)") }
                    nodes += edges.compactMap { $0["node"]?["id"]?.integerValue }
                    guard page?["pageInfo"]?["hasNextPage"] == true, case .string(let cursor)? = edges.last?["cursor"]
                    else { break }
                    after = ", after: \"\(cursor)\""
                }
                #expect(nodes == ids, "\(sort)")
            }
            let csv = try await shop.server.send(
                "GET", "/customers?fields=id&sort=-orders.total.sum", ["Accept": "text/csv"])
            #expect(csv.body == "id\r\n2\r\n3\r\n4\r\n1\r\n5\r\n")
        }
    }

    @Test(
        "Related rows are sorted and selected by aggregates of their own relations", arguments: TestBackend.available)
    func related(_ backend: TestBackend) async throws {
        try await Self.with(backend) { shop in
            let lines = Self.encoded(#"{"lines":{"count":{"gte":1}}}"#)
            for (path, body) in [
                (
                    "/customers?fields=id&details=orders&orders.fields=id&orders.sort=-lines.count&orders.first=1&id.lte=3",
                    #"[{"id":1,"orders":[{"id":10}]},{"id":2,"orders":[{"id":13}]},{"id":3,"orders":[{"id":14}]}]"#
                ),
                (
                    "/customers?fields=id&details=orders&orders.fields=id&orders.sort=lines.price.sum&id=1",
                    #"[{"id":1,"orders":[{"id":10},{"id":11}]}]"#
                ),
                ("/customers/2/orders?sort=-lines.price.sum&fields=id", #"[{"id":13},{"id":12}]"#),
                (
                    "/customers?fields=id&details=orders&orders.fields=id&orders.filter=\(lines)&id.lte=2",
                    #"[{"id":1,"orders":[{"id":10},{"id":11}]},{"id":2,"orders":[{"id":13}]}]"#
                ),
                (
                    "/customers?fields=id&details=orders&orders.first=0&orders.aggregate=count&orders.filter=\(lines)&id=2",
                    #"[{"id":2,"ordersAggregate":{"count":1}}]"#
                ),
                (
                    "/orders?group=isPaid&aggregate=count&filter=\(lines)",
                    #"[{"isPaid":false,"count":1},{"isPaid":true,"count":2}]"#
                ),
                (
                    "/customers/2/orders?fields=id&filter=\(Self.encoded(#"{"customer":{"orders":{"count":{"eq":2}}}}"#))",
                    #"[{"id":12},{"id":13}]"#
                ),
            ] {
                let answer = try await shop.send("GET", path)
                #expect(answer.body == body, "\(path)")
            }
            let count = try await shop.send("GET", "/orders?first=1&count=true&filter=\(lines)")
            #expect(count.headers.first(name: "Total-Count") == "3")
            let nested = try await shop.execute(
                """
                { customers(first: 2) { nodes { orders(first: 1, orderBy: [{lines: {count: VALUE}, direction: DESCENDING}]) {
                    nodes { id } totalCount pageInfo { endCursor } } } } }
                """)
            #expect(nested.compactText.contains(#"{"orders":{"nodes":[{"id":13}],"totalCount":2"#), "\(nested)")
        }
    }

    // MARK: Filters

    private static let filters: [(filter: String, ids: [Int64])] = [
        (#"{"orders":{"count":{"gte":2}}}"#, [1, 2]), (#"{"orders":{"count":{"eq":0}}}"#, [5]),
        (#"{"orders":{"total":{"sum":{"gt":"1"}}}}"#, [2, 3, 4]),
        (#"{"not":{"orders":{"total":{"sum":{"gt":"1"}}}}}"#, [1]),
        (#"{"orders":{"total":{"sum":{"null":true}}}}"#, [5]),
        (#"{"orders":{"count":{"gte":1,"lt":2},"total":{"avg":{"gte":"7"}}}}"#, [3]),
        (#"{"orders":{"filter":{"isPaid":{"eq":true}},"count":{"gte":1}}}"#, [1, 2]),
        (#"{"orders":{"filter":{"isPaid":{"eq":true}},"count":{"eq":0}}}"#, [3, 4, 5]),
        (#"{"orders":{"some":{"note":{"eq":"gift"}},"count":{"gte":2}}}"#, [1, 2]),
        (
            #"{"or":[{"orders":{"note":{"max":{"eq":"late"}}}},{"orders":{"orderedOn":{"min":{"lt":"2024-02-01"}}}}]}"#,
            [1, 4]
        ),
        (#"{"orders":{"count":{"in":[0,1]}}}"#, [3, 4, 5]), (#"{"orders":{"count":{"in":[]}}}"#, []),
        (#"{"country":{"eq":"FR"},"orders":{"total":{"sum":{"eq":"0.3"}}}}"#, [1]),
        (#"{"orders":{"isPaid":{"sum":{"gt":0}},"amount":{"count":{"lt":2}}}}"#, [2]),
        (#"{"orders":{"filter":{"lines":{"price":{"sum":{"gt":"1.59"}}}},"count":{"eq":2}}}"#, [1]),
        (#"{"orders":{"some":{"lines":{"count":{"eq":3}}}}}"#, [2]),
    ]

    @Test(
        "A filter compares aggregates of relations, with the same object in both styles",
        arguments: TestBackend.available)
    func filter(_ backend: TestBackend) async throws {
        try await Self.with(backend) { shop in
            for (filter, ids) in Self.filters {
                let rest = try await shop.send("GET", "/customers?fields=id&filter=\(Self.encoded(filter))")
                #expect(Self.identifiers(try rest.json) == ids && rest.status == 200, "\(filter): \(rest.body)")
                let counted = try await shop.send(
                    "GET", "/customers?aggregate=count&filter=\(Self.encoded(filter))")
                #expect(counted.body == "{\"count\":\(ids.count)}", "\(filter)")
                let answer = try await shop.send(
                    "POST", "/graphql",
                    [
                        "query": "query($f: CustomerFilter) { customers(filter: $f) { nodes { id } totalCount } }",
                        "variables": ["f": try JSONValue(parsing: filter.utf8)],
                    ]
                ).json
                #expect(Self.identifiers(answer["data"]?["customers"]?["nodes"]) == ids, "\(filter): \(answer)")
            }
            let changed = try await shop.send(
                "PATCH", "/customers?filter=\(Self.encoded(#"{"orders":{"count":{"eq":0}}}"#))", ["name": "Nobody"])
            #expect(changed.body == #"{"updated":1}"#)
            let removed = try await shop.send(
                "DELETE", "/customers?filter=\(Self.encoded(#"{"orders":{"total":{"sum":{"null":true}}}}"#))")
            #expect(removed.body == #"{"deleted":1}"#)
        }
    }

    @Test("A wrong aggregate is an error that names the valid ones", arguments: TestBackend.available)
    func errors(_ backend: TestBackend) async throws {
        try await Self.with(backend) { shop in
            let many = (1...11).map { _ in #"{"orders":{"count":{"gte":1}}}"# }.joined(separator: ",")
            for (query, part) in [
                ("sort=orders", "aggregates of orders, such as orders.count"),
                ("sort=orders.total", "orders.total.avg"),
                ("sort=orders.note.sum", "orders.note.max"), ("sort=lines.count", "valid fields are id, name, country"),
                (
                    "sort=orders.count,orders.id.sum,orders.id.min,orders.id.max,orders.id.avg",
                    "more than 4 aggregates of relations"
                ),
                (#"filter={"orders":{"counts":{"gte":3}}}"#, "valid members are some, none, filter, count, id"),
                (#"filter={"orders":{"total":{"median":{"gte":3}}}}"#, "valid functions are count, countDistinct, sum"),
                (
                    #"filter={"orders":{"note":{"sum":{"gte":3}}}}"#,
                    "valid functions are count, countDistinct, min, max"
                ),
                (#"filter={"orders":{"note":{"max":{"like":"a*"}}}}"#, "not a condition on aggregates"),
                (#"filter={"orders":{"count":{"gte":"x"}}}"#, "filter.orders.count.gte must be"),
                (#"filter={"orders":{"count":{}}}"#, "is empty"),
                (#"filter={"orders":{"total":{}}}"#, "add a function"),
                (#"filter={"orders":{"count":null}}"#, "must not be null"),
                (#"filter={"orders":{"filter":{"id":{"gt":1}}}}"#, "add an aggregate"),
                ("filter={\"or\":[\(many)]}", "aggregates of more than 10 relations"),
                (#"filter={"customer":{"count":{"gte":3}}}"#, "no member customer"),
            ] {
                let (name, value) = (query.prefix { $0 != "=" }, query.drop { $0 != "=" }.dropFirst())
                let answer = try await shop.send("GET", "/customers?\(name)=\(Self.encoded(String(value)))")
                #expect(answer.status == 400 && answer.body.contains(part), "\(query): \(answer.body)")
            }
            for (arguments, part) in [
                ("orderBy: [{direction: DESCENDING}]", "either field or one aggregate"),
                ("orderBy: [{field: NAME, orders: {count: VALUE}}]", "either field or one aggregate"),
                ("orderBy: [{orders: {total: MEDIAN}}]", "NumberAggregateFunction"),
                ("filter: {orders: {note: {sum: {gt: 1}}}}", "not defined"),
                (
                    "filter: {or: [\((1...11).map { _ in "{orders: {count: {gte: 1}}}" }.joined(separator: ", "))]}",
                    "more than 10"
                ),
            ] {
                let answer = try await shop.execute("{ customers(\(arguments)) { nodes { id } } }")
                #expect(answer["errors"] != nil && answer.compactText.contains(part), "\(arguments): \(answer)")
            }
            // A cursor belongs to one order.
            let page = try await shop.send("GET", "/customers?first=1&sort=orders.count")
            let link = page.headers.first(name: "Link").map { String($0.dropFirst().prefix { $0 != ">" }) } ?? ""
            let other = try await shop.send("GET", link.replacing("orders.count", with: "orders.id.count"))
            #expect(other.status == 400 && other.body.contains("cursor"), "\(link): \(other.body)")
        }
    }

    // MARK: Rights

    @Test(
        "A role compares only aggregates of relations, rows and fields that it sees", arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        var paid = Role.Read(fields: .except(["total"]), where: .compare("isPaid", .equal, [1]))
        paid.aggregates = true
        let many = Filter.aggregate(
            of: "orders", .compare(Aggregate(.count), .greaterOrEqual, [.integer(2)]), .everything)
        let roles = [
            Role("clerk", reads: ["customers": Role.Read(), "orders": paid]),
            Role("reader", reads: ["customers": Role.Read(), "orders": Role.Read()]),
            Role("stranger", reads: ["customers": Role.Read()]),
            Role("patron", reads: ["customers": Role.Read(where: many)]),
        ]
        try await Self.with(backend, roles: roles) { shop in
            func get(_ query: String, _ role: String) async throws -> HTTPAnswer {
                try await shop.send(
                    "GET", "/customers?fields=id&\(query)", caller: ["sub": "ada", "role": .string(role)])
            }
            func filter(_ filter: String) -> String { "filter=\(Self.encoded(filter))" }
            let sorted = try await get("sort=-orders.count,id", "clerk")
            #expect(Self.identifiers(try sorted.json) == [2, 1, 3, 4, 5])
            let selected = try await get(filter(#"{"orders":{"count":{"eq":0}}}"#), "clerk")
            #expect(Self.identifiers(try selected.json) == [3, 4, 5])
            for query in ["sort=orders.total.sum", filter(#"{"orders":{"total":{"sum":{"gt":"1"}}}}"#)] {
                let answer = try await get(query, "clerk")
                #expect(answer.status == 400 && !answer.body.contains("total.max"), "\(query): \(answer.body)")
            }
            for role in ["reader", "stranger"] {
                for query in ["sort=orders.count", filter(#"{"orders":{"count":{"gte":0}}}"#)] {
                    let answer = try await get(query, role)
                    #expect(answer.status == 400 && !answer.body.contains("aggregate"), "\(role): \(answer.body)")
                }
                let caller: JSONObject = ["sub": "ada", "role": .string(role)]
                let schema = try await shop.server.send(
                    "GET", "/schema.graphql", TestToken(caller).field)
                #expect(!schema.body.contains("OrderAggregate"), "\(role)")
                let openAPI = try await shop.send("GET", "/openapi.json", caller: caller)
                #expect(openAPI.status == 200 && !openAPI.body.contains("`-orders"), "\(role)")
            }
            let patron = try await get("", "patron")
            #expect(Self.identifiers(try patron.json) == [1, 2])
        }
    }

    // MARK: Groups

    @Test("Parts of dates of a to-one relation are keys of groups", arguments: TestBackend.available)
    func relatedParts(_ backend: TestBackend) async throws {
        try await Self.with(backend) { shop in
            let months = try await shop.send(
                "GET", "/lines?group=order.orderedOn.month,order.isPaid&aggregate=count&sort=-order.orderedOn.month")
            #expect(
                months.body == """
                    [{"order.orderedOn.month":"2024-12","order.isPaid":true,"count":3},\
                    {"order.orderedOn.month":"2024-02","order.isPaid":false,"count":1},\
                    {"order.orderedOn.month":"2024-01","order.isPaid":true,"count":2}]
                    """)
            let days = try await shop.send(
                "GET", "/lines?group=order.placedAt.day&aggregate=price.sum&timeZone=Europe/Paris&first=1")
            #expect(days.body == #"[{"order.placedAt.day":"2024-02-01","price.sum":"21.60"}]"#)
            let link = days.headers.first(name: "Link").map { String($0.dropFirst().prefix { $0 != ">" }) }
            let next = try await shop.send("GET", link ?? "")
            #expect(next.body == #"[{"order.placedAt.day":"2024-12-30","price.sum":"3.01"}]"#)
            let graphQL = try await shop.execute(
                """
                { linesGroups(groupBy: [{order: ORDERED_ON_MONTH}, {order: ID}], having: {count: {gte: 2}},
                    orderBy: [{key: {order: ORDERED_ON_MONTH}, direction: DESCENDING}]) {
                    nodes { key { order { orderedOn { month year value } placedAt { day } id } } count } } }
                """)
            #expect(
                graphQL.compactText == """
                    {"data":{"linesGroups":{"nodes":[\
                    {"key":{"order":{"orderedOn":{"month":"2024-12","year":null,"value":null},"placedAt":null,"id":13}},"count":3},\
                    {"key":{"order":{"orderedOn":{"month":"2024-01","year":null,"value":null},"placedAt":null,"id":10}},"count":2}]}}}
                    """)
        }
    }

    @Test("A parameter without an effect is an error")
    func unusedParameters() async throws {
        try await Self.with(.sqlite) { shop in
            for (path, parameter, part) in [
                ("/orders?timeZone=Europe/Paris", "timeZone", "timeZone requires group"),
                ("/orders?timeZone=Europe/Paris&aggregate=count", "timeZone", "timeZone requires group"),
                ("&orders.fields=id", "orders.fields", "orders.fields requires rows, but orders.first is 0"),
                ("&orders.sort=-id", "orders.sort", "set orders.first to 1 or more"),
                ("&orders.after=x", "orders.after", "remove orders.after"),
                ("&orders.page=true", "orders.page", "remove orders.page"),
                ("&orders.count=true", "orders.count", "remove orders.count"),
                ("&details=orders.lines", "details", "orders.lines in details requires rows"),
            ] {
                let path =
                    path.hasPrefix("/")
                    ? path : "/customers?details=orders&orders.first=0&orders.aggregate=count\(path)"
                let answer = try await shop.send("GET", path)
                #expect(answer.status == 400 && answer.body.contains(part), "\(path): \(answer.body)")
                #expect(try answer.json["parameter"] == .string(parameter), "\(path): \(answer.body)")
            }
        }
    }

    // MARK: Scans

    @Test("The related rows of each row are found by the index of the relation", arguments: TestBackend.available)
    func scans(_ backend: TestBackend) async throws {
        let digits = (0...9).map { "(\($0))" }.joined(separator: ", ")
        let script = """
            CREATE TABLE digits (n INTEGER NOT NULL PRIMARY KEY);
            INSERT INTO digits VALUES \(digits);
            CREATE TABLE boxes (id INTEGER NOT NULL PRIMARY KEY);
            INSERT INTO boxes SELECT a.n + 10 * b.n FROM digits AS a CROSS JOIN digits AS b;
            CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, box_id INTEGER NOT NULL, size INTEGER NOT NULL);
            INSERT INTO items SELECT a.n + 10 * b.n + 100 * c.n, a.n + 10 * b.n, c.n
                FROM digits AS a CROSS JOIN digits AS b CROSS JOIN digits AS c;
            CREATE INDEX items_box ON items (box_id);
            """
        func description(maxScan: Int, ofItems: Int) -> String {
            """
            duet: 1
            resources:
              boxes:
                singular: box
                type: Box
                key: [id]
                fields:
                  id: {type: int}
                sort: [id]
                maxScan: \(maxScan)
                relations:
                  items: {to: items, many: 20, columns: {id: box_id}}
              items:
                singular: item
                type: Item
                key: [id]
                fields:
                  id: {type: int}
                  boxId: {type: int, column: box_id}
                  size: {type: int}
                sort: [size]
                maxScan: \(ofItems)

            """
        }
        let paths = [
            "/boxes?first=1&sort=-items.size.sum", "/boxes?first=1&sort=-items.count",
            "/boxes?first=1&filter=\(Self.encoded(#"{"items":{"size":{"sum":{"gt":1000}}}}"#))",
        ]
        // The statement examines 100 boxes and their 1,000 items.
        try await WritableShop.with(
            backend, script: script, description: description(maxScan: 1_500, ofItems: 5)
        ) { shop in
            for path in paths {
                let answer = try await shop.send("GET", path)
                #expect(answer.status == 200, "\(path): \(answer.body)")
            }
            // The limit of the related resource is that of the statement which reads its rows.
            let items = try await shop.send("GET", "/boxes?first=30&details=items&items.first=1&items.sort=-size")
            #expect(items.status == (backend == .sqlite ? 422 : 200), "\(items.body)")
            if backend == .sqlite { #expect(items.body.contains("more than 5 rows"), "\(items.body)") }
            let graphQL = try await shop.execute(
                "{ boxes(first: 30) { nodes { id itemsAggregate { size { sum } } } } }")
            #expect(graphQL.compactText.contains("SCAN_TOO_LARGE") == (backend == .sqlite), "\(graphQL)")
        }
        guard backend == .sqlite else { return }
        try await WritableShop.with(
            backend, script: script, description: description(maxScan: 50, ofItems: 0)
        ) { shop in
            for path in paths {
                let answer = try await shop.send("GET", path)
                #expect(answer.status == 422, "\(path): \(answer.body)")
            }
            let sorted = try await shop.send("GET", paths[1])
            #expect(sorted.body.contains("an order by aggregates such as items.count reads"), "\(sorted.body)")
            let items = try await shop.send("GET", "/boxes?first=20&details=items&items.first=1&items.sort=-size")
            #expect(items.status == 200, "\(items.body)")
        }
    }

    @Test("A later page in an order by an aggregate of a relation examines no more rows than the first page")
    func scansOfPages() async throws {
        // Without an index, each box examines all 20 items.
        let items = (1...20).map { "(\($0), \($0 % 5 % 4))" }.joined(separator: ", ")
        let script = """
            CREATE TABLE boxes (id INTEGER NOT NULL PRIMARY KEY);
            INSERT INTO boxes VALUES (0), (1), (2), (3);
            CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, box_id INTEGER NOT NULL);
            INSERT INTO items VALUES \(items);
            """
        let description = """
            duet: 1
            resources:
              boxes:
                singular: box
                type: Box
                key: [id]
                fields:
                  id: {type: int}
                sort: [id]
                maxScan: 90
                relations:
                  items: {to: items, many: 20, columns: {id: box_id}}
              items:
                singular: item
                type: Item
                key: [id]
                fields:
                  id: {type: int}
                maxScan: 90

            """
        try await WritableShop.with(.sqlite, script: script, description: description) { shop in
            for (sort, ids) in [("items.count", "1 2 3 0"), ("-items.id.max,id", "0 3 2 1")] {
                let rows = try await shop.pages("/boxes?sort=\(sort)")
                #expect(rows.compactMap { $0["id"]?.integerValue.map(String.init) }.joined(separator: " ") == ids)
            }
        }
    }

    // MARK: Costs

    @Test("Each aggregate of a relation in a filter or an order costs 1,000, also in a variable")
    func costs() async throws {
        try await WritableShop.with(
            .sqlite, script: Self.script,
            description: Self.description.replacing("resources:\n", with: "maxQueryCost: 2500\nresources:\n")
        ) { shop in
            let document = """
                query($f: CustomerFilter, $s: [CustomerSort!]) { customers(first: 1, filter: $f, orderBy: $s) { nodes { id } } }
                """
            let count: JSONValue = ["orders": ["count": ["gte": 1]]]
            let sort: JSONValue = ["orders": ["count": "VALUE"]]
            for (variables, isRefused): (JSONValue, Bool) in [
                (["f": count, "s": [sort]], false), (["f": ["and": [count, count]], "s": []], false),
                (["f": ["and": [count, count]], "s": [sort]], true), (["f": ["or": [count, count, count]]], true),
                (["f": ["orders": ["some": ["id": ["gt": 1]]]]], false),
            ] {
                let answer = try await shop.send(
                    "POST", "/graphql", ["query": .string(document), "variables": variables])
                #expect(
                    answer.body.contains("COST_LIMIT_EXCEEDED") == isRefused, "\(variables): \(answer.body)")
            }
            let literal = try await shop.execute(
                """
                { customers(first: 1, filter: {orders: {count: {gte: 1}, total: {sum: {gt: 1}}}},
                    orderBy: [{orders: {count: VALUE}}]) { nodes { id } } }
                """)
            #expect(literal.compactText.contains("COST_LIMIT_EXCEEDED"), "\(literal)")
        }
    }
}
