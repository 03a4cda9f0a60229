// GraphQL over HTTP with incremental delivery: a field with @defer is sent after the other fields.
import DuetGraphQL
import DuetGraphQLHTTP

var resolvers = SchemaResolvers()
resolvers.query { query in
    query["title"] = .sync { _, _ in "Walden" }
    query["reviews"] = .async { _, _ in ["Quiet", "Long"] }
}
let schema = try ExecutableSchema(
    Schema(
        sdl: "type Query { title: String! reviews: [String!]! }", directives: SchemaDirective.incrementalDelivery),
    resolvers: resolvers)

// Sends a part of the body, as a server does.
func send(_ bytes: [UInt8]) {
    print(String(decoding: bytes, as: UTF8.self))
}

func answer(_ request: GraphQLHTTPRequest) async throws {
    switch try await schema.respondIncrementally(to: request) {
    case .single(let response): send(response.bytes)
    case .incremental(let response):
        for try await part in response.parts.bytes { send(part) }
    }
}

let urlQuery = "query=%7Btitle%20...%40defer%7Breviews%7D%7D"
try await answer(GraphQLHTTPRequest(method: "GET", headerFields: [("Accept", "application/json")], urlQuery: urlQuery))
// Prints: {"data":{"title":"Walden","reviews":["Quiet","Long"]}}
try await answer(GraphQLHTTPRequest(method: "GET", headerFields: [("Accept", "multipart/mixed")], urlQuery: urlQuery))
// Prints: ---
// Prints: Content-Type: application/json; charset=utf-8
// Prints: {"data":{"title":"Walden"},"pending":[{"id":"0","path":[]}],"hasNext":true}
// Prints: ---
// Prints: Content-Type: application/json; charset=utf-8
// Prints: {"incremental":[{"id":"0","data":{"reviews":["Quiet","Long"]}}],"completed":[{"id":"0"}],"hasNext":false}
// Prints: -----
