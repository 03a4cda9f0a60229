import DuetGraphQLHTTP
import DuetJSON
import DuetResourceService
import HTTPTypes

/// The GraphQL routes, and their descriptions in the OpenAPI document.
extension GraphQLRoutes {
    /// The path of the routes.
    static let path = "/graphql"

    /// Returns the routes.
    /// - Parameter catalogue: The catalogue from which the example is derived.
    static func routes(_ catalogue: Catalogue) -> [Route] { routes(example: ExampleRequests(catalogue).document) }

    /// The routes as a client without an identity sees them.
    static let openRoutes = routes(example: "{ __typename }")

    private static func routes(example: String) -> [Route] {
        [
            Route(
                .get, path, "A GraphQL query; for browsers, a page for writing queries",
                parameters: ["query", "documentId", "variables", "operationName", "extensions"], .graphQL,
                getContract),
            Route(.post, path, "A GraphQL query or mutation", .graphQL, postContract(example)),
        ]
    }

    private static let getContract = RouteContract(
        "getGraphQL", .graphQL,
        description: """
            [GraphQL over HTTP](https://graphql.github.io/graphql-over-http/draft/). Mutations require `POST`. A browser receives a \
            page for writing queries.
            """, response, errors: errors([400, 404, 405, 406]), problems: databaseProblems)

    /// - Parameter example: The example document.
    private static func postContract(_ example: String) -> RouteContract {
        RouteContract(
            "postGraphQL", .graphQL,
            description: """
                With `Accept: multipart/mixed`, root fields with `@defer` follow in later parts of the response.
                """,
            body: [
                "required": true,
                "content": [
                    "application/json": [
                        "schema": .schema("GraphQLRequest"),
                        "example": [
                            "query": .string(example)
                        ],
                    ]
                ],
            ], response, errors: errors([400, 404, 406, 413, 415]), problems: databaseProblems)
    }

    private static let databaseProblems: [ServiceError.Code] = [.databaseUnavailable]

    private static let response: OpenAPIOperation.Response = {
        var response = OpenAPIOperation.Response.own(
            "GraphQL",
            "The response. With `application/json`, the response to a well-formed request has this status even if it contains errors.",
            types + [("multipart/mixed", .textSchema), ("text/html", .textSchema)])
        response.headers.append("Server-Timing")
        return response
    }()

    private static let types: [(mediaType: String, schema: JSONValue)] = [
        ("application/graphql-response+json", .schema("GraphQLResponse")),
        ("application/json", .schema("GraphQLResponse")),
    ]

    private static func errors(_ statuses: [Int]) -> [OpenAPIOperation.Response] {
        statuses.map { status in
            var response = OpenAPIOperation.Response.own(
                "GraphQLRequestError", "The request cannot be parsed, or the document cannot be executed.", types,
                isTagged: false)
            response.status = String(status)
            response.headers.append("Allow")
            return response
        }
    }
}
