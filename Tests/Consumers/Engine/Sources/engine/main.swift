import DuetGraphQL

var resolvers = SchemaResolvers()
resolvers.query { query in
    query["greeting"] = .sync { _, _ in "hello" }
}
let schema = try ExecutableSchema(Schema(sdl: "type Query { greeting: String! }"), resolvers: resolvers)
print(try await schema.execute("{ greeting }").text)
