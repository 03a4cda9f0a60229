import DuetGraphQL
import DuetJSON
import Testing

@Suite("Variables")
struct VariablesTests {
    static let sdl = """
        type Query { echo(int: Int, float: Float, id: ID, color: Color, input: Input, one: One, list: [Int!], must: Int! = 5): String }
        enum Color { RED GREEN }
        input Input { a: Int! b: String = "x" nested: Input list: [Int] }
        input One @oneOf { a: Int b: String }
        """

    static func answer(_ query: String, _ json: String) async throws -> GraphQLResponse {
        let schema = try Executing.schema(sdl) { resolvers in
            resolvers["Query", "echo"] = .sync { _, context in
                .string(Value.object(context.arguments.values).description)
            }
        }
        guard case .object(let variables) = try JSONValue(parsing: json.utf8) else {
            return GraphQLResponse(requestErrors: [])
        }
        return try await PreparedOperation(unvalidated: Parser.parse(query), schema: schema).execute(
            variables: ObjectValue(variables))
    }

    @Test(
        "Resolvers receive coerced values",
        arguments: [
            ("$v: Int", "int", "{}", "{ must: 5 }"), ("$v: Int", "int", #"{"v":null}"#, "{ int: null, must: 5 }"),
            ("$v: Int = 7", "int", "{}", "{ int: 7, must: 5 }"),
            ("$v: Float", "float", #"{"v":3}"#, "{ float: 3, must: 5 }"),
            ("$v: ID", "id", #"{"v":12}"#, #"{ id: "12", must: 5 }"#),
            ("$v: Color", "color", #"{"v":"RED"}"#, "{ color: RED, must: 5 }"),
            ("$v: [Int!]", "list", #"{"v":3}"#, "{ list: [3], must: 5 }"),
            ("$v: Input", "input", #"{"v":{"a":1}}"#, #"{ input: { a: 1, b: "x" }, must: 5 }"#),
            ("$v: One", "one", #"{"v":{"b":"t"}}"#, #"{ one: { b: "t" }, must: 5 }"#),
            ("$v: Int!", "must", #"{"v":9}"#, "{ must: 9 }"), ("$v: Int", "must", "{}", "{ must: 5 }"),
        ])
    func coerced(_ definition: String, _ argument: String, _ json: String, _ expected: String) async throws {
        let response = try await Self.answer("query(\(definition)) { echo(\(argument): $v) }", json)
        let answer = try JSONValue(parsing: response.text.utf8)
        #expect(answer["data"]?["echo"] == .string(expected), "\(response.text)")
    }

    @Test(
        "An invalid variable is a request error that names the variable and describes the mistake",
        arguments: [
            ("$v: Int!", "{}", "Variable \"$v\" of required type \"Int!\" was not provided."),
            ("$v: Int!", #"{"v":null}"#, "Variable \"$v\" of non-null type \"Int!\" must not be null."),
            (
                "$v: Int", #"{"v":"x"}"#,
                "Variable \"$v\" got invalid value \"x\"; Int cannot represent non-integer value: \"x\""
            ),
            (
                "$v: Int", #"{"v":2147483648}"#,
                "Variable \"$v\" got invalid value 2147483648; Int cannot represent non 32-bit signed integer value: 2147483648"
            ),
            (
                "$v: Color", #"{"v":"REDD"}"#,
                "Variable \"$v\" got invalid value \"REDD\"; Value \"REDD\" does not exist in \"Color\" enum. Did you mean the enum value \"RED\"?"
            ),
            (
                "$v: Color", #"{"v":1}"#,
                "Variable \"$v\" got invalid value 1; Enum \"Color\" cannot represent non-string value: 1."
            ),
            ("$v: Input", #"{"v":1}"#, "Variable \"$v\" got invalid value 1; Expected type \"Input\" to be an object."),
            (
                "$v: Input", #"{"v":{"b":"t"}}"#,
                "Variable \"$v\" got invalid value { b: \"t\" }; Field \"a\" of required type \"Int!\" was not provided."
            ),
            (
                "$v: Input", #"{"v":{"a":1,"nested":{"a":null}}}"#,
                "Variable \"$v\" got invalid value null at \"v.nested.a\"; Expected non-nullable type \"Int!\" not to be null."
            ),
            (
                "$v: Input", #"{"v":{"a":1,"list":[1,true]}}"#,
                "Variable \"$v\" got invalid value true at \"v.list[1]\"; Int cannot represent non-integer value: true"
            ),
            (
                "$v: Input", #"{"v":{"a":1,"nestd":1}}"#,
                "Variable \"$v\" got invalid value { a: 1, nestd: 1 }; Field \"nestd\" is not defined by type \"Input\". Did you mean \"nested\" or \"list\"?"
            ),
            (
                "$v: One", #"{"v":{"a":1,"b":"t"}}"#,
                "Variable \"$v\" got invalid value { a: 1, b: \"t\" }; Exactly one key must be specified for OneOf type \"One\"."
            ),
            (
                "$v: One", #"{"v":{"a":null}}"#,
                "Variable \"$v\" got invalid value null at \"v.a\"; Field \"a\" must be non-null."
            ),
            (
                "$v: Query", #"{"v":{}}"#,
                "Variable \"$v\" expected value of type \"Query\" which cannot be used as an input type."
            ),
        ])
    func invalid(_ definition: String, _ json: String, _ expected: String) async throws {
        let response = try await Self.answer("query(\(definition)) { echo }", json)
        #expect(response.errors.first?.message == expected)
        #expect(response.kind == .requestError)
        #expect(!response.text.contains("\"data\""))
    }

    @Test("At most 50 errors of variables are reported before the error about the limit")
    func limit() async throws {
        let values = (0..<10_000).map { "\"x\($0)\"" }.joined(separator: ",")
        let response = try await Self.answer("query($v: [Int!]) { echo(list: $v) }", "{\"v\":[\(values)]}")
        #expect(response.errors.count == 51)
        #expect(
            response.errors.last?.message
                == "Too many errors processing variables, error limit reached. Execution aborted.")
    }

    @Test("An invalid argument is an error of its field only")
    func argument() async throws {
        let response = try await Self.answer(
            "query($v: Int) { a: echo(must: $v) b: echo(int: \"x\") c: echo }", #"{"v":null}"#)
        #expect(
            response.text
                == #"{"errors":[{"message":"Argument \"must\" of non-null type \"Int!\" must not be null.","locations":[{"line":1,"column":32}],"path":["a"]},{"message":"Argument \"int\" has invalid value \"x\".","locations":[{"line":1,"column":49}],"path":["b"]}],"data":{"a":null,"b":null,"c":"{ must: 5 }"}}"#
        )
    }
}
