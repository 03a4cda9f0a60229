// Automatic persisted queries: a client sends the hash of a document, and the text only if the server does not know it.
import DuetGraphQL
import DuetJSON
import DuetPersistedDocuments
import DuetPersistedQueries

var resolvers = SchemaResolvers()
resolvers.query { query in
    query["greeting"] = .sync { _, _ in "Hello" }
}
let schema = try ExecutableSchema(Schema(sdl: "type Query { greeting: String! }"), resolvers: resolvers)

// Without a database the documents are in memory. With one, all processes that share it know them.
let queries = PersistedQueries(database: nil)

/// Answers a request that has a hash, and perhaps the document.
func answer(hash: DocumentHash, document: String?) async throws -> String {
    if let document {
        guard DocumentHash(of: document) == hash else { return "400: the hash is not that of the document" }
        // Only a valid document is registered.
        _ = try schema.prepare(document)
        await queries.register(UTF8Text(document), as: hash)
        return try await schema.execute(document).text
    }
    guard let document = await queries.document(hash) else { return "PersistedQueryNotFound" }
    return try await schema.execute(document.string).text
}

let document = "{ greeting }"
let hash = DocumentHash(of: document)
print(try await answer(hash: hash, document: nil))
// Prints: PersistedQueryNotFound
print(try await answer(hash: hash, document: document))
// Prints: {"data":{"greeting":"Hello"}}
print(try await answer(hash: hash, document: nil))
// Prints: {"data":{"greeting":"Hello"}}
