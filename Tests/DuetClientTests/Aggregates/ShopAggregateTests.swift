import DuetClient
import DuetJSON
import Foundation
import ProcessTesting
import Testing

@Suite("Aggregates of a described database", .enabled(if: Shop.isAvailable, "needs sqlite3"))
struct ShopAggregateTests {
    private typealias StateSalesQuery = ArticleCode.StateSalesQuery

    private static func client(
        _ url: URL, _ cache: any NormalizedCache = InMemoryNormalizedCache(), connections: Set<String> = []
    ) -> GraphQLClient {
        let policies = CachePolicies(keyFields: ["Order": ["id"], "Customer": ["id"]], connections: connections)
        return GraphQLClient(
            transport: GraphQLEndpoint(url: url.appending(path: "graphql")),
            store: GraphQLStore(cache: cache, policies: policies))
    }

    /// Returns the groups as texts.
    private static func texts(_ data: StateSalesQuery.Data?) -> [String] {
        (data?.groups ?? []).map { "\($0.state ?? "-") \($0.month ?? "-") \($0.count) \($0.revenue ?? "-")" }
    }

    @Test("Models read aggregates and groups in both styles, and a write changes no cached aggregates")
    func article() async throws {
        try await Shop.with { url in
            let service = WebServiceProxy(baseURL: url)
            let client = Self.client(url)
            let first = try await client.fetch(StateSalesQuery(first: 20))
            #expect(Self.texts(first.data) == ["open 2026-03 1 12.50", "closed 2026-03 1 20.00"])
            #expect(first.data?.orderCount == 2)
            #expect(first.data?.gifts == "20.00")

            let order: JSONValue = ["customerId": 1, "orderedOn": "2026-03-05", "total": "5", "note": "gift"]
            try await service.invoke(.post, "orders", content: .json(order))
            let cached = try await client.fetch(StateSalesQuery(first: 20), policy: .cacheDontFetch)
            #expect(Self.texts(cached.data) == Self.texts(first.data))
            let fresh = try await ArticleCode.refresh(client)
            #expect(Self.texts(fresh) == ["open 2026-03 2 17.50", "closed 2026-03 1 20.00"])
            #expect(fresh?.orderCount == 3 && fresh?.gifts == "25.00")

            let (groups, totals, customers) = try await ArticleCode.aggregates(service)
            #expect(groups.content.map(\.state) == ["open"] && groups.content.map(\.month) == ["2026-03"])
            #expect(groups.content.map(\.count) == [2] && groups.content.map(\.revenue) == ["17.50"])
            #expect(totals.count == 2 && totals.revenue == "25.00")
            #expect(customers.map(\.name) == ["Ada", "Bob"])
            #expect(customers.map(\.ordersAggregate.revenue) == ["17.50", "20.00"])
        }
    }

    /// The numbers of orders with a filter: of all customers, and of each customer.
    private struct FilteredQuery: GraphQLQuery {
        struct Data: DataDecodable, Hashable {
            struct Customer: DataDecodable, Hashable {
                static let typeName: String? = "Customer"
                let id: String
                let orderCount: Int

                init(from decoder: DynamicDecoder) throws(ModelError) {
                    id = try decoder.value("id")
                    orderCount = try decoder.value(
                        at: "ordersAggregate", "count", arguments: ["filter": .variable("filter", "OrderFilter")])
                }
            }

            let count: Int?
            let customers: [Customer]?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                count = try decoder.value(
                    at: "ordersAggregate", "count", arguments: ["filter": .variable("filter", "OrderFilter")])
                customers = try decoder.value(at: "customers", "nodes")
            }
        }

        let note: String
        var variables: JSONObject { ["filter": ["note": ["eq": .string(note)]]] }
    }

    /// Aggregates with different filters are separate entries of their object.
    private static func checkFilters(_ client: GraphQLClient) async throws {
        let gifts = try await client.fetch(FilteredQuery(note: "gift")).data
        #expect(gifts?.count == 1 && gifts?.customers?.map(\.orderCount) == [0, 1])
        let missing = await #expect(throws: GraphQLClientError.self) {
            try await client.fetch(FilteredQuery(note: "late"), policy: .cacheDontFetch)
        }
        #expect(missing != nil)
        let late = try await client.fetch(FilteredQuery(note: "late")).data
        #expect(late?.count == 0 && late?.customers?.map(\.orderCount) == [0, 0])
        let again = try await client.fetch(FilteredQuery(note: "gift"), policy: .cacheDontFetch).data
        #expect(again == gifts)
        let isStored = try await client.store.withinReadTransaction { transaction in
            let fields = try transaction.fields(ofObject: "Customer:2")
            return ["gift", "late"].map { note in
                let key = #"ordersAggregate({"filter":{"note":{"eq":"\#(note)"}}})"#
                return fields?[FieldKey(key)] != nil
            }
        }
        #expect(isStored == [true, true])
    }

    /// Two lists of groups whose members have equal values.
    private struct TwinsQuery: GraphQLQuery {
        struct Group: DataDecodable, Hashable {
            let id: String?
            let state: String?
            let count: Int

            init(from decoder: DynamicDecoder) throws(ModelError) {
                id = try decoder.value(at: "key", "customer", "id")
                state = try decoder.value(at: "key", "customer", "state")
                count = try decoder.value("count")
            }
        }

        struct Data: DataDecodable, Hashable {
            let byCustomer: [Group]?
            let byState: [Group]?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                byCustomer = try decoder.value(
                    at: "ordersGroups", "nodes", alias: "byCustomer",
                    arguments: ["groupBy": [["customer": .enumeration("ID")]]])
                byState = try decoder.value(
                    at: "ordersGroups", "nodes", alias: "byState",
                    arguments: ["groupBy": [["customer": .enumeration("STATE")]]])
            }
        }
    }

    /// Groups are no entities, so groups with equal members remain separate.
    private static func checkIdentity(_ client: GraphQLClient) async throws {
        let first = try await client.fetch(TwinsQuery())
        #expect(first.data?.byCustomer?.map(\.id) == ["1", "2"])
        #expect(first.data?.byCustomer?.map(\.state) == [nil, nil])
        #expect(first.data?.byState?.map(\.state) == ["closed", "open"])
        #expect(first.data?.byState?.map(\.count) == [1, 1])
        let cached = try await client.fetch(TwinsQuery(), policy: .cacheDontFetch)
        #expect(cached.data == first.data)
        let keys = try await client.store.withinReadTransaction { try $0.keys().map(\.description) }
        #expect(keys.allSatisfy { $0.hasPrefix("QUERY_ROOT") }, "\(keys)")
    }

    private struct PageQuery: GraphQLQuery {
        struct Data: DataDecodable, Hashable {
            let months: [String?]
            let cursor: String?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                let page: Page = try decoder.value(
                    "ordersGroups",
                    arguments: [
                        "groupBy": [["orderedOn": .enumeration("DAY")]], "first": 1,
                        "after": .variable("after", "String"),
                    ])
                months = page.days.map(\.day)
                cursor = page.cursor
            }
        }

        struct Page: DataDecodable, Hashable {
            let days: [Day]
            let cursor: String?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                days = try decoder.value("nodes")
                cursor = try decoder.value(at: "pageInfo", "endCursor")
            }
        }

        struct Day: DataDecodable, Hashable {
            let day: String?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                day = try decoder.value(at: "key", "orderedOn", "day")
            }
        }

        var after: String?
        var variables: JSONObject { after.map { ["after": .string($0)] } ?? [:] }
    }

    /// Pages of groups are one list only if the cache policies contain the field.
    private static func checkPages(_ url: URL, _ kind: CacheKind) async throws {
        let cases: [(Set<String>, [String?])] = [
            ([], ["2026-03-01"]), (["ordersGroups"], ["2026-03-01", "2026-03-02"]),
        ]
        for (connections, expected) in cases {
            try await kind.withCache { cache in
                let client = Self.client(url, cache, connections: connections)
                let first = try await client.fetch(PageQuery()).data
                #expect(first?.months == ["2026-03-01"])
                let second = try await client.fetch(PageQuery(after: first?.cursor)).data
                #expect(second?.months == ["2026-03-02"])
                let cached = try await client.fetch(PageQuery(), policy: .cacheDontFetch).data
                #expect(cached?.months == expected)
            }
        }
    }

    @Test(
        "Aggregates with different filters are separate, groups are no entities, and their pages are merged as those of lists"
    )
    func entries() async throws {
        try await Shop.with { url in
            for kind in CacheKind.allCases {
                try await kind.withCache { try await Self.checkIdentity(Self.client(url, $0)) }
                try await kind.withCache { try await Self.checkFilters(Self.client(url, $0)) }
                try await Self.checkPages(url, kind)
            }
        }
    }

    @Test(
        "Generated types read aggregates and groups. Keys, conditions and orders are input types")
    func generated() async throws {
        let query = ShopAPI.OrderReportQuery(
            groupBy: [.customer(.state), .orderedOn(.month)], having: .init(total: .init(sum: .init(gt: "15"))),
            orderBy: [.init(aggregate: .total(.sum), direction: .descending), .init(key: .orderedOn(.month))])
        let variables: JSONObject = [
            "groupBy": [["customer": "STATE"], ["orderedOn": "MONTH"]], "having": ["total": ["sum": ["gt": "15"]]],
            "orderBy": [
                ["aggregate": ["total": "SUM"], "direction": "DESCENDING"], ["key": ["orderedOn": "MONTH"]],
            ],
        ]
        #expect(query.variables == variables)
        try await Shop.with { url in
            let client = Self.client(url)
            let result = try await client.fetch(query)
            #expect(result.errors.isEmpty)
            let groups = try #require(result.data?.ordersGroups)
            #expect(groups.totalCount == 1 && !groups.pageInfo.hasNextPage)
            let group = try #require(groups.nodes.first)
            #expect(group.key.customer?.state == "closed" && group.key.orderedOn?.month == "2026-03")
            #expect(group.key.note == nil && group.key.orderedOn?.value == nil)
            #expect(group.count == 1 && group.total == .init(sum: "20.00", avg: "20.00"))
            let totals = try #require(result.data?.ordersAggregate?.orderTotals)
            #expect(totals.count == 2 && totals.total == .init(sum: "32.50", max: "20.00"))
            #expect(totals.orderedOn.max == "2026-03-02" && totals.note.countDistinct == 1)
            let customers = try #require(result.data?.customers)
            #expect(customers.nodes.map(\.ordersAggregate.orderTotals.total.sum) == ["12.50", "20.00"])
            let cached = try await client.fetch(query, policy: .cacheDontFetch)
            #expect(cached.data == result.data)
        }
    }
}
