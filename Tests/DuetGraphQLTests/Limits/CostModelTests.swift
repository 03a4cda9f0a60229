import DuetGraphQL
import Testing

@Suite("Cost directives")
struct CostModelTests {
    static func model(_ sdl: String) throws -> CostModel {
        try CostModel(Schema(sdl: sdl + CostModel.directiveDefinitions))
    }

    @Test("A cost model contains the weights and the list sizes that the directives specify")
    func reading() throws {
        let model = try Self.model(
            """
            type Query {
              users(max: Int @cost(weight: "-1.5")): [User]
                @cost(weight: "2") @listSize(assumedSize: 4, slicingArguments: ["max"], requireOneSlicingArgument: false)
              page(first: Int): Page @listSize(slicingArguments: "first", sizedFields: ["items"])
            }
            type User @cost(weight: "3") { name: Name }
            type Page { items: [User] }
            scalar Name
            extend scalar Name @cost(weight: "0.5")
            """)
        #expect(
            model["Query", "users"]
                == CostModel.FieldCost(
                    weight: 2, argumentWeights: ["max": -1.5],
                    listSize: CostModel.ListSize(
                        assumedSize: 4, slicingArguments: ["max"], requiresOneSlicingArgument: false)))
        #expect(
            model["Query", "page"]
                == CostModel.FieldCost(
                    listSize: CostModel.ListSize(slicingArguments: ["first"], sizedFields: ["items"])))
        #expect(model["User", "name"] == nil)
        #expect(model.typeWeights == ["User": 3, "Name": 0.5])
        #expect(model.assumedListSize == 10)
    }

    @Test(
        "A contradictory or invalid directive is a schema error",
        arguments: [
            ("a: Int @cost(weight: \"much\")", "The weight of @cost must be a number, as in \"1.5\"; it is \"much\"."),
            ("a: Int @cost(weight: \"inf\")", "The weight of @cost must be a number, as in \"1.5\"; it is \"inf\"."),
            (
                "a: [Int] @listSize(slicingArguments: [\"first\"])",
                "@listSize names the slicing argument \"first\", but \"a\" has no such argument."
            ),
            (
                "a(first: String): [Int] @listSize(slicingArguments: [\"first\"])",
                "@listSize names the slicing argument \"first\", but its type is not Int."
            ),
            (
                "a: Query @listSize(assumedSize: 5)",
                "@listSize is applied to \"a\", which is not a list. Name the lists of its type in sizedFields."
            ),
            (
                "a: Query! @listSize(assumedSize: 5, sizedFields: [\"a\"])",
                "@listSize names the sized field \"a\", which is not a list field of \"Query!\"."
            ),
            ("a: [Int] @listSize(assumedSize: -5)", "The assumedSize of @listSize must not be negative."),
        ])
    func mistakes(field: String, message: String) throws {
        let schema = try Schema(sdl: "type Query { \(field) }" + CostModel.directiveDefinitions)
        let errors = #expect(throws: GraphQLErrors.self) { try ExecutableSchema(schema, resolvers: SchemaResolvers()) }
        #expect(errors?.map(\.message) == [message])
        #expect(errors?.first?.locations.count == 1)
    }

    @Test("The weight of @cost can be an Int. A directive @cost without a weight is ignored")
    func otherDefinitions() throws {
        let schema = try Schema(
            sdl: """
                directive @cost(weight: Int, complexity: Int) on FIELD_DEFINITION
                type Query { a: Int @cost(weight: 5) b: Int @cost(complexity: 7) }
                """)
        let model = try CostModel(schema)
        #expect(model["Query", "a"]?.weight == 5)
        #expect(model["Query", "b"] == nil)
    }
}
