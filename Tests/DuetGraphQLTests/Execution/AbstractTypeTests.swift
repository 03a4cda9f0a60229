import DuetGraphQL
import Testing

@Suite("Interfaces and unions")
struct AbstractTypeTests {
    struct Dog: Sendable { let name = "Rex" }
    struct Cat: Sendable { let name = "Tom" }

    static let sdl = """
        type Query { pets: [Pet] any: [Any!] one: Pet! }
        interface Pet { name: String }
        type Dog implements Pet { name: String barks: Boolean }
        type Cat implements Pet { name: String lives: Int }
        type Fish { name: String }
        union Any = Dog | Cat
        input In { a: Int }
        """

    static func schema(_ resolveType: String? = nil) throws -> ExecutableSchema<Void> {
        try Executing.schema(sdl) { resolvers in
            resolvers["Query", "pets"] = .sync { _, _ in .list([.object(Dog()), .object(Cat()), .object(Dog())]) }
            resolvers["Query", "any"] = .sync { _, _ in .list([.object(Cat())]) }
            resolvers["Query", "one"] = .sync { _, _ in .object(1) }
            resolvers["Dog", "barks"] = .sync { _, _ in .bool(true) }
            resolvers["Cat", "lives"] = .sync { _, _ in .int(9) }
            resolvers["Pet", "name"] = .sync { source, _ in .string((source as? Dog)?.name ?? "Tom") }
            resolvers.bind(Dog.self, to: "Dog")
            resolvers.isTypeOf("Cat") { $0 is Cat }
            if let resolveType { resolvers.resolveType(of: "Pet") { source, _ in source is Int ? resolveType : nil } }
        }
    }

    @Test("Each object has the fields that are selected for its type")
    func each() async throws {
        #expect(
            try await Executing.text(
                "{ pets { __typename ... on Dog { barks } name ...C } any { ... on Pet { name } __typename } } fragment C on Cat { lives }",
                on: Self.schema())
                == #"{"data":{"pets":[{"__typename":"Dog","barks":true,"name":"Rex"},{"__typename":"Cat","name":"Tom","lives":9},{"__typename":"Dog","barks":true,"name":"Rex"}],"any":[{"name":"Tom","__typename":"Cat"}]}}"#
        )
    }

    @Test(
        "A value whose object type cannot be resolved causes an error with the reason",
        arguments: [
            (
                nil,
                #"Abstract type "Pet" must resolve to an Object type at runtime for field "Query.one". Bind the Swift type of the source to an object type with "bind", or return the name of the object type from "resolveType"."#
            ),
            ("Bird", #"Abstract type "Pet" was resolved to a type "Bird" that does not exist inside the schema."#),
            ("In", #"Abstract type "Pet" was resolved to a non-object type "In"."#),
            ("Fish", #"Runtime Object type "Fish" is not a possible type for "Pet"."#),
            ("Cat", #"Expected value of type "Cat" but got: another value."#),
        ])
    func untold(_ name: String?, _ message: String) async throws {
        let response = try await Executing.response("{ one { name } }", on: Self.schema(name))
        #expect(response.errors.map(\.message) == [message])
        #expect(!response.hasData)
    }
}
