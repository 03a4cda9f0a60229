import DuetGraphQL
import DuetGraphQLHTTP
import HTTPTypes
import Testing

@Suite("Incremental HTTP responses of a schema")
struct IncrementalRespondTests {
    private static func schema() throws -> ExecutableSchema<Void> {
        var resolvers = SchemaResolvers()
        resolvers.query { query in
            query["fast"] = .sync { _, _ in "now" }
            query["slow"] = .async { _, _ in "later" }
        }
        let sdl = """
            type Query { fast: String slow: String }
            directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
            """
        return try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)
    }

    private static let deferred = "query=%7Bfast%20...%20%40defer%20%7Bslow%7D%7D"

    private static func request(
        _ urlQuery: String, accept: String?, method: HTTPRequest.Method = .get
    ) -> GraphQLHTTPRequest {
        var fields = HTTPFields()
        fields[.accept] = accept
        return GraphQLHTTPRequest(method: method, headerFields: fields, urlQuery: urlQuery)
    }

    private static func text(_ response: GraphQLHTTPResponse) -> String {
        String(decoding: response.bytes, as: UTF8.self)
    }

    @Test("A client that accepts incremental delivery receives a deferred field in a later part")
    func parts() async throws {
        let request = Self.request(
            Self.deferred, accept: "multipart/mixed;incrementalSpec=v0.2, application/json;q=0.9")
        guard case .incremental(let response) = try await Self.schema().respondIncrementally(to: request) else {
            Issue.record("The response is whole.")
            return
        }
        #expect(response.statusCode == 200)
        #expect(response.headerFields[.contentType] == "multipart/mixed; boundary=\"-\"; incrementalSpec=v0.2")
        #expect(response.headerFieldPairs.contains { $0 == ("Cache-Control", "no-store") })
        #expect(response.headerFields[.vary] == "Accept")
        var pieces: [String] = []
        for try await bytes in response.parts.bytes { pieces.append(String(decoding: bytes, as: UTF8.self)) }
        #expect(pieces.count == 2)
        #expect(pieces.first?.contains(#"{"data":{"fast":"now"},"pending":"#) == true)
        #expect(pieces.first?.contains("later") == false)
        #expect(pieces.last?.contains(#""slow":"later""#) == true)
        #expect(pieces.last?.hasSuffix("\"hasNext\":false}\r\n-----\r\n") == true)
    }

    @Test("A request by POST receives parts, too. A list of requests and another method are rejected")
    func posted() async throws {
        func answer(_ body: String, method: HTTPRequest.Method = .post) async throws -> GraphQLHTTPIncrementalResponse {
            let fields: HTTPFields = [.accept: "multipart/mixed", .contentType: "application/json"]
            return try await Self.schema().respondIncrementally(
                to: GraphQLHTTPRequest(method: method, headerFields: fields, body: body.utf8))
        }
        let request = #"{"query":"{ fast ... @defer { slow } }"}"#
        guard case .incremental(let response) = try await answer(request) else {
            Issue.record("The response is whole.")
            return
        }
        var count = 0
        for try await _ in response.parts { count += 1 }
        #expect(count == 2)
        for (body, method, status) in [("[\(request)]", HTTPRequest.Method.post, 400), (request, .put, 405)] {
            guard case .single(let refused) = try await answer(body, method: method) else {
                Issue.record("The response is in parts.")
                return
            }
            #expect(refused.statusCode == status)
            #expect(refused.headerFields[.contentType]?.hasPrefix("multipart/mixed") == true)
        }
    }

    @Test("The error closure receives the errors of later parts, including the error that a resolver threw")
    func reported() async throws {
        struct Lost: Error {}
        var resolvers = SchemaResolvers()
        resolvers.query { query in
            query["fast"] = .sync { _, _ in "now" }
            query["slow"] = .async { _, _ -> String in throw Lost() }
        }
        let schema = try ExecutableSchema(
            Schema(sdl: "type Query { fast: String slow: String }", directives: SchemaDirective.incrementalDelivery),
            resolvers: resolvers)
        let (errors, continuation) = AsyncStream<[GraphQLError]>.makeStream()
        let request = Self.request(Self.deferred, accept: "multipart/mixed")
        let answer = try await schema.respondIncrementally(to: request) { continuation.yield($0) }
        guard case .incremental(let response) = answer else {
            Issue.record("The response is whole.")
            return
        }
        for try await _ in response.parts {}
        continuation.finish()
        var reported: [GraphQLError] = []
        for await errors in errors { reported += errors }
        #expect(reported.map(\.message) == ["Internal error"])
        #expect(reported.first?.underlyingError is Lost)
        #expect(reported.first?.path == [.key("slow")])
    }

    @Test(
        "A client that does not accept incremental delivery receives deferred fields in a single response",
        arguments: [nil, "application/json", "multipart/mixed;deferSpec=20220824, application/json"])
    func whole(accept: String?) async throws {
        let request = Self.request(Self.deferred, accept: accept)
        guard case .single(let response) = try await Self.schema().respondIncrementally(to: request) else {
            Issue.record("The response is in parts.")
            return
        }
        #expect(Self.text(response) == #"{"data":{"fast":"now","slow":"later"}}"#)
        #expect(response.headerFields[.contentType] == "application/json; charset=utf-8")
    }

    @Test("Without deferred fields, a client that accepts only multipart/mixed receives one part, even for an error")
    func onePart() async throws {
        for (urlQuery, json) in [("query=%7Bfast%7D", #"{"data":{"fast":"now"}}"#), ("", #"{"errors":["#)] {
            let request = Self.request(urlQuery, accept: "multipart/mixed")
            guard case .single(let response) = try await Self.schema().respondIncrementally(to: request) else {
                Issue.record("The response is in parts.")
                return
            }
            #expect(response.headerFields[.contentType]?.hasPrefix("multipart/mixed") == true)
            #expect(
                Self.text(response).hasPrefix("\r\n---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\(json)")
            )
            #expect(Self.text(response).hasSuffix("\r\n-----\r\n"))
        }
    }

    @Test("A response to HEAD has the header fields of a multipart response and no body")
    func head() async throws {
        let request = Self.request(Self.deferred, accept: "multipart/mixed, application/json", method: .head)
        guard case .single(let response) = try await Self.schema().respondIncrementally(to: request) else {
            Issue.record("The response is in parts.")
            return
        }
        #expect(response.headerFields[.contentType]?.hasPrefix("multipart/mixed") == true)
        #expect(response.bytes.isEmpty)
    }

    @Test(
        "`respond(to:)` returns deferred fields in a single response, and rejects clients that accept only multipart")
    func respond() async throws {
        let both = try await Self.schema().respond(
            to: Self.request(Self.deferred, accept: "multipart/mixed, application/json"))
        #expect(Self.text(both) == #"{"data":{"fast":"now","slow":"later"}}"#)
        let only = try await Self.schema().respond(to: Self.request(Self.deferred, accept: "multipart/mixed"))
        #expect(only.status == .notAcceptable)
    }
}
