import DuetGraphQL
import DuetJSON
import NIOCore
import Testing

@Suite("Introspection")
struct IntrospectionTests {
    static let sdl = """
        "The root"
        schema { query: Root }
        directive @own(a: In = {b: [1], c: RED}, old: Int @deprecated(reason: "x")) repeatable on FIELD | OBJECT
        scalar Date @specifiedBy(url: "https://example.org/date")
        interface Node { id: ID! }
        type Person implements Node { id: ID! old: Int @deprecated older(a: [[Int!]!]! = [[1]]): Date @deprecated(reason: "r") }
        union Any = Person
        enum Color { RED GREEN @deprecated(reason: "no") }
        input In { b: [Int] c: Color = GREEN f: Float = 1.5 s: String = "a\\"" }
        input One @oneOf { a: Int b: Int }
        type Root { node(id: ID!): Node any: [Any!]! color(one: One): Color }
        """

    static func answer(_ query: String) async throws -> JSONValue {
        let schema = try Executing.schema(sdl)
        let response = try await Executing.response(query, on: schema)
        return try JSONValue(parsing: response.body.readableBytesView, maximumDepth: 100)["data"] ?? .null
    }

    @Test(
        "Introspection describes types and the schema",
        arguments: [
            (#"{ __type(name: "Nothing") { name } }"#, #"{"__type":null}"#),
            (
                #"{ __type(name: "Person") { kind name fields { name } interfaces { name } possibleTypes { name } enumValues { name } inputFields { name } ofType { name } isOneOf specifiedByURL } }"#,
                #"{"__type":{"kind":"OBJECT","name":"Person","fields":[{"name":"id"}],"interfaces":[{"name":"Node"}],"possibleTypes":null,"enumValues":null,"inputFields":null,"ofType":null,"isOneOf":null,"specifiedByURL":null}}"#
            ),
            (
                #"{ __type(name: "Person") { fields(includeDeprecated: true) { name isDeprecated deprecationReason type { kind name ofType { kind name } } } } }"#,
                #"{"__type":{"fields":[{"name":"id","isDeprecated":false,"deprecationReason":null,"type":{"kind":"NON_NULL","name":null,"ofType":{"kind":"SCALAR","name":"ID"}}},{"name":"old","isDeprecated":true,"deprecationReason":"No longer supported","type":{"kind":"SCALAR","name":"Int","ofType":null}},{"name":"older","isDeprecated":true,"deprecationReason":"r","type":{"kind":"SCALAR","name":"Date","ofType":null}}]}}"#
            ),
            (
                #"{ __type(name: "In") { isOneOf inputFields { name defaultValue } } one: __type(name: "One") { isOneOf } }"#,
                #"{"__type":{"isOneOf":false,"inputFields":[{"name":"b","defaultValue":null},{"name":"c","defaultValue":"GREEN"},{"name":"f","defaultValue":"1.5"},{"name":"s","defaultValue":"\"a\\\"\""}]},"one":{"isOneOf":true}}"#
            ),
            (
                #"{ __type(name: "Color") { enumValues { name } all: enumValues(includeDeprecated: true) { name } } d: __type(name: "Date") { specifiedByURL } u: __type(name: "Any") { kind possibleTypes { name } } n: __type(name: "Node") { possibleTypes { name } } }"#,
                #"{"__type":{"enumValues":[{"name":"RED"}],"all":[{"name":"RED"},{"name":"GREEN"}]},"d":{"specifiedByURL":"https://example.org/date"},"u":{"kind":"UNION","possibleTypes":[{"name":"Person"}]},"n":{"possibleTypes":[{"name":"Person"}]}}"#
            ),
            (
                "{ __schema { description queryType { name } mutationType { name } __typename } }",
                #"{"__schema":{"description":"The root","queryType":{"name":"Root"},"mutationType":null,"__typename":"__Schema"}}"#
            ),
        ])
    func facts(_ query: String, _ expected: String) async throws {
        #expect(try await Self.answer(query) == JSONValue(parsing: expected.utf8))
    }

    @Test("Introspection lists the locations and arguments of directives")
    func directives() async throws {
        let answer = try await Self.answer(
            "{ __schema { directives { name isRepeatable locations args { name defaultValue } all: args(includeDeprecated: true) { name } } } }"
        )
        guard case .array(let directives)? = answer["__schema"]?["directives"] else { throw GraphQLError("none") }
        #expect(
            try directives.first { $0["name"] == "own" }
                == JSONValue(
                    parsing:
                        #"{"name":"own","isRepeatable":true,"locations":["FIELD","OBJECT"],"args":[{"name":"a","defaultValue":"{b: [1], c: RED, f: 1.5, s: \"a\\\"\"}"}],"all":[{"name":"a"},{"name":"old"}]}"#
                        .utf8))
        #expect(directives.count == 6)
    }

    @Test("The standard introspection query returns all types")
    func standard() async throws {
        let answer = try await Self.answer(IntrospectionQuery.standard)
        guard case .array(let types)? = answer["__schema"]?["types"] else { throw GraphQLError("none") }
        let names = Set(types.compactMap { $0["name"] })
        #expect(names.isSuperset(of: ["Root", "Person", "Node", "Any", "Color", "In", "One", "Date", "Int", "__Type"]))
        #expect(types.count == names.count)
    }
}
