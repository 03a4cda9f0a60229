import DuetClient
import DuetJSON
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("GraphQL requests over HTTP")
struct GraphQLHTTPRequestTests {
    /// Returns the request that a server receives.
    private func received(
        _ request: GraphQLRequest, _ settings: PersistedQuerySettings = PersistedQuerySettings(),
        path: String = "/graphql", headerFields: HTTPFields = [:]
    ) async throws -> (head: String, body: String) {
        let requests = Mutex<[(head: String, body: String)]>([])
        try await ScriptedServer.with { connection in
            while let request = try await connection.request() {
                requests.withLock { $0.append(request) }
                try await connection.respond("200 OK", ["Content-Type": "application/json"], body: #"{"data":{}}"#)
            }
        } _: { server in
            let endpoint = try GraphQLEndpoint(server, settings, path: path, headerFields: headerFields)
            _ = try await endpoint.send(request)
        }
        return try #require(requests.withLock { $0.first })
    }

    private func target(_ head: String) -> Substring? { head.split(separator: " ").dropFirst().first }

    private let document = OperationDocument(text: "query Q($b: Int, $a: In) { a }", name: "Q")

    @Test("Query parameters are sorted by name. All characters except unreserved characters are percent-encoded")
    func address() async throws {
        let request = GraphQLRequest(document, variables: ["a": "ä /?&=+~", "b": 1])
        let head = try await received(request).head
        #expect(
            target(head) ?? "" == """
                /graphql?extensions=%7B%22persistedQuery%22%3A%7B%22sha256Hash%22%3A%22\(document.hash)%22%2C%22version%22%3A1%7D%7D\
                &operationName=Q&variables=%7B%22a%22%3A%22%C3%A4%20%2F%3F%26%3D%2B~%22%2C%22b%22%3A1%7D
                """)
    }

    @Test("The order of the variables does not change the URL")
    func canonical() async throws {
        let variables: [JSONObject] = [
            ["b": 1, "a": ["y": [2.0, "x"], "x": nil]], ["a": ["x": nil, "y": [2, "x"]], "b": 1.0],
        ]
        var targets: Set<Substring?> = []
        for variables in variables {
            targets.insert(target(try await received(GraphQLRequest(document, variables: variables)).head))
        }
        #expect(targets.count == 1)
        let other = try await received(GraphQLRequest(document, variables: ["b": 1, "a": ["y": ["x", 2], "x": nil]]))
        #expect(!targets.contains(target(other.head)))
    }

    @Test("Query parameters of the endpoint's URL precede the parameters of the request. The URL fragment is not sent")
    func ownQuery() async throws {
        let head = try await received(GraphQLRequest(document), path: "/graphql?tenant=7#top").head
        #expect(target(head)?.hasPrefix("/graphql?tenant=7&extensions=%7B") == true)
        #expect(!head.contains("top"))
    }

    @Test("Without persisted queries, a GET request contains the GraphQL document in the parameter `query`")
    func documentByGET() async throws {
        let head = try await received(GraphQLRequest(document), PersistedQuerySettings(.off, queryMethod: .get)).head
        #expect(
            target(head)
                == "/graphql?operationName=Q&query=query%20Q%28%24b%3A%20Int%2C%20%24a%3A%20In%29%20%7B%20a%20%7D")
    }

    @Test("A request body contains the GraphQL document and only those optional members that have a value")
    func body() async throws {
        let (head, body) = try await received(
            GraphQLRequest(document, variables: ["b": 1], extensions: ["trace": true]), .off)
        #expect(target(head) == "/graphql")
        #expect(head.lowercased().contains("content-type: application/json\r\n"))
        #expect(
            body
                == #"{"extensions":{"trace":true},"operationName":"Q","query":"query Q($b: Int, $a: In) { a }","variables":{"b":1}}"#
        )
        let small = OperationDocument(text: "{ a }")
        #expect(try await received(GraphQLRequest(small), .off).body == #"{"query":"{ a }"}"#)
    }

    @Test("Header fields of a request override fields of the endpoint, which override the default fields")
    func headerFields() async throws {
        let request = GraphQLRequest(document, headerFields: [.authorization: "Bearer new"])
        let head = try await received(
            request, headerFields: [.authorization: "Bearer old", .acceptLanguage: "de"]
        ).head.lowercased()
        #expect(head.contains("\r\nauthorization: bearer new\r\n") && !head.contains("bearer old"))
        #expect(head.contains("\r\naccept-language: de\r\n"))
        #expect(head.contains("\r\naccept: application/graphql-response+json, application/json;q=0.9\r\n"))
        #expect(head.contains("\r\napollo-require-preflight: true\r\n"))
        let other = try await received(request, headerFields: [.accept: "application/json"]).head.lowercased()
        #expect(other.contains("\r\naccept: application/json\r\n"))
    }

    @Test("A request with a URL of the maximum length uses GET. A request with a longer URL uses POST")
    func length() async throws {
        let request = GraphQLRequest(document, variables: ["a": "b"])
        let path = try #require(target(try await received(request).head))
        // A port that the system selects has five digits.
        let length = "http://127.0.0.1:12345".utf8.count + path.utf8.count
        for (maximum, method) in [(length, "GET"), (length - 1, "POST")] {
            let head = try await received(request, PersistedQuerySettings(maximumAddressLength: maximum)).head
            #expect(head.hasPrefix("\(method) "))
        }
    }
}
