// A GraphQL server with Hummingbird. It has the limits that a public server needs. It accepts queries by GET and POST,
// and mutations by POST.
import DuetGraphQL
import DuetGraphQLHTTP
import Hummingbird
import Logging

var resolvers = SchemaResolvers()
resolvers.query { query in
    query["greeting"] = .sync { _, context in "Hello, \(try context.arguments.string("name"))" }
}

var options = ExecutionOptions()
// The text of a document: bytes, tokens, and levels of braces and brackets.
options.parserLimits = ParserLimits(sourceBytes: 64 << 10, tokens: 5_000, depth: 50)
// The depth and the cost of an operation.
options.operationLimits = OperationLimits(depth: 10, cost: 10_000)
// Clients cannot read the schema.
options.isIntrospectionEnabled = false
let schema = try ExecutableSchema(
    Schema(sdl: "type Query { greeting(name: String! = \"world\"): String! }"), resolvers: resolvers,
    options: options)

/// Returns the value of a function. If the function takes longer than the limit, cancels it and returns nil.
func value<Value: Sendable>(
    within limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}

@Sendable
func answer(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    // A larger body is refused with 413.
    let body = try await request.body.collect(upTo: 256 << 10)
    let graphQL = GraphQLHTTPRequest(
        method: request.method, headerFields: request.headers, urlQuery: request.uri.query, body: body)
    let timeout = GraphQLRequestError(statusCode: 503, code: "TIMEOUT", message: "The operation takes too long.")
    let answer =
        try await value(within: .seconds(10)) { try await schema.respond(to: graphQL) }
        ?? GraphQLHTTPResponse(timeout, to: graphQL)
    for error in answer.errors {
        // Without an underlying error, the client caused the error, and has received its message.
        guard let underlying = error.underlyingError else { continue }
        context.logger.error("\(error.path ?? []): \(underlying)")
    }
    return Response(status: answer.status, headers: answer.headerFields, body: ResponseBody(byteBuffer: answer.body))
}

let router = Router()
router.get("graphql", use: answer)
router.post("graphql", use: answer)
// Port 0 selects a free port. The server logs the port.
let application = Application(
    router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)))
try await application.runService()
