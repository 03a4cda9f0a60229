import DuetGraphQL

var resolvers = SchemaResolvers()
resolvers["Query", "greeting"] = .sync { _, _ in .string("hello") }
let schema = try ExecutableSchema(Schema(sdl: "type Query { greeting: String! }"), resolvers: resolvers)
let operation = try PreparedOperation(Parser.parse("{ greeting }"), schema: schema)
print(try await operation.execute(variables: [:], rootValue: ()).text)
