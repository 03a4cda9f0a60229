import DuetGraphQL
import SeededTesting
import Testing

@Suite("The validity of schemas")
struct SchemaValidationTests {
    private func errors(_ sdl: String) -> [String] {
        do throws(GraphQLErrors) {
            _ = try Schema(sdl: sdl)
            return []
        } catch {
            return error.map(\.message)
        }
    }

    @Test(
        "A schema that violates the specification is rejected with an error",
        arguments: [
            ("type Q { a: Int }", "Query root type must be provided."),
            ("type Query", "Type Query must define one or more fields."),
            ("type Query { a: E } enum E", "Enum type E must define one or more values."),
            ("type Query { a: U } union U", "Union type U must define one or more member types."),
            ("type Query { a(b: I): Int } input I", "Input Object type I must define one or more fields."),
            ("type Query { a: U } union U = Query | Query", "Union type U can only include type Query once."),
            (
                "schema { query: Q mutation: Q } type Q { a: Int }",
                "All root types must be different, \"Q\" type is used as query and mutation root types."
            ),
            (
                "interface I { a: Int } type Query implements I { a: Int @deprecated }",
                "Interface field I.a is not deprecated, so implementation field Query.a must not be deprecated."
            ),
            (
                "interface I { a: Int } type Query implements I { a(b: Int!): Int }",
                "Object field Query.a includes required argument b that is missing from the Interface field I.a."
            ),
            (
                "type Query implements E { a: Int } enum E { A }",
                "Type Query must only implement Interface types, it cannot implement E."
            ),
            (
                "type Query { a(i: A): Int } input A { b: B! } input B { a: A! }",
                "Cannot reference Input Object \"A\" within itself through a series of non-null fields: \"b.a\"."
            ),
            (
                "type Query { a(i: A): Int } input A { a: A = {} }",
                "Invalid circular reference. The default value of Input Object field A.a references itself."
            ),
            (
                "type Query { a(i: A): Int } input A { b: B = {} } input B { a: A = {} }",
                "Invalid circular reference. The default value of Input Object field A.b references itself "
                    + "via the default values of: B.a."
            ),
            (
                "type Query { a(b: Int = \"c\"): Int }",
                "Query.a(b:) has invalid default value: Int cannot represent non-integer value: \"c\""
            ),
            (
                "type Query { a(b: E = C): Int } enum E { D }",
                "Query.a(b:) has invalid default value: Value \"C\" does not exist in \"E\" enum."
            ),
            (
                "type Query { a(i: I): Int } input I { a: Int! @deprecated }",
                "Required input field I.a cannot be deprecated."
            ),
            (
                "type Query { __a: Int }",
                "Name \"__a\" must not begin with \"__\", which is reserved by GraphQL introspection."
            ),
            (
                "directive @a(b: Int @a) on ARGUMENT_DEFINITION type Query { a: Int }",
                "Directive @a cannot reference itself, directly or through the types and directives that its arguments use."
            ),
            (
                "directive @a(b: I) on INPUT_FIELD_DEFINITION input I { a: Int @a } type Query { a: Int }",
                "Directive @a cannot reference itself, directly or through the types and directives that its arguments use."
            ),
            ("type Query { a: Zebra }", "Unknown type \"Zebra\"."),
            ("type Query { a: Int } type Query { b: Int }", "There can be only one type named \"Query\"."),
            ("type Query { a(b: Int b: Int): Int }", "Argument \"Query.a(b:)\" can only be defined once."),
            (
                "schema { query: Query } schema { query: Query } type Query { a: Int }",
                "Must provide only one schema definition."
            ),
            (
                "type Query { a(i: I = {b: 1, b: 2}): Int } input I { b: Int }",
                "There can be only one input field named \"b\"."
            ),
            (
                "type Query { a: Int @deprecated(reason: \"a\", reason: \"b\") }",
                "There can be only one argument named \"reason\"."
            ),
            ("type Query { a: Int } extend input Query { b: Int }", "Cannot extend non-input object type \"Query\"."),
            ("type Query { a: Int", "Syntax Error: Expected Name, found <EOF>."),
        ])
    func invalid(_ sdl: String, _ message: String) {
        #expect(errors(sdl).first == message)
    }

    @Test(
        "Schemas that the specification permits have no errors",
        arguments: [
            "type Query { a(i: A): Int } input A { a: A }", "type Query { a(i: A): Int } input A { a: [A!]! }",
            "type Query { a(i: A): Int } input A { a: A = {a: null} }",
            "type Query { a(i: A): Int } input A { b: B = {} } input B { a: A = {b: null} c: Int = 1 }",
            "interface I { a: Int @deprecated } type Query implements I { a: Int @deprecated }",
            "directive @a(b: Int @b) on FIELD directive @b on ARGUMENT_DEFINITION type Query { a: Int }",
            "type Query { a(b: [Int] = 1, c: Float = 1, d: ID = 1, e: [[Int]] = [[1], null]): Int }",
            "directive @deprecated(reason: String) on FIELD_DEFINITION type Query { a: Int @deprecated }",
        ])
    func valid(_ sdl: String) {
        #expect(errors(sdl) == [])
    }

    @Test("Long chains of input objects and of default values are validated on a small stack")
    func chains() throws {
        @Sendable func chain(_ field: (Int) -> String) -> String {
            "type Query { a(i: I0): Int } " + (0..<5_000).map { "input I\($0) { \(field($0 + 1)) } " }.joined()
                + "input I5000 { a: Int }"
        }
        let messages = SmallStack.run { [errors(chain { "a: I\($0)!" }), errors(chain { "a: I\($0) = {}" })] }
        #expect(messages?[0] == [])
        #expect(
            messages?[1].first
                == "The default value of Input Object field I100.a is nested too deeply, "
                + "alone or inside other default values.")
    }

    @Test("Default values are coerced in the order of their dependencies")
    func defaultValues() throws {
        let schema = try Schema(
            sdl: """
                type Query { a(i: Z = {}): Int }
                input Z { x: A = {x: null} }
                input A { x: A = {x: null} z: A = {x: null, z: null} y: [Float] = 1 }
                """)
        let inner: Value = ["x": nil, "z": nil, "y": [1.0]]
        #expect(
            schema.rootType(for: .query)?.fields["a"]?.arguments["i"]?.defaultValue
                == ["x": ["x": nil, "z": inner, "y": [1.0]]])
    }
}
