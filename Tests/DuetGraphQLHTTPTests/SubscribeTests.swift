import DuetGraphQL
import DuetGraphQLHTTP
import DuetJSON
import DuetPersistedDocuments
import Testing

@Suite("Subscriptions of GraphQL requests")
struct SubscribeTests {
    private static func schema() throws -> ExecutableSchema<String> {
        var resolvers = SchemaResolvers(userContext: String.self)
        resolvers.query { $0["version"] = .sync { _, _ in "1" } }
        resolvers.subscription { subscription in
            subscription["greetings"] = .events { _, context in
                let names = ["Ada", "Ben"].prefix(try context.arguments.int("first"))
                let greeting = context.userContext
                return AsyncStream { continuation in
                    for name in names { continuation.yield("\(greeting), \(name)") }
                    continuation.finish()
                }
            }
        }
        let sdl = "type Query { version: String! } type Subscription { greetings(first: Int!): String! }"
        return try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)
    }

    private static func texts(_ response: SubscriptionResponse) async throws -> [String] {
        switch response {
        case .failed(let response): return ["failed: \(response.text)"]
        case .responses(let responses):
            var texts: [String] = []
            for try await response in responses { texts.append(response.text) }
            return texts
        }
    }

    private static let document = "subscription($first: Int!) { greetings(first: $first) }"

    @Test("A subscription uses the document, the variables and the user context of the request")
    func responses() async throws {
        let request = GraphQLRequest(query: Self.document, variables: ["first": 2])
        let texts = try await Self.texts(Self.schema().subscribe(to: request, userContext: "Hello"))
        #expect(texts == [#"{"data":{"greetings":"Hello, Ada"}}"#, #"{"data":{"greetings":"Hello, Ben"}}"#])
    }

    @Test("A request that cannot be executed has one response with the error and its code")
    func failures() async throws {
        let schema = try Self.schema()
        let failures: [(GraphQLRequest, String)] = [
            (GraphQLRequest(query: nil), "BAD_REQUEST"),
            (GraphQLRequest(query: "subscription {"), "GRAPHQL_PARSE_FAILED"),
            (GraphQLRequest(query: "subscription { greeting }"), "GRAPHQL_VALIDATION_FAILED"),
            (GraphQLRequest(query: nil, documentID: "one"), "PERSISTED_QUERY_NOT_SUPPORTED"),
            (GraphQLRequest(query: Self.document), "BAD_USER_INPUT"),
            (GraphQLRequest(query: Self.document, variables: ["first": "two"]), "BAD_USER_INPUT"),
            (GraphQLRequest(query: "{ version }"), "BAD_REQUEST"),
        ]
        for (request, code) in failures {
            let texts = try await Self.texts(schema.subscribe(to: request, userContext: "Hello"))
            #expect(texts.count == 1)
            let text = try #require(texts.first)
            #expect(text.hasPrefix("failed: {\"errors\":["), "\(text)")
            #expect(text.contains("\"code\":\"\(code)\""), "\(text)")
        }
    }

    @Test("A document that is sent with its hash is registered. A later request needs only the hash")
    func persisted() async throws {
        let schema = try Self.schema()
        let source = PersistedQuerySource.automatic(InMemoryPersistedQueryStore())
        let hash = DocumentHash(of: Self.document).description
        var request = GraphQLRequest(
            query: Self.document, variables: ["first": 1],
            extensions: ["persistedQuery": ["version": 1, "sha256Hash": .string(hash)]])
        for query in [Self.document, nil] {
            request.query = query
            let texts = try await Self.texts(
                schema.subscribe(to: request, userContext: "Hi", persistedQueries: source))
            #expect(texts == [#"{"data":{"greetings":"Hi, Ada"}}"#])
        }
    }

    @Test("A document that is not a subscription is not registered")
    func refused() async throws {
        let store = InMemoryPersistedQueryStore()
        let hash = DocumentHash(of: "{ version }")
        let request = GraphQLRequest(
            query: "{ version }",
            extensions: ["persistedQuery": ["version": 1, "sha256Hash": .string(hash.description)]])
        let texts = try await Self.texts(
            Self.schema().subscribe(to: request, userContext: "Hi", persistedQueries: .automatic(store)))
        #expect(texts.first?.contains("Send a subscription.") == true)
        #expect(store.document(hash) == nil)
    }
}
