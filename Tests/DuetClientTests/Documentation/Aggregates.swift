import DuetClient
import Foundation

extension ArticleCode {
    struct StateSales: DataDecodable {
        static let typeName: String? = "OrderAggregateGroup"
        let state: String?
        let month: String?
        let count: Int
        let revenue: String?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            state = try decoder.value(at: "key", "customer", "state")
            month = try decoder.value(at: "key", "orderedOn", "month")
            count = try decoder.value("count")
            revenue = try decoder.value(at: "total", "sum")
        }
    }

    struct StateSalesQuery: GraphQLQuery {
        struct Data: DataDecodable {
            let groups: [StateSales]?
            let orderCount: Int?
            let gifts: String?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                groups = try decoder.value(
                    at: "ordersGroups", "nodes",
                    arguments: [
                        "groupBy": [["customer": .enumeration("STATE")], ["orderedOn": .enumeration("MONTH")]],
                        "orderBy": [["aggregate": ["total": .enumeration("SUM")]]],
                        "first": .variable("first", "Int!"),
                    ])
                orderCount = try decoder.value(at: "ordersAggregate", "count")
                gifts = try decoder.value(
                    at: "ordersAggregate", "total", "sum", alias: "gifts",
                    arguments: ["filter": ["note": ["eq": "gift"]]])
            }
        }

        let first: Int
        var variables: JSONObject { ["first": first.inputValue] }
    }

    static func refresh(_ client: some GraphQLService) async throws -> StateSalesQuery.Data? {
        try await client.fetch(StateSalesQuery(first: 20), policy: .fetchIgnoringCacheData).data
    }

    struct Sales: AggregateDecodable {
        let state: String?
        let month: String
        let count: Int
        let revenue: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case state = "customer.state"
            case month = "orderedOn.month"
            case count
            case revenue = "total.sum"
        }
    }

    struct Totals: AggregateDecodable {
        let count: Int
        let revenue: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case count
            case revenue = "total.sum"
        }
    }

    struct CustomerRow: Decodable, Sendable {
        let name: String
        let ordersAggregate: Totals
    }

    static func aggregates(
        _ service: WebServiceProxy
    ) async throws -> (WebServiceResponse<[Sales]>, Totals, [CustomerRow]) {
        let groups: WebServiceResponse<[Sales]> = try await service.invoke(
            .get, "orders",
            arguments: Sales.arguments(["having": #"{"count":{"gt":1}}"#, "sort": "-total.sum", "first": 20]))
        let totals: Totals = try await service.invoke(.get, "orders", arguments: Totals.arguments(["note": "gift"]))
        let customers: [CustomerRow] = try await service.invoke(
            .get, "customers", arguments: Totals.arguments(of: "orders", ["fields": "name"]))
        return (groups, totals, customers)
    }
}
