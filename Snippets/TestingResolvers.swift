// A unit test of a resolver. The resolver is a function that is called with the context of a field.
import DuetGraphQL

struct Library: Sendable {
    let titles: [String]
}

@Sendable
func titles(_ root: Void, _ context: FieldContext<Library>) async throws -> [String] {
    let first = try context.arguments.int("first")
    guard (0...100).contains(first) else { throw GraphQLError("The argument \"first\" must be from 0 to 100.") }
    return Array(context.userContext.titles.prefix(first))
}

var resolvers = SchemaResolvers(userContext: Library.self)
resolvers.query { query in
    query["titles"] = .async(titles)
}
let schema = try ExecutableSchema(
    Schema(sdl: "type Query { titles(first: Int! = 2): [String!]! }"), resolvers: resolvers)

// In a test, create the context that the field has in an operation, with coerced arguments and a test user context.
let context = try FieldContext(
    of: "{ titles }", in: schema, userContext: Library(titles: ["Emma", "Walden", "Beowulf"]))
print(try await titles((), context))
// Prints: ["Emma", "Walden"]
