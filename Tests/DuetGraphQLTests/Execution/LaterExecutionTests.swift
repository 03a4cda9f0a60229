import DuetGraphQL
import DuetJSON
import NIOCore
import Testing

@Suite("Execution with asynchronous resolvers")
struct LaterExecutionTests {
    struct Person: Sendable { let id: Int }

    static let sdl = """
        type Query { people: [Person!]! person(id: Int = 1): Person must(id: Int): Person! text: String }
        type Mutation { add(n: Int!): Sum addNow(n: Int!): Sum fail: Int! }
        type Person { id: Int! friends: [Person!]! name: String }
        type Sum { value: Int later: Int }
        """

    @Test("Each field of the query calls its batch resolver once, with all objects of the field")
    func batches() async throws {
        let calls = Locked<[String]>([])
        let schema = try Executing.schema(Self.sdl) { resolvers in
            resolvers["Query", "people"] = .async { _, _ in .objects((0..<3).map(Person.init)) }
            resolvers["Query", "text"] = .async { _, _ in .string("t") }
            resolvers["Person", "id", on: Person.self] = .property { (person: Person) in .int(person.id) }
            resolvers["Person", "friends", on: Person.self] = .batch { people, _ in
                calls.withLock { $0.append("friends of \(people.count)") }
                return people.map { .objects([Person(id: $0.id * 10), Person(id: $0.id * 10 + 1)]) }
            }
            resolvers["Person", "name", on: Person.self] = .batch { people, _ in
                calls.withLock { $0.append("names of \(people.count)") }
                return people.map { $0.id == 11 ? .failure(GraphQLError("No name")) : .string("P\($0.id)") }
            }
        }
        let text = try await Executing.text("{ people { id friends { name friends { name } } } text }", on: schema)
        #expect(text.contains(#"{"id":2,"friends":[{"name":"P20","friends":[{"name":"P200"},{"name":"P201"}]}"#))
        #expect(text.contains(#""path":["people",1,"friends",1,"name"]"#))
        #expect(text.hasSuffix(#","text":"t"}}"#))
        #expect(
            calls.withLock { $0 }.sorted() == ["friends of 3", "friends of 6", "names of 12", "names of 6"])
    }

    @Test("A batch resolver that returns too few values causes an internal error of the field")
    func tooFew() async throws {
        let schema = try Executing.schema(Self.sdl) { resolvers in
            resolvers["Query", "person"] = .batch { _, _ in [] }
        }
        let response = try await Executing.response("{ person { id } }", on: schema)
        #expect(response.text.hasSuffix(#""data":{"person":null}}"#))
        #expect(response.errors[0].message == "Internal error")
        #expect(response.errors[0].underlyingError != nil)
    }

    @Test("The root fields of a mutation are executed serially, each one together with its subfields")
    func serial() async throws {
        let log = Locked<[String]>([])
        let schema = try Executing.schema(Self.sdl) { resolvers in
            resolvers["Mutation", "add"] = .async { _, context in
                log.withLock { $0.append("add \(context.arguments.values["n"] ?? .null)") }
                return .object(1)
            }
            resolvers["Mutation", "addNow"] = .sync { _, context in
                log.withLock { $0.append("now \(context.arguments.values["n"] ?? .null)") }
                return .object(2)
            }
            resolvers["Mutation", "fail"] = .async { _, _ in throw GraphQLError("Failed") }
            resolvers["Sum", "value", on: Int.self] = .sync { number, _ in .int(number) }
            resolvers["Sum", "later", on: Int.self] = .batch { numbers, _ in
                log.withLock { $0.append("later") }
                return numbers.map { .int($0) }
            }
        }
        #expect(
            try await Executing.text(
                "mutation { a: add(n: 1) { later value } b: addNow(n: 2) { value } c: add(n: 3) { later } d: addNow(n: 4) { later } }",
                on: schema)
                == #"{"data":{"a":{"later":1,"value":1},"b":{"value":2},"c":{"later":1},"d":{"later":2}}}"#)
        #expect(log.withLock { $0 } == ["add 1", "later", "now 2", "add 3", "later", "now 4", "later"])
        log.withLock { $0 = [] }
        #expect(
            try await Executing.text(
                "mutation { a: addNow(n: 1) { value } fail b: addNow(n: 2) { value } }", on: schema)
                == #"{"errors":[{"message":"Failed","locations":[{"line":1,"column":38}],"path":["fail"]}],"data":null}"#
        )
        #expect(log.withLock { $0 } == ["now 1"])
    }

    @Test("Canceling the task stops the operation")
    func cancelled() async throws {
        let (beginnings, begins) = AsyncStream<Void>.makeStream()
        // The stream never yields or finishes, so the loop ends only when its task is canceled.
        let (never, open) = AsyncStream<Void>.makeStream()
        defer { open.finish() }
        let schema = try Executing.schema(Self.sdl) { resolvers in
            resolvers["Query", "people"] = .async { _, _ in
                begins.finish()
                for await _ in never {}
                return .list([])
            }
        }
        let operation = try PreparedOperation(unvalidated: Parser.parse("{ people { id } text }"), schema: schema)
        let task = Task { try await operation.execute() }
        for await _ in beginnings {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // MARK: - Subtrees

    final class Subtree: SubtreeResolver {
        let calls = Locked<[Int]>([])
        let answer: @Sendable (SubtreeRequest) throws -> SubtreeResult

        init(_ answer: @escaping @Sendable (SubtreeRequest) throws -> SubtreeResult) { self.answer = answer }

        func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
            calls.withLock { $0.append(requests.count) }
            return try requests.map(answer)
        }
    }

    static func schema(_ subtree: Subtree) throws -> ExecutableSchema<Void> {
        try Executing.schema(sdl) { resolvers in
            resolvers["Query", "person"] = .subtree(subtree)
            resolvers["Query", "must"] = .subtree(subtree)
            resolvers["Query", "text"] = .sync { _, _ in .string("t") }
        }
    }

    static func written(_ request: SubtreeRequest, _ json: String, _ errors: [GraphQLError] = []) -> SubtreeResult {
        var output = request.output
        output.writeString(json)
        return .written(output, errors: errors)
    }

    @Test("A subtree resolver receives all its fields of an operation in one call, with their selections")
    func subtrees() async throws {
        let subtree = Subtree { request in
            let keys = request.field.selection?.fields.map(\.responseName).joined(separator: ",") ?? ""
            return Self.written(request, "{\"\(request.arguments["id"] ?? .null)\":\"\(keys)\"}")
        }
        #expect(
            try await Executing.text(
                "{ a: person(id: 4) { id n: name } text b: person { __typename } }", on: Self.schema(subtree))
                == #"{"data":{"a":{"4":"id,n"},"text":"t","b":{"1":"__typename"}}}"#)
        #expect(
            try await Executing.text("{ text person { id } again: text }", on: Self.schema(subtree))
                == #"{"data":{"text":"t","person":{"1":"id"},"again":"t"}}"#)
        #expect(subtree.calls.withLock { $0 } == [2, 1])
    }

    /// A subtree resolver with separate functions for a single request and for several requests.
    final class TwoForms: SubtreeResolver {
        func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
            requests.map { LaterExecutionTests.written($0, "{\"id\":\"one of \(requests.count)\"}") }
        }

        func resolve(_ request: SubtreeRequest, _ operation: OperationContext) async throws -> SubtreeResult {
            guard request.arguments["id"] != .int(0) else { throw GraphQLError("Nobody") }
            return LaterExecutionTests.written(request, "{\"id\":\"alone\"}")
        }
    }

    @Test("A single request is passed to the subtree resolver's function for a single request")
    func aloneWithoutList() async throws {
        let schema = try Executing.schema(Self.sdl) { resolvers in
            resolvers["Query", "person"] = .subtree(TwoForms())
            resolvers["Query", "text"] = .sync { _, _ in .string("t") }
        }
        #expect(
            try await Executing.text("{ person { id } }", on: schema) == #"{"data":{"person":{"id":"alone"}}}"#)
        #expect(
            try await Executing.text("{ text person { id } }", on: schema)
                == #"{"data":{"text":"t","person":{"id":"alone"}}}"#)
        #expect(
            try await Executing.text("{ a: person { id } b: person { id } }", on: schema)
                == #"{"data":{"a":{"id":"one of 2"},"b":{"id":"one of 2"}}}"#)
        #expect(
            try await Executing.text("{ person(id: 0) { id } }", on: schema)
                == #"{"errors":[{"message":"Nobody","locations":[{"line":1,"column":3}],"path":["person"]}],"data":{"person":null}}"#
        )
    }

    /// A subtree resolver that returns one result too many.
    final class Miscounting: SubtreeResolver {
        func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
            requests.map { LaterExecutionTests.written($0, "{}") } + [.null()]
        }
    }

    @Test(
        "A field is null if its subtree resolver returns more results than it received requests",
        arguments: [
            "{ person { id } }", "{ person { id } a: person { id } }",
        ])
    func countsMustMatch(query: String) async throws {
        let schema = try Executing.schema(Self.sdl) { $0["Query", "person"] = .subtree(Miscounting()) }
        #expect(try await Executing.text(query, on: schema).contains("\"person\":null"))
    }

    @Test("The subtree resolver of a single field appends the value of the field directly to the response")
    func handedOver() async throws {
        let seen = Locked<[String]>([])
        let subtree = Subtree { request in
            seen.withLock { $0.append(String(buffer: request.output)) }
            return Self.written(request, "{}")
        }
        let schema = try Self.schema(subtree)
        #expect(
            try await Executing.text("{ text person { id } again: text }", on: schema)
                == #"{"data":{"text":"t","person":{},"again":"t"}}"#)
        _ = try await Executing.text("{ a: person { id } b: person { id } }", on: schema)
        #expect(seen.withLock { $0 } == [#"{"data":{"text":"t","person":"#, "", ""])
    }

    @Test("A subtree resolver can return null, report errors of nested fields, or throw an error")
    func subtreeErrors() async throws {
        let subtree = Subtree { request in
            switch request.arguments["id"] {
            case .int(1): .null(errors: [GraphQLError("Gone")])
            case .int(2): Self.written(request, "{}", [GraphQLError("Below", path: [.key("name")])])
            case .int(3): .null()
            default: throw GraphQLError("All")
            }
        }
        let schema = try Self.schema(subtree)
        #expect(
            try await Executing.text("{ text person(id: 1) { id } again: text }", on: schema)
                == #"{"errors":[{"message":"Gone","locations":[{"line":1,"column":8}],"path":["person"]}],"data":{"text":"t","person":null,"again":"t"}}"#
        )
        #expect(
            try await Executing.text("{ person(id: 2) { id } }", on: schema)
                == #"{"errors":[{"message":"Below","locations":[{"line":1,"column":3}],"path":["person","name"]}],"data":{"person":{}}}"#
        )
        #expect(
            try await Executing.text("{ text must(id: 3) { id } again: text }", on: schema)
                == #"{"errors":[{"message":"Cannot return null for non-nullable field Query.must.","locations":[{"line":1,"column":8}],"path":["must"]}],"data":null}"#
        )
        #expect(
            try await Executing.text("{ text person(id: 4) { id } }", on: schema)
                == #"{"errors":[{"message":"All","locations":[{"line":1,"column":8}],"path":["person"]}],"data":{"text":"t","person":null}}"#
        )
        #expect(
            try await Executing.text(
                "{ a: person(id: 1) { id } b: person(id: 2) { id } c: must(id: 3) { id } }", on: schema
            )
            .hasSuffix(#""data":null}"#))
    }
}
