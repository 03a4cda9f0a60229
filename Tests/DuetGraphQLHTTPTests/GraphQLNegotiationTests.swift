import DuetGraphQL
import DuetGraphQLHTTP
import HTTPTypes
import NIOCore
import Testing

@Suite("Header fields in GraphQL over HTTP")
struct GraphQLNegotiationTests {
    static func negotiation(_ accept: String?, offersPage: Bool = true) throws -> GraphQLNegotiation {
        var fields: HTTPFields = [:]
        fields[.accept] = accept
        return try GraphQLNegotiation(fields, offersPage: offersPage)
    }

    @Test(
        "The response has the acceptable media type with the highest quality",
        arguments: [
            (nil, .json), ("*/*", .json), ("application/*", .json), ("application/json", .json),
            ("application/json; charset=utf-8", .json),
            ("application/graphql-response+json", .graphQLResponse),
            ("application/graphql-response+json; charset=utf-8", .graphQLResponse),
            ("application/graphql-response+json, application/json;q=0.9", .graphQLResponse),
            ("application/json, application/graphql-response+json", .graphQLResponse),
            ("application/json, application/graphql-response+json;q=0.5", .json),
            ("application/graphql-response+json;q=0, */*", .json),
            (
                "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed",
                .graphQLResponse
            ),
            ("application/graphql+json, application/json", .graphQL),
            ("multipart/mixed;deferSpec=20220824, application/json", .json),
            ("multipart/mixed;incrementalSpec=v0.2", .multipartMixed),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", .html),
            ("text/html;q=0.5, application/json", .json), ("image/png, */*;q=0.1", .json),
        ] as [(String?, GraphQLMediaType)])
    func mediaType(accept: String?, mediaType: GraphQLMediaType) throws {
        #expect(try Self.negotiation(accept).mediaType == mediaType)
    }

    @Test("If the server has no HTML page, a client that prefers HTML receives the next acceptable media type")
    func page() throws {
        let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        #expect(try Self.negotiation(accept, offersPage: false).mediaType == .json)
    }

    @Test(
        "A request without an acceptable media type is an error",
        arguments: ["text/html", "text/event-stream", "application/xml, */*;q=0", "application/json;q=0"])
    func notAcceptable(accept: String) {
        let error = #expect(throws: GraphQLRequestError.self) {
            try Self.negotiation(accept, offersPage: false)
        }
        #expect(error?.status == .notAcceptable)
    }

    @Test(
        "Incremental delivery requires that the client accepts multipart/mixed in a supported version",
        arguments: [
            ("multipart/mixed, application/json", true),
            ("application/json, Multipart/Mixed; incrementalSpec=\"v0.2\";q=0.5", true),
            (
                "multipart/mixed;deferSpec=20220824, multipart/mixed;incrementalSpec=v0.2, application/json", true
            ),
            ("multipart/mixed;deferSpec=20220824, application/json", false),
            ("multipart/mixed;boundary=graphql;subscriptionSpec=1.0, application/json", false),
            ("multipart/mixed;incrementalSpec=v0.1, application/json", false),
            ("multipart/mixed;q=0, application/json", false), ("*/*", false), ("multipart/*, application/json", false),
        ])
    func parts(accept: String, acceptsParts: Bool) throws {
        #expect(try Self.negotiation(accept).acceptsParts == acceptsParts)
    }

    // MARK: - Content-Type

    @Test(
        "A body with the media type JSON and the charset UTF-8 is accepted",
        arguments: [
            "application/json", "application/json; charset=utf-8", "Application/JSON;Charset=\"UTF-8\"",
            "application/json;", "application/json ; profile=\"a;charset=latin1\" ; charset=utf8",
        ])
    func contentType(contentType: String) {
        #expect(throws: Never.self) { try GraphQLRequestBody.checkFields([.contentType: contentType]) }
    }

    @Test(
        "Content types other than JSON in UTF-8 are rejected, including those that a cross-site form can send",
        arguments: [
            nil, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
            "application/graphql", "application/graphql-response+json", "application/json; charset=utf-16",
            "application/json, text/plain", "application/jsonp", "application/json; charset", "application",
        ])
    func otherContentType(contentType: String?) throws {
        var fields: HTTPFields = [:]
        fields[.contentType] = contentType
        let error = try #require(throws: GraphQLRequestError.self) { try GraphQLRequestBody.checkFields(fields) }
        #expect(error.status == .unsupportedMediaType)
        #expect(error.fields[.accept] == "application/json")
        #expect(error.fields[try #require(HTTPField.Name("Accept-Post"))] == "application/json")
        #expect(error.message.contains("application/json") || error.message.contains("UTF-8"))
    }

    @Test("A body with a content coding is rejected")
    func contentEncoding() {
        let error = #expect(throws: GraphQLRequestError.self) {
            try GraphQLRequestBody.checkFields([.contentType: "application/json", .contentEncoding: "gzip"])
        }
        #expect(error?.fields[.acceptEncoding] == "identity")
    }

    // MARK: - Methods

    @Test("A mutation requires POST, and a subscription is not supported")
    func methods() {
        #expect(throws: Never.self) {
            try GraphQLRequestError.check(.query, method: .get)
            try GraphQLRequestError.check(.query, method: .post)
            try GraphQLRequestError.check(.mutation, method: .post)
        }
        let mutation = #expect(throws: GraphQLRequestError.self) {
            try GraphQLRequestError.check(.mutation, method: .get)
        }
        #expect(mutation?.status == .methodNotAllowed)
        #expect(mutation?.fields[.allow] == "POST")
        let subscription = #expect(throws: GraphQLRequestError.self) {
            try GraphQLRequestError.check(.subscription, method: .post)
        }
        #expect(subscription?.status == .badRequest)
        #expect(subscription?.message.hasPrefix("Subscriptions have more than one response.") == true)
    }

    // MARK: - Status

    @Test("A request error has the status 400 with a GraphQL media type, and 200 with other media types")
    func status() {
        let refused = GraphQLResponse(requestErrors: [GraphQLError("no")])
        var null = refused
        null.kind = .execution
        var partial = null
        partial.hasData = true
        for type in GraphQLMediaType.allCases {
            let isOwn = type == .graphQLResponse || type == .graphQL
            #expect(type.status(for: refused) == (isOwn ? .badRequest : .ok))
            #expect(type.status(for: null) == .ok)
            #expect(type.status(for: partial) == .ok)
        }
    }

    @Test("The Content-Type of a response contains the media type and its parameters")
    func contentTypes() {
        #expect(
            GraphQLMediaType.allCases.map(\.contentType) == [
                "application/json; charset=utf-8", "application/graphql-response+json; charset=utf-8",
                "application/graphql+json; charset=utf-8", "multipart/mixed; boundary=\"-\"; incrementalSpec=v0.2",
                "text/event-stream", "text/html; charset=utf-8",
            ])
    }
}
