// The errors that a client receives, and the errors for a log.
import DuetGraphQL

struct ConnectionLost: Error {
    let host: String
}

var resolvers = SchemaResolvers()
resolvers.query { query in
    // The client receives the message, the path and the extensions of a GraphQLError.
    query["price"] = .async { _, context -> Double? in
        throw GraphQLError("There is no such book.", extensions: ["code": "NOT_FOUND"])
    }
    // For any other error, the client receives the message that `ExecutionOptions.message` returns.
    query["stock"] = .async { _, context -> Int? in
        throw ConnectionLost(host: "db.internal")
    }
}

var options = ExecutionOptions()
options.message = { error in "The service has a problem. Try again later." }

let schema = try ExecutableSchema(
    Schema(sdl: "type Query { price: Float stock: Int }"), resolvers: resolvers, options: options)

let response = try await schema.execute("{ price stock }")
print(response.text)
// Prints: {"errors":[{"message":"There is no such book.","locations":[{"line":1,"column":3}],"path":["price"],"extensions":{"code":"NOT_FOUND"}},{"message":"The service has a problem. Try again later.","locations":[{"line":1,"column":9}],"path":["stock"]}],"data":{"price":null,"stock":null}}

// `underlyingError` is the original error, for a log. Clients do not receive it.
for error in response.errors {
    if let underlying = error.underlyingError { print("log: \(underlying)") }
}
// Prints: log: ConnectionLost(host: "db.internal")

// If a field has no resolver, `ExecutableSchema` throws an error before the first request.
do {
    _ = try ExecutableSchema(Schema(sdl: "type Query { title: String }"), resolvers: SchemaResolvers())
} catch {
    print(error)
}
// Prints: The field "title" of "Query" has no resolver. Add one, as in resolvers.query { $0["title"] = … }, or read fields by name from an ObjectValue or a FieldSource with resolvers.setDefaultResolver(for: "Query").
