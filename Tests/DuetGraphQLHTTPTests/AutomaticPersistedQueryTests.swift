import DuetGraphQL
import DuetGraphQLHTTP
import DuetPersistedDocuments
import HTTPTypes
import Testing

@Suite("Automatic persisted queries over HTTP")
struct AutomaticPersistedQueryTests {
    private let store = InMemoryPersistedQueryStore()

    private static func schema() throws -> ExecutableSchema<Void> {
        var resolvers = SchemaResolvers()
        resolvers.query { $0["greeting"] = .sync { _, _ in "Hello" } }
        resolvers.mutation { $0["greet"] = .sync { _, _ in "Hi" } }
        return try ExecutableSchema(
            Schema(sdl: "type Query { greeting: String! } type Mutation { greet: String! }"), resolvers: resolvers)
    }

    private static let document = "{ greeting }"
    private static let hash = DocumentHash(of: document).description
    private static let data = #"{"data":{"greeting":"Hello"}}"#

    /// Sends a body with POST, and returns the status and the text of the response. The request accepts
    /// `application/graphql-response+json`.
    private func post(_ body: String, _ store: any PersistedQueryStore) async throws -> (status: Int, text: String) {
        try await post(body, .automatic(store))
    }

    private func post(_ body: String, _ source: PersistedQuerySource) async throws -> (status: Int, text: String) {
        let request = GraphQLHTTPRequest(
            method: "POST",
            headerFields: [("Content-Type", "application/json"), ("Accept", "application/graphql-response+json")],
            body: body.utf8)
        let response = try await Self.schema().respond(to: request, persistedQueries: source)
        return (response.statusCode, String(decoding: response.bytes, as: UTF8.self))
    }

    private func body(hash: String, query: String? = nil, version: Int = 1) -> String {
        let text = query.map { "\"query\":\"\($0)\"," } ?? ""
        return #"{\#(text)"extensions":{"persistedQuery":{"version":\#(version),"sha256Hash":"\#(hash)"}}}"#
    }

    @Test("A hash is unknown until a client sends the hash together with its document")
    func registered() async throws {
        let unknown = try await post(body(hash: Self.hash), store)
        #expect(unknown.status == 404)
        #expect(unknown.text.contains("PersistedQueryNotFound"))
        let sent = try await post(body(hash: Self.hash, query: Self.document), store)
        #expect(sent == (200, Self.data))
        let known = try await post(body(hash: Self.hash), store)
        #expect(known == (200, Self.data))
        let identified = try await post(#"{"documentId":"sha256:\#(Self.hash)"}"#, store)
        #expect(identified == (200, Self.data))
    }

    /// A store whose functions suspend.
    private actor OwnStore: PersistedQueryStore {
        private var documents: [DocumentHash: String] = [:]

        func document(_ hash: DocumentHash) -> String? { documents[hash] }

        func document(named id: String) -> String? { id == "greeting-1" ? "{ greeting }" : nil }

        func register(_ document: String, as hash: DocumentHash) { documents[hash] = document }
    }

    @Test("A store of another type finds documents by hash and identifier, and registers documents")
    func ownStore() async throws {
        let store = OwnStore()
        #expect(try await post(body(hash: Self.hash), store).status == 404)
        #expect(try await post(#"{"documentId":"greeting-1"}"#, store) == (200, Self.data))
        #expect(try await post(#"{"documentId":"greeting-2"}"#, store).status == 404)
        #expect(try await post(body(hash: Self.hash, query: Self.document), store) == (200, Self.data))
        #expect(try await post(body(hash: Self.hash), store) == (200, Self.data))
    }

    @Test("A document with the hash of another document is rejected and not registered")
    func mismatch() async throws {
        let response = try await post(body(hash: Self.hash, query: "{ __typename }"), store)
        #expect(response.status == 400)
        #expect(response.text.contains("provided sha does not match query"))
        #expect(store.document(DocumentHash(of: "{ __typename }")) == nil)
        #expect(store.document(DocumentHash(of: Self.document)) == nil)
    }

    @Test(
        "A document that cannot be executed is not registered", arguments: ["{ unknown }", "{", "mutation { greet }"])
    func invalid(document: String) async throws {
        let hash = DocumentHash(of: document)
        let extensions = "%7B%22persistedQuery%22:%7B%22version%22:1,%22sha256Hash%22:%22\(hash)%22%7D%7D"
        let query = document.replacing("{", with: "%7B").replacing("}", with: "%7D").replacing(" ", with: "%20")
        let request = GraphQLHTTPRequest(
            method: "GET", headerFields: [], urlQuery: "query=\(query)&extensions=\(extensions)")
        let response = try await Self.schema().respond(to: request, persistedQueries: .automatic(store))
        #expect(!response.errors.isEmpty)
        #expect(store.document(hash) == nil)
    }

    @Test("A request without a hash is executed, and its document is not registered")
    func plain() async throws {
        #expect(try await post(#"{"query":"{ greeting }"}"#, store) == (200, Self.data))
        #expect(store.document(DocumentHash(of: Self.document)) == nil)
        #expect(try await post("{}", store).text.contains(#"The request has no \"query\"."#))
    }

    @Test("An unsupported protocol version and a malformed hash are rejected")
    func malformed() async throws {
        #expect(try await post(body(hash: Self.hash, version: 2), store).status == 400)
        #expect(try await post(body(hash: "a"), store).status == 400)
    }

    @Test("The first request can identify a document of a manifest by identifier or hash")
    func listed() async throws {
        var manifest = PersistedQueryManifest()
        try manifest.add(.init(id: "greeting-1", document: Self.document), from: "a test")
        let store = InMemoryPersistedQueryStore(manifest: manifest)
        #expect(try await post(#"{"documentId":"greeting-1"}"#, store) == (200, Self.data))
        #expect(try await post(body(hash: Self.hash), store) == (200, Self.data))
        #expect(try await post(#"{"documentId":"greeting-2"}"#, store).status == 404)
    }

    @Test("A server that permits only listed documents finds them by identifier, hash and text, and rejects all others")
    func exclusive() async throws {
        var manifest = PersistedQueryManifest()
        try manifest.add(.init(id: "greeting-1", document: Self.document))
        let other = "{ __typename }"
        func answer(_ body: String) async throws -> (status: Int, text: String) {
            try await post(body, .listed(manifest))
        }
        let accepted = [
            #"{"documentId":"greeting-1"}"#, #"{"query":"\#(Self.document)"}"#, body(hash: Self.hash),
            body(hash: Self.hash, query: Self.document),
        ]
        for body in accepted { #expect(try await answer(body) == (200, Self.data)) }
        let refused = [
            #"{"documentId":"greeting-2"}"#, #"{"query":"\#(other)"}"#, body(hash: DocumentHash(of: other).description),
            body(hash: DocumentHash(of: other).description, query: other),
        ]
        for body in refused {
            let response = try await answer(body)
            #expect(response.status == 400)
            #expect(response.text.contains("PERSISTED_QUERY_NOT_IN_LIST"))
        }
        let mismatch = try await answer(body(hash: Self.hash, query: other))
        #expect(mismatch.text.contains("PERSISTED_QUERY_HASH_MISMATCH"))
        #expect(try await answer("{}").text.contains(#"The request has no \"query\"."#))
    }
}
