import DuetGraphQL
import DuetJSON
import NIOCore
import SeededTesting
import Testing

@Suite("Prepared operations")
struct PreparedOperationTests {
    static let sdl =
        "type Query { a: Query b: Query text(n: Int): String pet: Pet } interface Pet { name: String } type Dog implements Pet { name: String }"

    static func schema(_ options: ExecutionOptions = ExecutionOptions()) throws -> ExecutableSchema<Void> {
        try Executing.schema(sdl, options: options) { resolvers in
            resolvers["Query", "text"] = .sync { _, context in .string("t\(context.arguments.values["n"] ?? .null)") }
            resolvers["Query", "a"] = .sync { _, _ in .object(1) }
        }
    }

    static func text(_ query: String, name: String? = nil) async throws -> String {
        try await Executing.text(query, on: schema(), operationName: name)
    }

    @Test("The operation name selects an operation. A missing or ambiguous operation is an error")
    func operationName() async throws {
        #expect(try await Self.text("query A { text } query B { x: text }", name: "B") == #"{"data":{"x":"tnull"}}"#)
        #expect(
            try await Self.text("query A { text } query B { text }")
                == #"{"errors":[{"message":"Must provide operation name if query contains multiple operations."}]}"#)
        #expect(
            try await Self.text("query A { text }", name: "C")
                == #"{"errors":[{"message":"Unknown operation named \"C\"."}]}"#)
        #expect(
            try await Self.text("fragment F on Query { text }")
                == #"{"errors":[{"message":"Must provide an operation."}]}"#)
        #expect(
            try await Self.text("mutation { text }")
                == #"{"errors":[{"message":"Schema is not configured to execute mutation operation.","locations":[{"line":1,"column":1}]}]}"#
        )
    }

    @Test("@skip and @include with variables are evaluated for each execution")
    func conditions() async throws {
        let operation = try PreparedOperation(
            unvalidated:
                Parser.parse(
                    "query($s: Boolean!, $i: Boolean = true) { a: text @skip(if: $s) b: text @include(if: $i) __typename }"
                ),
            schema: Self.schema())
        #expect(
            try await operation.execute(variables: ["s": true]).text == #"{"data":{"b":"tnull","__typename":"Query"}}"#)
        #expect(
            try await operation.execute(variables: ["s": false, "i": false]).text
                == #"{"data":{"a":"tnull","__typename":"Query"}}"#)
        #expect(
            try await operation.execute(variables: ["s": true, "i": false]).text
                == #"{"data":{"__typename":"Query"}}"#)
    }

    @Test("Selections with the same response name are merged at the position of the first one")
    func merging() async throws {
        #expect(
            try await Self.text(
                "{ a { text } ...F x: text(n: 1) a { y: text(n: 2) } } fragment F on Query { a { text z: a { text } } }"
            )
                == #"{"data":{"a":{"text":"tnull","z":{"text":"tnull"},"y":"t2"},"x":"t1"}}"#)
    }

    @Test("The description of a plan lists the fields with their arguments, types and kinds of resolvers")
    func description() async throws {
        let operation = try PreparedOperation(
            unvalidated:
                Parser.parse("query($n: Int) { a { x: text(n: 1) text(n: $n) } __typename }"), schema: Self.schema())
        #expect(
            try operation.planDescription() == """
                a: Query [sync]
                  x: text(n: 1): String [sync]
                  text(n: …): String [sync]
                __typename: String! [constant]
                """)
        var options = ExecutionOptions()
        options.includesPlan = true
        #expect(
            try await Executing.text("{ text }", on: Self.schema(options))
                == #"{"data":{"text":"tnull"},"extensions":{"plan":"text: String [sync]"}}"#)
    }

    @Test("Entries can be added to the extensions of a response")
    func addedExtensions() async throws {
        var options = ExecutionOptions()
        for includesPlan in [false, true] {
            options.includesPlan = includesPlan
            let schema = try Self.schema(options)
            for document in ["{ text }", "{ a { text } }", "{ unknown }"] {
                var response = try await schema.execute(document)
                let before = try response.json()
                response.add(extensions: [:])
                #expect(try response.json() == before)
                response.add(extensions: ["a": 1])
                response.add(extensions: ["b": [true], "a": 2])
                guard case .object(var expected) = before else { return }
                var extensions: JSONObject = [:]
                if case .object(let known) = expected["extensions"] { extensions = known }
                extensions["a"] = 2
                extensions["b"] = [true]
                expected["extensions"] = .object(extensions)
                #expect(try response.json() == .object(expected))
            }
        }
    }

    @Test("Fragments that expand to too many fields or levels are rejected")
    func adversarial() async throws {
        var doubling = "{ ...F0 }"
        for index in 0..<40 {
            doubling += " fragment F\(index) on Query { a { ...F\(index + 1) } b { ...F\(index + 1) } }"
        }
        #expect(try await Self.text(doubling + " fragment F40 on Query { text }").contains("too large"))
        var chain = "{ ...F0 }"
        let many = TestScale.count(2_250)
        for index in 0..<many { chain += " fragment F\(index) on Query { a { ...F\(index + 1) } }" }
        #expect(try await Self.text(chain + " fragment F\(many) on Query { text }").contains("too deep"))
        #expect(try await Self.text("{ ...F } fragment F on Query { a { ...F } }").contains("too deep"))
        var flat = "{ ...F0 }"
        for index in 0..<many { flat += " fragment F\(index) on Query { ...F\(index + 1) }" }
        #expect(try await Self.text(flat + " fragment F\(many) on Query { text }") == #"{"data":{"text":"tnull"}}"#)
        let wide =
            "{ " + (0..<100).map { "a\($0): a { ...W }" }.joined(separator: " ") + " } fragment W on Query { "
            + String(repeating: "text ", count: 20_000) + "}"
        #expect(try await Self.text(wide).contains("too large"))
    }

    @Test("An operation of the maximum depth is executed on a small stack")
    func deepest() throws {
        let schema = try Executing.schema("type Query { a: [[Query!]!] }") { resolvers in
            resolvers["Query", "a"] = .sync { _, _ in .list([.list([.object(1)])]) }
        }
        let query = String(repeating: "{ a ", count: 63) + "{ __typename }" + String(repeating: " }", count: 63)
        let operation = try PreparedOperation(unvalidated: Parser.parse(query), schema: schema)
        let response = SmallStack.run { operation.executeSynchronously() }
        #expect(response?.errors.isEmpty == true)
        #expect(response?.text.hasSuffix(String(repeating: "}]]", count: 63) + "}}") == true)
    }

    @Test("An operation with asynchronous resolvers cannot be executed synchronously")
    func synchronous() throws {
        let schema = try Executing.schema(Self.sdl) { $0["Query", "text"] = .async { _, _ in .string("later") } }
        let operation = try PreparedOperation(unvalidated: Parser.parse("{ a { text } text }"), schema: schema)
        #expect(
            operation.executeSynchronously().text
                == #"{"errors":[{"message":"GraphQL execution failed to complete synchronously."}]}"#)
    }

    @Test("Introspection can be disabled")
    func introspection() async throws {
        var options = ExecutionOptions()
        options.isIntrospectionEnabled = false
        #expect(
            try await Executing.text("{ __schema { description } }", on: Self.schema(options))
                == #"{"errors":[{"message":"GraphQL introspection has been disabled, but the requested query contained the field \"__schema\".","locations":[{"line":1,"column":3}]}]}"#
        )
        #expect(
            try await Executing.text("{ __typename }", on: Self.schema(options)) == #"{"data":{"__typename":"Query"}}"#)
    }

    @Test("Errors of documents and variables suggest names only if introspection is enabled", arguments: [true, false])
    func suggestions(isEnabled: Bool) async throws {
        var options = ExecutionOptions()
        options.isIntrospectionEnabled = isEnabled
        var resolvers = SchemaResolvers()
        resolvers.query { $0["books"] = .sync { _, _ in "all" } }
        let sdl =
            "type Query { books(filter: Filter, genre: Genre): String } input Filter { title: String } enum Genre { NOVEL }"
        let schema = try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers, options: options)
        let query = "query($f: Filter, $g: Genre) { books(filter: $f, genre: $g) }"
        let requests: [(String, ObjectValue)] = [
            ("{ boks }", [:]), (query, ["f": ["titel": "E"]]), (query, ["g": "NOVLE"]),
        ]
        for (document, variables) in requests {
            let response = try await schema.execute(document, variables: variables)
            #expect(response.errors.count == 1)
            #expect(response.text.contains("Did you mean") == isEnabled, "\(response.text)")
        }
    }

    @Test("The operation cache retains the recently used operations, and counts hits and misses")
    func cache() throws {
        var options = ExecutionOptions()
        options.operationCache.maximumCount = 2
        let cache = try Self.schema(options).operations
        let a = try cache.operation(in: "{ text }")
        _ = try cache.operation(in: "{ b: text }")
        #expect(try cache.operation(in: "{ text }") === a)
        _ = try cache.operation(in: "{ c: text }")
        #expect(try cache.operation(in: "{ text }") === a)
        #expect(cache.statistics.hits == 2)
        #expect(cache.statistics.misses == 3)
        #expect(cache.statistics.count == 2)
        _ = try cache.operation(in: "{ b: text }")
        #expect(cache.statistics.misses == 4)
        #expect(throws: GraphQLErrors.self) { try cache.operation(in: "{ unknown }") }
        #expect(throws: GraphQLErrors.self) { try cache.operation(in: "{") }
        #expect(cache.statistics.count == 2)
        for index in 0..<100 { _ = try cache.operation(in: "{ a\(index): text }", named: nil) }
        #expect(cache.statistics.count == 2)
        #expect(cache.statistics.bytes < 10_000)
    }

    @Test("A resolver for an unknown field is rejected. A Swift type that is bound to an interface is rejected")
    func unknown() throws {
        #expect(throws: GraphQLErrors.self) {
            try Executing.schema(Self.sdl) { $0["Query", "nothing"] = .sync { _, _ in .null } }
        }
        #expect(throws: GraphQLErrors.self) { try Executing.schema(Self.sdl) { $0.bind(Int.self, to: "Pet") } }
    }
}
