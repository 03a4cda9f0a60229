import DuetGraphQL
import Testing

@Suite("Cache hints in a schema")
struct CacheHintTests {
    static func control(_ sdl: String, defaultMaxAge: Int = 0) throws -> CacheControl {
        try CacheControl(Schema(sdl: sdl + CacheControl.directiveDefinitions), defaultMaxAge: defaultMaxAge)
    }

    @Test("The definition of @cacheControl is valid in a schema")
    func definition() throws {
        let schema = try Schema(sdl: "type Query { a: Int }" + CacheControl.directiveDefinitions)
        #expect(schema.validate().map(\.message) == [])
        let directive = try #require(schema.directive(named: "cacheControl"))
        #expect(
            directive.arguments.map { "\($0.name): \($0.type)" }.sorted()
                == ["inheritMaxAge: Boolean", "maxAge: Int", "scope: CacheControlScope"])
        #expect(Set(directive.locations) == [.fieldDefinition, .object, .interface, .union])
        #expect(directive.description != nil)
    }

    @Test(
        "A negative maximum age is a schema error at the location of the value",
        arguments: [
            ("type Query { a: Int @cacheControl(maxAge: -5) }", 43),
            ("type Query { a: B } type B { c: Int } extend type B @cacheControl(maxAge: -5)", 75),
            ("type Query { a: B } interface B @cacheControl(maxAge: -5) { c: Int }", 55),
            ("type Query { a: B } interface B { c: Int @cacheControl(maxAge: -5) }", 64),
        ])
    func negativeAge(sdl: String, column: Int) throws {
        let schema = try Schema(sdl: sdl + "\n" + CacheControl.directiveDefinitions)
        let errors = #expect(throws: GraphQLErrors.self) { try ExecutableSchema(schema, resolvers: SchemaResolvers()) }
        #expect(errors?.map(\.message) == ["The maxAge of @cacheControl must not be negative; it is -5."])
        #expect(errors?.first?.locations == [SourceLocation(line: 1, column: column)])
    }

    @Test("A maximum age can be 0 and can be the largest GraphQL Int")
    func bounds() throws {
        let control = try Self.control(
            "type Query { none: Int @cacheControl(maxAge: 0) most: Int @cacheControl(maxAge: 2147483647) }",
            defaultMaxAge: 5)
        #expect(control.restriction(ofField: "none", on: "Query", isRoot: true) == CachePolicy(maxAge: 0))
        #expect(control.restriction(ofField: "most", on: "Query", isRoot: true) == CachePolicy(maxAge: 2_147_483_647))
    }

    @Test("A directive @cacheControl with a different definition has no effect")
    func otherDefinitions() throws {
        let schema = try Schema(
            sdl: """
                directive @cacheControl(seconds: Int, maxAge: String, scope: String) on FIELD_DEFINITION
                type Query { a: Int @cacheControl(seconds: 5) b: Int @cacheControl(maxAge: "7", scope: "PRIVATE") }
                """)
        let control = try CacheControl(schema, defaultMaxAge: 3)
        #expect(control.restriction(ofField: "a", on: "Query", isRoot: true) == CachePolicy(maxAge: 3))
        #expect(control.restriction(ofField: "b", on: "Query", isRoot: true) == CachePolicy(maxAge: 3))
    }

    @Test("CacheControl returns the cache policy of a field or a type. A field that does not exist is unrestricted")
    func asking() throws {
        let control = try Self.control(
            """
            type Query { ship: Ship }
            type Ship @cacheControl(maxAge: 40, scope: PRIVATE) { name: String captain: Captain }
            type Captain { name: String @cacheControl(maxAge: 20) }
            """, defaultMaxAge: 10)
        #expect(control.restriction(ofField: "ship", on: "Query") == CachePolicy(maxAge: 40, scope: .private))
        #expect(control.restriction(ofField: "name", on: "Ship") == .unrestricted)
        #expect(control.restriction(ofField: "captain", on: "Ship") == CachePolicy(maxAge: 10))
        #expect(control.restriction(ofField: "name", on: "Captain") == CachePolicy(maxAge: 20))
        #expect(control.restriction(ofField: "rank", on: "Captain") == .unrestricted)
        #expect(control.restriction(ofField: "name", on: "Boat") == .unrestricted)
        #expect(control.restriction(ofType: "Ship") == CachePolicy(maxAge: 40, scope: .private))
        #expect(control.restriction(ofType: "Captain") == CachePolicy(maxAge: 10))
    }
}
