import DuetGraphQL
import DuetGraphQLHTTP
import DuetJSON
import HTTPTypes
import Testing

@Suite("HTTP responses of a schema")
struct RespondTests {
    private static func schema() throws -> ExecutableSchema<String> {
        var resolvers = SchemaResolvers(userContext: String.self)
        resolvers.query { query in
            query["greeting"] = .async { _, context in
                guard let name = try context.arguments.stringIfPresent("name") else { return context.userContext }
                if name.isEmpty { throw GraphQLError("The name is empty.") }
                return "\(context.userContext), \(name)"
            }
            query["must"] = .sync { _, _ -> String in throw GraphQLError("Never") }
        }
        resolvers.mutation { $0["greet"] = .sync { _, context in context.userContext } }
        resolvers.subscription { $0["greetings"] = .events { _, _ in AsyncStream<String> { nil } } }
        let sdl = """
            type Query { greeting(name: String): String @cacheControl(maxAge: 60) must: String! }
            type Mutation { greet: String }
            type Subscription { greetings: String }
            directive @cacheControl(maxAge: Int) on FIELD_DEFINITION
            """
        return try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)
    }

    private static func get(_ urlQuery: String?, accept: String? = nil) async throws -> GraphQLHTTPResponse {
        var fields = HTTPFields()
        fields[.accept] = accept
        return try await schema().respond(
            to: GraphQLHTTPRequest(method: .get, headerFields: fields, urlQuery: urlQuery), userContext: "Hello")
    }

    private static func post(
        _ body: String, contentType: String? = "application/json", accept: String? = nil,
        method: HTTPRequest.Method = .post
    ) async throws -> GraphQLHTTPResponse {
        var fields = HTTPFields()
        fields[.accept] = accept
        fields[.contentType] = contentType
        return try await schema().respond(
            to: GraphQLHTTPRequest(method: method, headerFields: fields, body: body.utf8), userContext: "Hello")
    }

    private static func text(_ response: GraphQLHTTPResponse) -> String {
        String(decoding: response.bytes, as: UTF8.self)
    }

    @Test("The query of a URL can begin with a question mark")
    func questionMark() async throws {
        let response = try await Self.get("?query=%7Bgreeting%7D")
        #expect(Self.text(response) == #"{"data":{"greeting":"Hello"}}"#)
    }

    @Test("A query is executed with POST and with GET, and only the response to GET can be cached")
    func answered() async throws {
        let body = #"{"query":"query($n: String) { greeting(name: $n) }","variables":{"n":"Ada"}}"#
        let posted = try await Self.post(body)
        #expect(Self.text(posted) == #"{"data":{"greeting":"Hello, Ada"}}"#)
        #expect(posted.status == .ok)
        #expect(posted.headerFields[.contentType] == "application/json; charset=utf-8")
        #expect(posted.headerFields[.cacheControl] == "no-store")
        #expect(posted.headerFields[.vary] == "Accept")
        let got = try await Self.get("query=%7Bgreeting%7D")
        #expect(Self.text(got) == #"{"data":{"greeting":"Hello"}}"#)
        #expect(got.headerFields[.cacheControl] == "max-age=60, public")
    }

    private static let graphQL = "application/graphql-response+json"

    /// The cases of `docs/graphql-http.md`: a body, the status with `application/graphql-response+json`, the status
    /// with `application/json`, and the error code.
    private static let cases: [(body: String, own: Int, json: Int, code: String?)] = [
        (#"{"query":"{ greeting }"}"#, 200, 200, nil),
        ("\u{FEFF}{\"query\":\"{ greeting }\"}", 200, 200, nil),
        (#"{"query":"mutation { greet }"}"#, 200, 200, nil),
        (#"{"query":"{ must }"}"#, 200, 200, nil),
        (#"{"query":"{ greeting(name: \"\") }"}"#, 200, 200, nil),
        (#"{"query":"{ unknown }"}"#, 400, 200, "GRAPHQL_VALIDATION_FAILED"),
        (#"{"query":"{"}"#, 400, 200, "GRAPHQL_PARSE_FAILED"),
        (#"{"query":"query A { greeting }","operationName":"B"}"#, 400, 200, "OPERATION_RESOLUTION_FAILURE"),
        (#"{"query":"query A { greeting } query B { greeting }"}"#, 400, 200, "OPERATION_RESOLUTION_FAILURE"),
        (#"{"query":"query($n: String!) { greeting(name: $n) }"}"#, 400, 200, "BAD_USER_INPUT"),
        (#"{"query":"subscription { greetings }"}"#, 400, 400, "BAD_REQUEST"),
        (#"{"variables":{}}"#, 400, 400, "BAD_REQUEST"),
        (#"{"query":1}"#, 400, 400, "BAD_REQUEST"),
        (#"{"query":"{ greeting }","variables":[]}"#, 400, 400, "BAD_REQUEST"),
        (#"{"query":"{ greeting }","query":"{ greeting }"}"#, 400, 400, "BAD_REQUEST"),
        (#"[{"query":"{ greeting }"}]"#, 400, 400, "BAD_REQUEST"),
        ("{", 400, 400, "BAD_REQUEST"),
        ("", 400, 400, "BAD_REQUEST"),
    ]

    @Test(
        "With application/graphql-response+json, the status reports whether the operation was executed",
        arguments: cases)
    func statuses(body: String, own: Int, json: Int, code: String?) async throws {
        for (accept, status) in [(Self.graphQL, own), ("application/json", json), (nil, json)] {
            let response = try await Self.post(body, accept: accept)
            #expect(response.status.code == status, "\(accept ?? "no Accept")")
            #expect(response.headerFields[.contentType]?.hasPrefix(accept ?? "application/json") == true)
            guard case .object(let members) = try JSONValue(parsing: response.bytes) else {
                Issue.record("The body is no object: \(Self.text(response))")
                return
            }
            var found: JSONValue?
            if case .array(let errors)? = members["errors"], case .object(let error)? = errors.first,
                case .object(let extensions)? = error["extensions"]
            {
                found = extensions["code"]
            }
            #expect(found == code.map(JSONValue.string))
        }
    }

    @Test(
        "A request with a content type other than JSON in UTF-8 is a 415",
        arguments: [
            (Optional("text/plain"), 415), (nil, 415), ("application/json; charset=latin1", 415),
            ("application/json; charset=utf-8", 200),
        ])
    func contentTypes(contentType: String?, status: Int) async throws {
        let response = try await Self.post(#"{"query":"{ greeting }"}"#, contentType: contentType)
        #expect(response.status.code == status)
        #expect((response.headerFields[.accept] == "application/json") == (status == 415))
    }

    @Test("The Accept field selects the media type. A request without an acceptable media type is a 406")
    func negotiated() async throws {
        let both = try await Self.get("query=%7Bgreeting%7D", accept: "\(Self.graphQL), application/json")
        #expect(both.headerFields[.contentType] == "\(Self.graphQL); charset=utf-8")
        for accept in ["text/html", "multipart/mixed", "text/csv"] {
            let response = try await Self.get("query=%7Bgreeting%7D", accept: accept)
            #expect(response.status == .notAcceptable)
        }
    }

    @Test("The error for a mutation with GET, or for an unsupported method, lists the permitted methods")
    func methods() async throws {
        let mutation = try await Self.get("query=mutation%7Bgreet%7D")
        #expect(mutation.status == .methodNotAllowed)
        #expect(mutation.headerFields[.allow] == "POST")
        let put = try await Self.post(#"{"query":"{ greeting }"}"#, method: .put)
        #expect(put.status == .methodNotAllowed)
        #expect(put.headerFields[.allow] == "GET, HEAD, POST")
    }

    @Test("A response to HEAD has the status of a response to GET, and no body")
    func head() async throws {
        for (query, status) in [("%7Bgreeting%7D", 200), ("mutation%7Bgreet%7D", 405)] {
            let response = try await Self.schema().respond(
                to: GraphQLHTTPRequest(method: .head, headerFields: [:], urlQuery: "query=\(query)"),
                userContext: "Hello")
            #expect(response.status.code == status)
            #expect(response.bytes.isEmpty)
        }
    }

    @Test("A custom source of persisted queries supplies the document of a request, or rejects the request")
    func persisted() async throws {
        let request = GraphQLHTTPRequest(method: .get, headerFields: [:], urlQuery: "documentId=greeting")
        let source = PersistedQuerySource.custom { $0.documentID == "greeting" ? "{ greeting }" : nil }
        let found = try await Self.schema().respond(to: request, userContext: "Hello", persistedQueries: source)
        #expect(Self.text(found) == #"{"data":{"greeting":"Hello"}}"#)
        let both = GraphQLHTTPRequest(
            method: .post, headerFields: [.contentType: "application/json"],
            body: #"{"query":"{ greeting }","extensions":{"persistedQuery":{"sha256Hash":"0"}}}"#.utf8)
        let refusing = PersistedQuerySource.custom { _ throws(GraphQLRequestError) in throw .persistedQueryMismatch }
        let mismatch = try await Self.schema().respond(to: both, userContext: "Hello", persistedQueries: refusing)
        #expect(mismatch.status == .badRequest)
    }

    @Test(
        "The errors for an unknown persisted query and for a server without persisted queries are different",
        arguments: [
            "documentId=a", "extensions=%7B%22persistedQuery%22:%7B%22version%22:1,%22sha256Hash%22:%22a%22%7D%7D",
        ])
    func unknownDocument(urlQuery: String) async throws {
        for (accept, isJSON) in [("application/json", true), (Self.graphQL, false)] {
            let request = GraphQLHTTPRequest(method: .get, headerFields: [.accept: accept], urlQuery: urlQuery)
            let unknown = try await Self.schema().respond(
                to: request, userContext: "Hello", persistedQueries: .custom { _ in nil })
            #expect(unknown.status == (isJSON ? .ok : .notFound))
            #expect(
                Self.text(unknown)
                    == #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#
            )
            #expect(unknown.headerFields[.cacheControl] == "private, no-cache, must-revalidate")
            let unsupported = try await Self.schema().respond(to: request, userContext: "Hello")
            #expect(unsupported.status == (isJSON ? .ok : .badRequest))
            #expect(
                Self.text(unsupported)
                    == #"{"errors":[{"message":"PersistedQueryNotSupported","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]}"#
            )
        }
    }

    @Test("A request without a document and without an identifier is rejected")
    func missingDocument() async throws {
        let request = GraphQLHTTPRequest(method: .get, headerFields: [:], urlQuery: "extensions=%7B%22a%22:1%7D")
        let missing = try await Self.schema().respond(
            to: request, userContext: "Hello", persistedQueries: .custom { _ in nil })
        #expect(missing.status == .badRequest)
        #expect(Self.text(missing).contains(#"The request has no \"query\"."#))
    }

    @Test("A document that contains only fragments is a validation error")
    func fragmentsOnly() async throws {
        let response = try await Self.post(#"{"query":"fragment F on Query { greeting }"}"#)
        #expect(response.errors.map(\.code) == ["GRAPHQL_VALIDATION_FAILED"])
    }

    @Test("A `GraphQLRequest` value is executed without HTTP")
    func value() async throws {
        let response = try await Self.schema().execute(
            GraphQLRequest(query: "query A { a: greeting } query B { b: greeting }", operationName: "B"),
            userContext: "Hello")
        #expect(response.text == #"{"data":{"b":"Hello"}}"#)
    }
}
