import DuetGraphQL
import Testing

@Suite("Schemas that are created in code, with hints, bindings and resolvers")
struct BoundSchemaTests {
    private static let sdl = """
        "A date."
        scalar Date @specifiedBy(url: "https://example.org/date") @cost(weight: "0.5")

        "Delivers a part later."
        directive @later(
          "The name of the part."
          label: String = "a"
        ) on FIELD

        "What can be read."
        type Query {
          "All ships."
          ships(
            "The number of ships."
            first: Int! = 10 @cost(weight: "2")
            ""
            at: Date
          ): [Ship!]! @listSize(assumedSize: 4, slicingArguments: ["first"], requireOneSlicingArgument: false)
          old(a: Int, b: Int): Int @deprecated @cacheControl(maxAge: 5, scope: PRIVATE) @cost(weight: "-1.5")
          page(first: Int): Page @listSize(slicingArguments: ["first"], sizedFields: ["ships"])
        }

        "A ship."
        type Ship implements Named @cacheControl(maxAge: 60) @cost(weight: "3") {
          name: String!
        }

        interface Named @cacheControl(inheritMaxAge: true) {
          name: String!
        }

        type Page {
          ships: [Ship]
        }

        union Found @cacheControl(scope: PRIVATE) = Ship | Page

        enum Color @cost(weight: "7") {
          "Like blood."
          RED
        }

        "The caches that may store a response."
        enum CacheControlScope {
          "All caches, shared and private."
          PUBLIC
          "Only the cache of the client that sent the request."
          PRIVATE
        }

        """

    /// Returns the same schema as ``sdl``.
    private static func schema() throws -> Schema {
        let name = SchemaField("name", "String!")
        return try Schema(
            types: [
                .scalar(
                    ScalarType(
                        "Date", specifiedByURL: "https://example.org/date", description: "A date.", weight: 0.5)),
                .object(
                    ObjectType(
                        "Query",
                        fields: [
                            SchemaField(
                                "ships", "[Ship!]!",
                                arguments: [
                                    SchemaInputValue(
                                        "first", "Int!", default: 10, description: "The number of ships.", weight: 2),
                                    SchemaInputValue("at", "Date", description: ""),
                                ], description: "All ships.",
                                listSize: CostModel.ListSize(
                                    assumedSize: 4, slicingArguments: ["first"], requiresOneSlicingArgument: false)),
                            SchemaField(
                                "old", "Int", arguments: [SchemaInputValue("a", "Int"), SchemaInputValue("b", "Int")],
                                deprecationReason: SchemaDirective.defaultDeprecationReason,
                                cacheHint: CacheHint(maxAge: 5, scope: .private), weight: -1.5),
                            SchemaField(
                                "page", "Page", arguments: [SchemaInputValue("first", "Int")],
                                listSize: CostModel.ListSize(slicingArguments: ["first"], sizedFields: ["ships"])),
                        ], description: "What can be read.")),
                .object(
                    ObjectType(
                        "Ship", implements: ["Named"], fields: [name], description: "A ship.",
                        cacheHint: CacheHint(maxAge: 60), weight: 3)),
                .interface(InterfaceType("Named", fields: [name], cacheHint: CacheHint(inheritsMaxAge: true))),
                .object(ObjectType("Page", fields: [SchemaField("ships", "[Ship]")])),
                .union(UnionType("Found", of: ["Ship", "Page"], cacheHint: CacheHint(scope: .private))),
                .enum(
                    EnumType("Color", values: [SchemaEnumValue("RED", description: "Like blood.")], weight: 7)),
                .enum(CacheControl.scopeType),
            ],
            directives: [
                SchemaDirective(
                    "later", on: [.field],
                    arguments: [
                        SchemaInputValue("label", "String", default: "a", description: "The name of the part.")
                    ], description: "Delivers a part later."),
                CacheControl.directive,
            ] + CostModel.directives)
    }

    /// The definitions of the directives @cacheControl, @cost and @listSize.
    private static var directives: String {
        get throws {
            let text = CacheControl.directiveDefinitions + "\n" + CostModel.directiveDefinitions
            let start = try #require(text.firstRange(of: "\"The time for which")?.lowerBound)
            return String(text[start...])
        }
    }

    @Test("The annotated text of a schema contains the cache hints, the weights and the lengths of lists")
    func annotated() throws {
        let expected = try Self.sdl + "\n" + Self.directives
        #expect(try Self.schema().print(.annotated) + "\n" == expected)
    }

    @Test("A schema from an annotated text has the same annotated text")
    func parsed() throws {
        let text = try Self.schema().print(.annotated)
        #expect(try Schema(sdl: text).print(.annotated) == text)
        #expect(try Schema(sdl: text).print() == Self.schema().print())
    }

    @Test("The hints of a schema that is created in code have the same effect as directives in a text")
    func sameModels() throws {
        let (code, text) = try (Self.schema(), Schema(sdl: Self.schema().print(.annotated)))
        #expect(try CostModel(code) == CostModel(text))
        #expect(try CostModel(code)["Query", "ships"]?.argumentWeights == ["first": 2])
        #expect(try CostModel(code).typeWeights == ["Date": 0.5, "Ship": 3, "Color": 7])
        for schema in [code, text] {
            let control = try CacheControl(schema)
            #expect(control.restriction(ofField: "old", on: "Query") == CachePolicy(maxAge: 5, scope: .private))
            #expect(control.restriction(ofField: "ships", on: "Query") == CachePolicy(maxAge: 60))
        }
    }

    @Test("Invalid hints in code are errors without a location")
    func invalidHints() throws {
        func errors(_ field: SchemaField) throws -> GraphQLErrors? {
            let schema = try Schema(types: [.object(ObjectType("Query", fields: [field]))])
            return #expect(throws: GraphQLErrors.self) {
                try ExecutableSchema(schema, userContext: Void.self)
            }
        }
        let age = try errors(SchemaField("a", "Int", cacheHint: CacheHint(maxAge: -5)))
        #expect(age?.map(\.message) == ["The maxAge of @cacheControl must not be negative; it is -5."])
        #expect(age?.first?.locations == [])
        let weight = try errors(SchemaField("a", "Int", weight: .infinity))
        #expect(weight?.map(\.message) == ["The weight of @cost must be a number, as in \"1.5\"; it is inf."])
        let size = try errors(SchemaField("a", "Int", listSize: CostModel.ListSize()))
        #expect(
            size?.map(\.message) == [
                "@listSize is applied to \"a\", which is not a list. Name the lists of its type in sizedFields."
            ])
    }

    // MARK: Resolvers

    private static func query(_ fields: [SchemaField]) throws -> Schema {
        try Schema(types: [.object(ObjectType("Query", fields: fields))])
    }

    @Test("A field that is created with a resolver needs no other resolver")
    func resolvers() async throws {
        let schema = try Self.query([
            SchemaField("hello", "String!", resolver: FieldResolver<Void, Int>.property { _ in "Hello!" }),
            SchemaField(
                "number", "Int!", arguments: [SchemaInputValue("factor", "Int!", default: 2)],
                resolver: FieldResolver<Void, Int>.async { _, context in
                    try context.userContext * context.arguments.int("factor")
                }),
        ])
        let executable = try ExecutableSchema(schema, userContext: Int.self)
        let response = try await executable.execute("{ hello number six: number(factor: 3) }", userContext: 2)
        #expect(response.text == #"{"data":{"hello":"Hello!","number":4,"six":6}}"#)
    }

    @Test("The resolver of an interface's field resolves the field in the object types that have no resolver")
    func inherited() async throws {
        let name = SchemaField("name", "String!", resolver: FieldResolver<String, Void>.property { $0 })
        let schema = try Schema(types: [
            .object(
                ObjectType(
                    "Query",
                    fields: [
                        SchemaField(
                            "ship", "Ship",
                            resolver: FieldResolver<Void, Void>.sync { _, _ in ResolvedValue.object("Ada") })
                    ])),
            .interface(InterfaceType("Named", fields: [name])),
            .object(ObjectType("Ship", implements: ["Named"], fields: [SchemaField("name", "String!")])),
        ])
        let response = try await ExecutableSchema(schema, userContext: Void.self).execute("{ ship { name } }")
        #expect(response.text == #"{"data":{"ship":{"name":"Ada"}}}"#)
    }

    @Test("A resolver of SchemaResolvers takes precedence over the resolver of the field")
    func precedence() async throws {
        let schema = try Self.query([
            SchemaField("a", "Int", resolver: FieldResolver<Void, Void>.property { _ in 1 })
        ])
        var resolvers = SchemaResolvers()
        resolvers.query { $0["a"] = .property { _ in 2 } }
        let response = try await ExecutableSchema(schema, resolvers: resolvers).execute("{ a }")
        #expect(response.text == #"{"data":{"a":2}}"#)
    }

    @Test("A schema that extends another schema has the resolvers and hints of its fields")
    func extended() async throws {
        let schema = try Self.query([
            SchemaField(
                "a", "Int", cacheHint: CacheHint(maxAge: 9),
                resolver: FieldResolver<Void, Void>.property { _ in 1 })
        ]).extended(with: "extend type Query { b: Int }")
        var resolvers = SchemaResolvers()
        resolvers.query { $0["b"] = .property { _ in 2 } }
        let executable = try ExecutableSchema(schema, resolvers: resolvers)
        #expect(try await executable.execute("{ a b }").text == #"{"data":{"a":1,"b":2}}"#)
        #expect(executable.cacheControl.restriction(ofField: "a", on: "Query") == CachePolicy(maxAge: 9))
    }

    @Test("A resolver that requires another user context, and a field without a resolver, are errors")
    func wrongResolvers() throws {
        let schema = try Self.query([
            SchemaField("a", "Int", resolver: FieldResolver<Void, String>.property { _ in 1 }),
            SchemaField("b", "Int"),
        ])
        let errors = #expect(throws: GraphQLErrors.self) { try ExecutableSchema(schema, userContext: Int.self) }
        #expect(
            errors?.first?.message
                == "The resolver of \"Query.a\" requires a user context of type String, but the user context of the schema is of type Int."
        )
        #expect(errors?.last?.message.hasPrefix("The field \"b\" of \"Query\" has no resolver.") == true)
        #expect(errors?.count == 2)
    }

    // MARK: Bindings

    /// The column that a field returns.
    private enum Column: String, Sendable {
        case number, title
    }

    /// Writes the bindings of the selected fields as a JSON string.
    private final class Columns: SubtreeResolver {
        func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
            try requests.map { request in
                let columns = try request.field.selection?.fields.map { try $0.binding(as: Column.self).rawValue } ?? []
                return LaterExecutionTests.written(request, "\"\(columns.joined(separator: ", "))\"")
            }
        }
    }

    private static func books() throws -> ExecutableSchema<Void> {
        let schema = try Schema(types: [
            .object(
                ObjectType(
                    "Query",
                    fields: [
                        SchemaField("book", "Book", resolver: FieldResolver<Void, Void>.subtree(Columns()))
                    ])),
            .object(
                ObjectType(
                    "Book",
                    fields: [
                        SchemaField("id", "ID", binding: Column.number),
                        SchemaField("name", "String", binding: Column.title), SchemaField("plain", "Int"),
                        SchemaField("wrong", "Int", binding: 5),
                    ])),
        ])
        return try ExecutableSchema(schema, userContext: Void.self)
    }

    @Test("A subtree resolver reads the bindings of the selected fields")
    func bindings() async throws {
        let response = try await Self.books().execute("{ book { a: name id } }")
        #expect(response.text == #"{"data":{"book":"title, number"}}"#)
    }

    @Test(
        "A missing binding and a binding of another type are errors that name the field",
        arguments: [("plain", "has no binding"), ("wrong", "has a binding of type Int")])
    func wrongBinding(field: String, problem: String) async throws {
        let response = try await Self.books().execute("{ book { \(field) } }")
        let error = try #require(response.errors.first?.underlyingError as? BindingTypeError)
        #expect(error.field == "Book.\(field)")
        #expect(error.description.contains("but the field \(problem)."))
    }
}
