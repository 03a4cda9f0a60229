// A schema behind Hummingbird: queries by GET and POST, mutations by POST.
import DuetGraphQL
import DuetGraphQLHTTP
import Hummingbird

var resolvers = SchemaResolvers()
resolvers.query { query in
    query["greeting"] = .sync { _, context in "Hello, \(try context.arguments.string("name"))" }
}
let schema = try ExecutableSchema(
    Schema(sdl: "type Query { greeting(name: String! = \"world\"): String! }"), resolvers: resolvers)

@Sendable
func answer(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    let body = try await request.body.collect(upTo: 1 << 20)
    let answer = try await schema.respond(
        to: GraphQLHTTPRequest(
            method: request.method, headerFields: request.headers, urlQuery: request.uri.query, body: body))
    return Response(status: answer.status, headers: answer.headerFields, body: ResponseBody(byteBuffer: answer.body))
}

let router = Router()
router.get("graphql", use: answer)
router.post("graphql", use: answer)
// Port 0 is any free port. The log has it.
let application = Application(
    router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)))
try await application.runService()
