// Automatic persisted queries in a table of a database. Other processes that use the database can read the documents.
// The documents remain after a restart.
import DuetGraphQL
import DuetGraphQLHTTP
import DuetPersistedDocuments
import DuetPersistedQueries
import DuetSQLDatabase

var resolvers = SchemaResolvers()
resolvers.query { query in
    query["greeting"] = .sync { _, _ in "Hello" }
}
let schema = try ExecutableSchema(Schema(sdl: "type Query { greeting: String! }"), resolvers: resolvers)

let database = try Database(DatabaseURL("sqlite::memory:"))
try await PersistedQueries.createTable(in: database)
let queries = PersistedQueries(
    database: database,
    observe: { observation in
        if case .storeFailed(let purpose, let error) = observation { print("persisted queries, \(purpose): \(error)") }
    })
let maintenance = Task { await queries.run() }

func answer(_ body: String, from queries: PersistedQueries) async throws -> String {
    let request = GraphQLHTTPRequest(
        method: "POST", headerFields: [("Content-Type", "application/json")], body: body.utf8)
    let response = try await schema.respond(to: request, persistedQueries: .automatic(queries))
    return String(decoding: response.bytes, as: UTF8.self)
}

let document = "{ greeting }"
let extensions = #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(DocumentHash(of: document))"}}"#
print(try await answer(#"{"query":"\#(document)",\#(extensions)}"#, from: queries))
// Prints: {"data":{"greeting":"Hello"}}

// A store without documents in memory reads the table.
print(try await answer("{\(extensions)}", from: PersistedQueries(database: database)))
// Prints: {"data":{"greeting":"Hello"}}

maintenance.cancel()
await maintenance.value
await database.close()
