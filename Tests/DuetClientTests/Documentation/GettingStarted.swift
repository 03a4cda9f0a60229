import DuetClient
import Foundation

extension ArticleCode {
    static func makeClient(_ url: URL, caches: URL) throws -> GraphQLClient {
        let store = GraphQLStore(
            cache: try SQLiteNormalizedCache(at: caches.appending(path: "graphql.sqlite")),
            policies: CachePolicies(keyFields: ["Employee": ["id"], "Department": ["id"]]))
        let client = GraphQLClient(transport: GraphQLEndpoint(url: url), store: store)
        return client
    }

    struct Employee: DataDecodable {
        static let typeName: String? = "Employee"
        let id: String
        let lastName: String

        init(from decoder: DynamicDecoder) throws(ModelError) {
            id = try decoder.value("id")
            lastName = try decoder.value("lastName")
        }
    }

    struct EmployeeQuery: GraphQLQuery {
        struct Data: DataDecodable {
            let employee: Employee?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                employee = try decoder.value("employee", arguments: ["id": .variable("id", "ID!")])
            }
        }

        var id: String
        var variables: JSONObject { ["id": id.inputValue] }
    }

    static func fetch(_ client: some GraphQLService, show: (String) -> Void) async {
        do {
            let result = try await client.fetch(EmployeeQuery(id: "10004"))
            show(result.data?.employee?.lastName ?? "no such employee")
            for error in result.errors { show(error.message) }
        } catch {
            // Here error is a GraphQLClientError: there is no result.
            show(error.message)
        }
    }

    struct Authorization: GraphQLInterceptor {
        let token: @Sendable () async -> String

        func send(
            _ request: GraphQLRequest, next: any GraphQLTransport
        ) async throws(GraphQLClientError) -> GraphQLReply {
            var request = request
            request.headerFields[.authorization] = "Bearer \(await token())"
            return try await next.send(request)
        }
    }
}
