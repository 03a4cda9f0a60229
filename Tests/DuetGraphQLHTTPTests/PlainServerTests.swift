import DuetGraphQL
import DuetGraphQLHTTP
import Testing

// This file does not import HTTPTypes or NIOCore, because a server does not need these modules.
@Suite("A server without swift-http-types uses strings and bytes")
struct PlainServerTests {
    private struct Failure: Error {}

    private static func respond(to request: GraphQLHTTPRequest) async throws -> GraphQLHTTPResponse {
        var resolvers = SchemaResolvers()
        resolvers.query { query in
            query["greeting"] = .sync { _, _ in "Hello" }
            query["failing"] = .sync { _, _ -> String? in throw Failure() }
        }
        resolvers.mutation { $0["greet"] = .sync { _, _ in "Hello" } }
        let sdl = "type Query { greeting: String failing: String } type Mutation { greet: String }"
        return try await ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers).respond(to: request)
    }

    private static func text(_ response: GraphQLHTTPResponse) -> String {
        String(decoding: response.bytes, as: UTF8.self)
    }

    @Test("A request is created from strings. A response has a numeric status and pairs of header fields")
    func strings() async throws {
        let response = try await Self.respond(
            to: GraphQLHTTPRequest(
                method: "POST",
                headerFields: [("content-type", "application/json"), ("Accept", "application/graphql-response+json")],
                body: #"{"query":"{ greeting }"}"#.utf8))
        #expect(response.statusCode == 200)
        #expect(Self.text(response) == #"{"data":{"greeting":"Hello"}}"#)
        let fields = response.headerFieldPairs.sorted { $0.name < $1.name }
        #expect(fields.map(\.name) == ["Cache-Control", "Content-Type", "Vary"])
        #expect(fields.map(\.value) == ["no-store", "application/graphql-response+json; charset=utf-8", "Accept"])
    }

    @Test("A GET request without a body is executed")
    func get() async throws {
        let response = try await Self.respond(
            to: GraphQLHTTPRequest(method: "GET", headerFields: [], urlQuery: "query=%7Bgreeting%7D"))
        #expect(response.statusCode == 200)
        #expect(Self.text(response) == #"{"data":{"greeting":"Hello"}}"#)
    }

    @Test(
        "Methods are case-sensitive. A method other than GET, HEAD and POST is a 405",
        arguments: [
            ("HEAD", 200, ""), ("get", 405, "GET, HEAD, POST"), ("DELETE", 405, "GET, HEAD, POST"),
            ("", 405, "GET, HEAD, POST"), ("G T", 405, "GET, HEAD, POST"),
        ])
    func methods(method: String, status: Int, allow: String) async throws {
        let response = try await Self.respond(
            to: GraphQLHTTPRequest(method: method, headerFields: [], urlQuery: "query=%7Bgreeting%7D"))
        #expect(response.statusCode == status)
        #expect(response.headerFieldPairs.first { $0.name == "Allow" }?.value ?? "" == allow)
    }

    @Test("A mutation is executed only with POST", arguments: ["GET", "HEAD"])
    func safeMethods(method: String) async throws {
        let response = try await Self.respond(
            to: GraphQLHTTPRequest(method: method, headerFields: [], urlQuery: "query=mutation%7Bgreet%7D"))
        #expect(response.statusCode == 405)
        #expect(response.headerFieldPairs.contains { $0 == ("Allow", "POST") })
    }

    @Test("Header fields with the same name are combined. A field whose name is not a token is ignored")
    func repeatedFields() async throws {
        let response = try await Self.respond(
            to: GraphQLHTTPRequest(
                method: "GET",
                headerFields: [
                    ("Accept", "text/html"), ("not a token", "x"), ("accept", "application/graphql-response+json"),
                ], urlQuery: "query=%7Bgreeting%7D"))
        #expect(
            response.headerFieldPairs.contains {
                $0 == ("Content-Type", "application/graphql-response+json; charset=utf-8")
            })
    }

    @Test("A body with a content coding is rejected")
    func contentEncoding() async throws {
        let response = try await Self.respond(
            to: GraphQLHTTPRequest(
                method: "POST", headerFields: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")],
                body: [0x1F, 0x8B]))
        #expect(response.statusCode == 415)
        #expect(response.headerFieldPairs.contains { $0 == ("Accept-Encoding", "identity") })
    }

    @Test("A response contains the errors for a log, including the error that a resolver threw")
    func errors() async throws {
        let response = try await Self.respond(
            to: GraphQLHTTPRequest(method: "GET", headerFields: [], urlQuery: "query=%7Bfailing%7D"))
        #expect(response.statusCode == 200)
        #expect(!Self.text(response).contains("Failure"))
        #expect(response.errors.count == 1)
        #expect(response.errors.first?.underlyingError is Failure)
        let refused = try await Self.respond(
            to: GraphQLHTTPRequest(method: "GET", headerFields: [], urlQuery: "query=mutation%7Bgreet%7D"))
        #expect(refused.errors.map(\.code) == ["METHOD_NOT_ALLOWED"])
    }

    @Test(
        "A server can return its own error, with the accepted GraphQL media type or with application/json",
        arguments: ["application/json", "application/graphql-response+json", "text/html"])
    func ownError(accept: String) {
        let error = GraphQLRequestError(
            statusCode: 401, code: "UNAUTHENTICATED", message: "Send a token.",
            headerFields: [("WWW-Authenticate", "Bearer")])
        let response = GraphQLHTTPResponse(
            error, to: GraphQLHTTPRequest(method: "POST", headerFields: [("Accept", accept)]))
        #expect(response.statusCode == 401)
        let type = accept == "text/html" ? "application/json" : accept
        #expect(response.headerFieldPairs.contains { $0 == ("Content-Type", "\(type); charset=utf-8") })
        #expect(response.headerFieldPairs.contains { $0 == ("WWW-Authenticate", "Bearer") })
        #expect(response.headerFieldPairs.contains { $0 == ("Cache-Control", "no-store") })
        #expect(
            Self.text(response)
                == #"{"errors":[{"message":"Send a token.","extensions":{"code":"UNAUTHENTICATED"}}]}"#)
    }
}
