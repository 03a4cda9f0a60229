import DuetJSON
import DuetResourceService
import ProcessTesting
import TestSupport
import Testing

@Suite("Groups and aggregates over GraphQL") struct GraphQLGroupTests {
    @Test("The aggregates of all rows are one object of typed members", arguments: TestBackend.available)
    func all(_ backend: TestBackend) async throws {
        try await SalesShop.with(backend) { shop in
            let answer = try await shop.execute(
                """
                { all: ordersAggregate { count total { sum avg min } amount { sum avg } isPaid { sum } note { countDistinct } }
                  none: ordersAggregate(filter: {id: {lt: 0}}) { n: count total { sum } __typename } }
                """)
            #expect(
                answer.compactText == """
                    {"data":{"all":{"count":7,"total":{"sum":"1036.85","avg":"148.121429","min":"0.10"},\
                    "amount":{"sum":25,"avg":4.1667},"isPaid":{"sum":4},"note":{"countDistinct":3}},\
                    "none":{"n":0,"total":{"sum":null},"__typename":"OrderAggregate"}}}
                    """)
        }
    }

    @Test("Groups have keys, a condition, an order, pages and a number", arguments: TestBackend.available)
    func groups(_ backend: TestBackend) async throws {
        try await SalesShop.with(backend) { shop in
            func read(_ after: String) async throws -> JSONValue {
                try await shop.execute(
                    """
                    { ordersGroups(groupBy: [{customer: COUNTRY}, {isPaid: VALUE}],
                        having: {or: [{total: {sum: {gt: "7.5"}}}, {count: {lt: 2}}]}, first: 2\(after),
                        orderBy: [{aggregate: {total: SUM}, direction: DESCENDING}]) {
                        nodes { key { note isPaid customer { name country } } count total { sum } }
                        pageInfo { hasNextPage endCursor } totalCount } }
                    """)
            }
            let first = try await read("")
            let groups = try #require(first["data"]?["ordersGroups"])
            #expect(
                groups["nodes"]?.compactText == """
                    [{"key":{"note":null,"isPaid":true,"customer":{"name":null,"country":"DE"}},"count":2,"total":{"sum":"1020.50"}},\
                    {"key":{"note":null,"isPaid":true,"customer":{"name":null,"country":null}},"count":1,"total":{"sum":"8.00"}}]
                    """)
            #expect(groups["totalCount"] == 4)
            guard case .string(let cursor)? = groups["pageInfo"]?["endCursor"] else { return #expect(groups == [:]) }
            let second = try await read(", after: \"\(cursor)\"")
            #expect(
                second["data"]?["ordersGroups"]?.compactText.contains(
                    #"{"key":{"note":null,"isPaid":true,"customer":{"name":null,"country":"FR"}},"count":1"#) == true,
                "\(second)")
            #expect(second["data"]?["ordersGroups"]?["pageInfo"]?["hasNextPage"] == false)
        }
    }

    @Test(
        "A role has aggregates only with the right to them, of the fields and rows that it sees",
        arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        var orders = Role.Read(fields: .except(["note", "amount"]), where: .compare("isPaid", .equal, [1]))
        orders.aggregates = true
        let reads = ["orders": orders, "customers": Role.Read(fields: .except(["country"]))]
        let roles = [Role("analyst", reads: reads), Role("reader", reads: ["orders": Role.Read()])]
        try await SalesShop.with(backend, roles: roles) { shop in
            let (analyst, reader): (JSONObject, JSONObject) = (
                ["sub": "ada", "role": "analyst"], ["sub": "bob", "role": "reader"]
            )
            func get(_ query: String, _ caller: JSONObject) async throws -> HTTPAnswer {
                try await shop.send("GET", "/orders?\(query)", caller: caller)
            }
            let groups = try await get("group=customer.name&aggregate=count,total.sum", analyst)
            #expect(
                groups.body == """
                    [{"customer.name":null,"count":1,"total.sum":"8.00"},{"customer.name":"Ada","count":1,"total.sum":"0.10"},\
                    {"customer.name":"Bob","count":2,"total.sum":"1020.50"}]
                    """)
            for query in [
                "group=note", "group=customer.country", "aggregate=amount.sum", "aggregate=note.max",
                "group=id&aggregate=count&having=%7B%22amount.sum%22%3A%7B%22gt%22%3A1%7D%7D", "group=id&sort=note",
            ] {
                let answer = try await get(query, analyst)
                #expect(answer.status == 400, "\(query): \(answer.body)")
                for hidden in ["country,", "amount.avg", "note.min"] {
                    #expect(!answer.body.contains(hidden), "\(query): \(answer.body)")
                }
                #expect(try await get(query, reader).status == 400)
            }
            let refused = try await get("aggregate=count", reader)
            #expect(refused.status == 400 && refused.body.contains("unknown-parameter"), "\(refused.body)")
            let schema = try await shop.execute("{ ordersAggregate { count } }", caller: reader)
            #expect(schema["errors"] != nil, "\(schema)")
            let relation = try await shop.send(
                "GET", "/customers?details=orders&orders.first=0&orders.aggregate=count&id=2", caller: analyst)
            #expect(relation.body == #"[{"id":2,"name":"Bob","ordersAggregate":{"count":2}}]"#)
        }
    }
}
