import DuetGraphQL
import Testing

@Suite("The cache policy of a response")
struct ResponseCachePolicyTests {
    static let sdl = """
        type Query { note: Note broken: Int @cacheControl(maxAge: 60) }
        type Note @cacheControl(maxAge: 60) { text: String reader: String later: String strict: String }
        type Mutation { write: Note }
        type Subscription { note: Note }
        directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT

        """ + CacheControl.directiveDefinitions

    static func schema() throws -> ExecutableSchema<Void> {
        try Executing.schema(sdl) { resolvers in
            let note = ObjectValue([("text", .string("a"))])
            resolvers["Query", "note"] = .sync { _, _ in .object(note) }
            resolvers["Query", "broken"] = .sync { _, _ in throw GraphQLError("broken") }
            resolvers["Mutation", "write"] = .sync { _, _ in .object(note) }
            resolvers["Note", "reader"] = .sync { _, context in
                context.operation.restrictCachePolicy(CachePolicy(scope: .private))
                return .string("me")
            }
            resolvers["Note", "later"] = .async { _, context in
                context.operation.restrictCachePolicy(CachePolicy(maxAge: 5))
                return .string("soon")
            }
            resolvers["Note", "strict"] = .sync { _, context in
                context.operation.restrictCachePolicy(CachePolicy(maxAge: 500))
                return .null
            }
            resolvers["Subscription", "note"] = .events { _, _ in
                let (events, continuation) = AsyncStream<Int>.makeStream()
                for number in 1...2 { continuation.yield(number) }
                continuation.finish()
                return events.map { _ in ResolvedValue.object(note) }
            }
        }
    }

    static func response(_ query: String) async throws -> GraphQLResponse {
        try await Executing.response(query, on: try schema())
    }

    @Test("The response to a query has the cache policy of its operation")
    func query() async throws {
        #expect(try await Self.response("{ note { text } }").cachePolicy == CachePolicy(maxAge: 60))
    }

    @Test("A response with an error has no cache policy")
    func errors() async throws {
        let response = try await Self.response("{ note { text } broken }")
        #expect(response.hasData)
        #expect(response.cachePolicy == nil)
        #expect(try await Self.response("query A { note { text } } query B { note { text } }").cachePolicy == nil)
    }

    @Test("The responses of mutations and subscriptions have no cache policy")
    func otherOperations() async throws {
        let written = try await Self.response("mutation { write { text } }")
        #expect(written.errors.isEmpty)
        #expect(written.cachePolicy == nil)
        let schema = try Self.schema()
        let operation = try PreparedOperation(
            unvalidated: Parser.parse("subscription { note { text } }"), schema: schema)
        guard case .responses(let responses) = try await operation.subscribe() else {
            Issue.record("there are no events")
            return
        }
        for try await response in responses {
            #expect(response.errors.isEmpty)
            #expect(response.cachePolicy == nil)
        }
    }

    @Test("A synchronous or asynchronous resolver can make the policy stricter, but not less strict")
    func resolvers() async throws {
        #expect(
            try await Self.response("{ note { reader } }").cachePolicy == CachePolicy(maxAge: 60, scope: .private))
        #expect(try await Self.response("{ note { later } }").cachePolicy == CachePolicy(maxAge: 5))
        #expect(
            try await Self.response("{ note { later reader } }").cachePolicy
                == CachePolicy(maxAge: 5, scope: .private))
        #expect(try await Self.response("{ note { strict } }").cachePolicy == CachePolicy(maxAge: 60))
    }

    @Test("Restrictions of one request's resolvers do not apply to the next request")
    func requestsAreApart() async throws {
        let operation = try PreparedOperation(
            unvalidated:
                Parser.parse("query ($a: Boolean!) { note { text reader @include(if: $a) later @include(if: $a) } }"),
            schema: try Self.schema())
        #expect(
            try await operation.execute(variables: ["a": .bool(true)]).cachePolicy
                == CachePolicy(maxAge: 5, scope: .private))
        #expect(
            try await operation.execute(variables: ["a": .bool(false)]).cachePolicy == CachePolicy(maxAge: 60))
        #expect(
            operation.executeSynchronously(variables: ["a": .bool(false)]).cachePolicy == CachePolicy(maxAge: 60))
    }

    @Test("Many resolvers can restrict the policy concurrently")
    func concurrency() async throws {
        let schema = try Executing.schema(
            "type Query { all: [Part!]! @cacheControl(maxAge: 900) } type Part { age: Int }"
                + CacheControl.directiveDefinitions
        ) { resolvers in
            resolvers["Query", "all"] = .sync { _, _ in
                .objects((1...200).map { ObjectValue([("age", .int($0 + 100))]) })
            }
            resolvers["Part", "age"] = .async { source, context in
                guard case .int(let age)? = (source as? ObjectValue)?["age"] else { return .null }
                context.operation.restrictCachePolicy(
                    CachePolicy(maxAge: Int(age), scope: age == 150 ? .private : .public))
                return .int(age)
            }
        }
        let response = try await Executing.response("{ all { age } }", on: schema)
        #expect(response.errors.isEmpty)
        #expect(response.cachePolicy == CachePolicy(maxAge: 101, scope: .private))
    }

    @Test("An incremental response has no cache policy. A response has a policy if @defer is disabled")
    func parts() async throws {
        let operation = try PreparedOperation(
            unvalidated:
                Parser.parse("query ($a: Boolean!) { note { text ... @defer(if: $a) { later } } }"),
            schema: try Self.schema())
        switch try await operation.executeIncrementally(variables: ["a": .bool(true)]) {
        case .single: Issue.record("the response is not incremental")
        case .incremental(let initial, let subsequent):
            #expect(initial.cachePolicy == nil)
            for try await _ in subsequent {}
        }
        guard case .single(let response) = try await operation.executeIncrementally(variables: ["a": .bool(false)])
        else {
            Issue.record("the response is incremental")
            return
        }
        #expect(response.cachePolicy == CachePolicy(maxAge: 5))
    }
}
