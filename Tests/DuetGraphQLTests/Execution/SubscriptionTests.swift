import DuetGraphQL
import Testing

@Suite("Subscriptions")
struct SubscriptionTests {
    static let sdl = """
        type Query { a: Int }
        type Subscription { count(to: Int!): Count broken: Int }
        type Count { value: Int! double: Int }
        """

    static func subscribe(_ query: String, variables: ObjectValue = [:]) async throws -> SubscriptionResponse {
        let schema = try Executing.schema(sdl) { resolvers in
            resolvers["Subscription", "count"] = .events { _, context in
                guard case .int(let last)? = context.arguments.values["to"] else { throw GraphQLError("No end") }
                let (stream, continuation) = AsyncStream<Int>.makeStream()
                for number in 0..<Int(last) { continuation.yield(number) }
                continuation.finish()
                return stream.map { ResolvedValue.object($0) }
            }
            resolvers["Subscription", "broken"] = .events { _, _ -> AsyncStream<Int> in
                throw GraphQLError("Broken")
            }
            resolvers["Count", "value", on: Int.self] = .sync { number, _ in number == 1 ? .null : .int(number) }
            resolvers["Count", "double", on: Int.self] = .batch { numbers, _ in numbers.map { .int($0 * 2) } }
        }
        return try await PreparedOperation(unvalidated: Parser.parse(query), schema: schema).subscribe(
            variables: variables)
    }

    @Test("Each event produces a response")
    func events() async throws {
        guard
            case .responses(let responses) = try await Self.subscribe(
                "subscription($n: Int!) { c: count(to: $n) { value double } }", variables: ["n": 3])
        else { throw GraphQLError("It failed") }
        var texts: [String] = []
        for try await response in responses { texts.append(response.text) }
        #expect(
            texts == [
                #"{"data":{"c":{"value":0,"double":0}}}"#,
                #"{"errors":[{"message":"Cannot return null for non-nullable field Count.value.","locations":[{"line":1,"column":45}],"path":["c","value"]}],"data":{"c":null}}"#,
                #"{"data":{"c":{"value":2,"double":4}}}"#,
            ])
    }

    @Test(
        "A subscription that cannot start returns an error",
        arguments: [
            (
                "subscription { broken }",
                #"{"errors":[{"message":"Broken","locations":[{"line":1,"column":16}],"path":["broken"]}]}"#
            ),
            (
                "subscription { __typename }",
                #"{"errors":[{"message":"The field of the subscription has no resolver that returns events.","locations":[{"line":1,"column":1}]}]}"#
            ),
            (
                "subscription($n: Int!) { count(to: $n) { value } }",
                #"{"errors":[{"message":"Variable \"$n\" of required type \"Int!\" was not provided.","locations":[{"line":1,"column":14}]}]}"#
            ),
        ])
    func failed(_ query: String, _ expected: String) async throws {
        guard case .failed(let response) = try await Self.subscribe(query) else { throw GraphQLError("It began") }
        #expect(response.text == expected)
    }
}
