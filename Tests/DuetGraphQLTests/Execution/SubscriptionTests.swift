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

    /// Writes the selected fields of a number. The number is the event of a subscription, or the root value of a query.
    final class Numbers: SubtreeResolver {
        func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
            try requests.map { request in
                guard let number = request.source as? Int else { throw GraphQLError("The source is no number") }
                if number == 1 { throw GraphQLError("The number is 1") }
                if number == 2 { return .null() }
                let factor = try request.fieldArguments.int("factor")
                let members = request.field.selection?.fields.map { "\"\($0.responseName)\":\(number * factor)" }
                return LaterExecutionTests.written(request, "{\(members?.joined(separator: ",") ?? "")}")
            }
        }
    }

    static func numbers() throws -> ExecutableSchema<Void> {
        let sdl = """
            type Query { number(factor: Int!): Number }
            type Subscription { number(factor: Int!): Number }
            type Number { value: Int }
            """
        var resolvers = SchemaResolvers()
        let numbers = Numbers()
        resolvers.query { $0["number"] = .subtree(numbers) }
        resolvers.subscription { subscription in
            subscription["number"] = .events(
                { _, _ in
                    AsyncStream<Int> { continuation in
                        for number in 0..<4 { continuation.yield(number) }
                        continuation.finish()
                    }
                }, subtree: numbers)
        }
        return try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)
    }

    @Test("A subtree resolver writes the response to each event, and the events are its sources")
    func subtrees() async throws {
        let schema = try Self.numbers()
        let document = "subscription($f: Int!) { n: number(factor: $f) { value a: value } }"
        guard case .responses(let responses) = try await schema.subscribe(document, variables: ["f": 10]) else {
            throw GraphQLError("It failed")
        }
        var texts: [String] = []
        for try await response in responses { texts.append(response.text) }
        #expect(
            texts == [
                #"{"data":{"n":{"value":0,"a":0}}}"#,
                #"{"errors":[{"message":"The number is 1","locations":[{"line":1,"column":26}],"path":["n"]}],"data":{"n":null}}"#,
                #"{"data":{"n":null}}"#,
                #"{"data":{"n":{"value":30,"a":30}}}"#,
            ])
        let plan = try schema.prepare(document).planDescription(variables: ["f": 10])
        #expect(plan.contains("events, subtree"), "\(plan)")
    }

    @Test("A subtree resolver of a subscription can also resolve a field of a query, with the root value as its source")
    func subtreeOfQuery() async throws {
        let schema = try Self.numbers()
        let response = try await schema.execute("{ number(factor: 2) { value } }", rootValue: 4)
        #expect(response.text == #"{"data":{"number":{"value":8}}}"#)
        // Without an event, a subscription is not executed.
        let executed = try await schema.execute("subscription { number(factor: 2) { value } }", rootValue: 4)
        #expect(executed.kind == .requestError)
    }

    @Test("A closure can write the responses to the events of a subscription")
    func subtreeClosure() async throws {
        var resolvers = SchemaResolvers()
        resolvers.query { $0["a"] = .sync { _, _ in 1 } }
        resolvers.subscription { subscription in
            subscription["letter"] = .events(
                { _, _ in
                    AsyncStream<Character> { continuation in
                        for letter in "ab" { continuation.yield(letter) }
                        continuation.finish()
                    }
                },
                subtree: { request, _ in
                    guard let letter = request.source as? Character else { return .null() }
                    return LaterExecutionTests.written(request, "\"\(letter)\"")
                })
        }
        let schema = try ExecutableSchema(
            Schema(sdl: "type Query { a: Int } type Subscription { letter: String! }"), resolvers: resolvers)
        guard case .responses(let responses) = try await schema.subscribe("subscription { letter }") else {
            throw GraphQLError("It failed")
        }
        var texts: [String] = []
        for try await response in responses { texts.append(response.text) }
        #expect(texts == [#"{"data":{"letter":"a"}}"#, #"{"data":{"letter":"b"}}"#])
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
