import DuetGraphQL
import Testing

@Suite("Literals and scalars")
struct CoercionTests {
    private func schema() throws -> Schema {
        try Schema(
            sdl: """
                type Query { a(i: I, c: Choice, t: Time): E b: Float d: Boolean e: ID }
                enum E { A B }
                input I { a: Int! = 1 b: [E!] c: I }
                input Choice @oneOf { a: Int b: String }
                scalar Time
                """,
            scalars: [
                "Time": ScalarCoercion(parseValue: { value in
                    guard case .string(let text) = value, text.contains(":") else { throw TimeError.noColon }
                    return .string("at " + text)
                })
            ])
    }

    private enum TimeError: Error { case noColon }

    @Test(
        "A literal is coerced to a value of its type",
        arguments: [
            ("1", "Int", 1), ("1", "Float!", 1.0), ("\"a\"", "ID", "a"),
            ("123456789012345678901", "ID", "123456789012345678901"),
            ("A", "E", .enum("A")), ("null", "E", nil), ("1", "[[Int]]", [[1]]), ("[1, null]", "[Int]", [1, nil]),
            ("{b: A}", "I", ["a": 1, "b": [.enum("A")]]), ("{c: {a: 2}}", "I", ["a": 1, "c": ["a": 2]]),
            ("{a: 1}", "Choice", ["a": 1]), ("\"1:2\"", "Time", "at 1:2"), ("{a: $v, b: $none}", "I", ["a": 5]),
            ("[$v, $none]", "[Int]", [5, nil]), ("-2147483648", "Int", -2_147_483_648),
        ] as [(String, String, Value)])
    func literals(_ text: String, _ type: String, _ expected: Value) throws {
        let literal = try Parser.parseValue(Source(text))
        #expect(try schema().coerce(literal, to: GraphQLType(type), variables: ["v": 5]) == expected)
    }

    @Test(
        "A literal that is invalid for its type is an error",
        arguments: [
            ("1.5", "Int", "Int cannot represent non-integer value: 1.5"),
            ("2147483648", "Int", "Int cannot represent non 32-bit signed integer value: 2147483648"),
            ("\"1\"", "Float", "Float cannot represent non numeric value: \"1\""),
            ("1e400", "Float", "Float cannot represent non numeric value: 1e400"),
            ("1", "String", "String cannot represent a non string value: 1"),
            ("1", "Boolean", "Boolean cannot represent a non boolean value: 1"),
            ("1.0", "ID", "ID cannot represent a non-string and non-integer value: 1.0"),
            ("\"A\"", "E", "Enum \"E\" cannot represent non-enum value: \"A\"."),
            ("C", "E", "Value \"C\" does not exist in \"E\" enum."),
            ("null", "Int!", "Expected value of type \"Int!\", found null."),
            ("[null]", "[Int!]", "Expected value of type \"Int!\", found null."),
            ("1", "I", "Expected value of type \"I\", found 1."),
            ("{d: 1}", "I", "Field \"d\" is not defined by type \"I\"."),
            ("{}", "Choice", "OneOf Input Object \"Choice\" must specify exactly one key."),
            ("{a: 1, b: \"c\"}", "Choice", "OneOf Input Object \"Choice\" must specify exactly one key."),
            ("{a: null}", "Choice", "Field \"Choice.a\" must be non-null."),
            ("\"12\"", "Time", "Expected value of type \"Time\", found \"12\"; noColon"),
        ])
    func wrongLiterals(_ text: String, _ type: String, _ message: String) throws {
        let literal = try Parser.parseValue(Source(text))
        let schema = try schema()
        let error = #expect(throws: GraphQLError.self) { try schema.coerce(literal, to: GraphQLType(type)) }
        #expect(error?.message == message)
    }

    @Test("Scalars serialize the values that they can represent, and reject other values")
    func serializing() throws {
        #expect(try ScalarType.int.coercion.serialize(1.0) == 1)
        #expect(try ScalarType.int.coercion.serialize("12") == 12)
        #expect(try ScalarType.int.coercion.serialize(true) == 1)
        #expect(throws: GraphQLError.self) { try ScalarType.int.coercion.serialize(1.5) }
        #expect(throws: GraphQLError.self) { try ScalarType.int.coercion.serialize(.int(1 << 31)) }
        #expect(try ScalarType.float.coercion.serialize(1) == 1.0)
        #expect(throws: GraphQLError.self) { try ScalarType.float.coercion.serialize(.double(.nan)) }
        #expect(try ScalarType.string.coercion.serialize(1) == "1")
        #expect(try ScalarType.boolean.coercion.serialize(0) == false)
        #expect(try ScalarType.id.coercion.serialize(7) == "7")
        #expect(throws: GraphQLError.self) { try ScalarType.int.coercion.parseValue("1") }
    }

    @Test("An object value retains the order of its fields, and comparisons ignore this order")
    func objects() {
        var object = ObjectValue((0..<40).map { ("f\($0)", .int(Int64($0))) })
        #expect(object.map(\.name) == (0..<40).map { "f\($0)" })
        #expect((0..<40).allSatisfy { object["f\($0)"] == .int(Int64($0)) } && object["f40"] == nil)
        for index in stride(from: 0, to: 40, by: 2) { object["f\(index)"] = nil }
        #expect(object.count == 20 && (0..<40).allSatisfy { (object["f\($0)"] != nil) == ($0 % 2 == 1) })
        object["f1"] = "new"
        #expect(object.first?.value == "new")
        #expect(["a": 1, "b": 2] as Value == ["b": 2, "a": 1])
        let orders: [Value] = [["a": 1, "b": 2], ["b": 2, "a": 1], ["a": 2, "b": 1]]
        #expect(Set(orders).count == 2)
    }
}
