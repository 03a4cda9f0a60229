// Automatic persisted queries: a client sends the hash of a document, and sends the text only if the server does not
// know the hash.
import DuetGraphQL
import DuetGraphQLHTTP
import DuetPersistedDocuments

var resolvers = SchemaResolvers()
resolvers.query { query in
    query["greeting"] = .sync { _, _ in "Hello" }
}
let schema = try ExecutableSchema(Schema(sdl: "type Query { greeting: String! }"), resolvers: resolvers)

// Stores at most 16 MiB of documents in memory.
let store = InMemoryPersistedQueryStore(maximumBytes: 16 << 20)

/// Responds to a POST request with a JSON body.
func answer(
    _ body: String, persistedQueries: PersistedQuerySource = .automatic(store)
) async throws -> String {
    let request = GraphQLHTTPRequest(
        method: "POST", headerFields: [("Content-Type", "application/json")], body: body.utf8)
    let response = try await schema.respond(to: request, persistedQueries: persistedQueries)
    return String(decoding: response.bytes, as: UTF8.self)
}

let document = "{ greeting }"
let hash = DocumentHash(of: document)
let extensions = #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"#
print(try await answer("{\(extensions)}"))
// Prints: {"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}
print(try await answer(#"{"query":"\#(document)",\#(extensions)}"#))
// Prints: {"data":{"greeting":"Hello"}}
print(try await answer("{\(extensions)}"))
// Prints: {"data":{"greeting":"Hello"}}

// A server that executes only the documents of a manifest.
var manifest = PersistedQueryManifest()
try manifest.add(PersistedQueryManifest.Operation(id: "greeting-1", document: document))
let listed = PersistedQuerySource.listed(manifest)
print(try await answer(#"{"documentId":"greeting-1"}"#, persistedQueries: listed))
// Prints: {"data":{"greeting":"Hello"}}
print(try await answer(#"{"query":"{ __typename }"}"#, persistedQueries: listed))
// Prints: {"errors":[{"message":"This server only executes the documents of its manifests. Send a document that is in a manifest.","extensions":{"code":"PERSISTED_QUERY_NOT_IN_LIST"}}]}
