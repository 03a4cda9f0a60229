// GraphQL over HTTP with strings and bytes, for any HTTP server.
import DuetGraphQL
import DuetGraphQLHTTP

var resolvers = SchemaResolvers()
resolvers.query { query in
    query["greeting"] = .sync { _, _ in "Hello" }
}
let schema = try ExecutableSchema(Schema(sdl: "type Query { greeting: String! }"), resolvers: resolvers)

typealias HeaderFields = [(name: String, value: String)]

func answer(
    _ method: String, _ headerFields: HeaderFields, urlQuery: String?, body: [UInt8]
) async throws -> (status: Int, headerFields: HeaderFields, body: [UInt8]) {
    let response = try await schema.respond(
        to: GraphQLHTTPRequest(method: method, headerFields: headerFields, urlQuery: urlQuery, body: body))
    return (response.statusCode, response.headerFieldPairs, response.bytes)
}

let got = try await answer("GET", [("Accept", "application/json")], urlQuery: "query=%7Bgreeting%7D", body: [])
print(got.status, String(decoding: got.body, as: UTF8.self))
// Prints: 200 {"data":{"greeting":"Hello"}}
let refused = try await answer("POST", [("Content-Type", "text/plain")], urlQuery: nil, body: Array("{greeting}".utf8))
print(refused.status, refused.headerFields.contains { $0 == ("Accept", "application/json") })
// Prints: 415 true
