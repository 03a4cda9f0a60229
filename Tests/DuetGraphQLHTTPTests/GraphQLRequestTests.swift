import DuetGraphQL
import DuetGraphQLHTTP
import DuetJSON
import HTTPTypes
import NIOCore
import Testing

@Suite("Parsing a GraphQL request from JSON or a URL")
struct GraphQLRequestTests {
    static func object(_ value: JSONValue) throws -> JSONObject {
        guard case .object(let object) = value else { throw Mismatch() }
        return object
    }

    struct Mismatch: Error {}

    static func body(_ text: String, maximumBatchSize: Int = 0) throws -> GraphQLRequest {
        guard case .single(let request) = try GraphQLRequestBody(text.utf8, maximumBatchSize: maximumBatchSize) else {
            throw Mismatch()
        }
        return request
    }

    static func message(_ text: String, maximumBatchSize: Int = 0) -> String? {
        do {
            _ = try GraphQLRequestBody(text.utf8, maximumBatchSize: maximumBatchSize)
            return nil
        } catch {
            #expect(error.status == .badRequest)
            #expect(error.code == "BAD_REQUEST")
            return error.message
        }
    }

    @Test("The members of a GraphQL request are read, and other members are ignored. Variables retain their order")
    func members() throws {
        let request = try Self.body(
            #"{"query":"{ a }","operationName":"O","variables":{"b":1,"a":[null]},"extensions":{"x":{}},"id":7}"#)
        let expected = try GraphQLRequest(
            query: "{ a }", operationName: "O", variables: Self.object(["b": 1, "a": [nil]]),
            extensions: Self.object(["x": [:]]))
        #expect(request == expected)
        #expect(request.variables.members.map(\.key) == ["b", "a"])
    }

    @Test("Null is equivalent to an absent member, and an empty operationName is equivalent to null")
    func null() throws {
        let plain = GraphQLRequest(query: "{ a }")
        #expect(try Self.body(#"{"query":"{ a }"}"#) == plain)
        #expect(
            try Self.body(#"{"query":"{ a }","operationName":null,"variables":null,"extensions":null}"#) == plain)
        #expect(try Self.body(#"{"query":"{ a }","operationName":""}"#) == plain)
    }

    @Test(
        "An invalid body is an error that describes the mistake",
        arguments: [
            (#"{"query":7}"#, #""query" must be a string, not a number."#),
            (#"{"query":{}}"#, #""query" must be a string, not an object."#),
            (#"{"query":"{a}","operationName":{}}"#, #""operationName" must be a string, not an object."#),
            (#"{"query":"{a}","operationName":false}"#, #""operationName" must be a string, not a boolean."#),
            (#"{"query":"{a}","variables":[7]}"#, #""variables" must be an object, not an array."#),
            (#"{"query":"{a}","variables":"{}"}"#, #""variables" must be an object, not a string."#),
            (#"{"query":"{a}","extensions":[]}"#, #""extensions" must be an object, not an array."#),
            (#""{a}""#, "The body must be a JSON object, not a string."),
            ("", #"The body is empty. Send JSON, as in {"query": "{ __typename }"}."#),
            (
                #"{"query":"{a}","query":"{b}"}"#,
                #"The body is not JSON: the name "query" occurs twice in an object at line 1, column 16."#
            ),
            ("{ \"not JSON", "The body is not JSON: the string is not terminated at line 1, column 3."),
        ])
    func wrong(body: String, message: String) {
        #expect(Self.message(body) == message)
    }

    @Test("A body without a query is parsed. The separate error for a missing query explains the mistake")
    func missingQuery() throws {
        let request = try Self.body(#"{"qeury":"{ a }","extensions":{"other":{"version":1}}}"#)
        #expect(request.query == nil)
        #expect(request.extensions.members.count == 1)
        let error = GraphQLRequestError.missingQuery
        #expect(error.status == .badRequest)
        #expect(
            error.response.text
                == #"{"errors":[{"message":"The request has no \"query\". Send a document, as in {\"query\": \"{ __typename }\"}, or ?query={__typename} in the URL.","extensions":{"code":"BAD_REQUEST"}}]}"#
        )
    }

    @Test("A body must be UTF-8. A byte order mark is ignored")
    func encoding() throws {
        let text = [UInt8](#"{"query":"{ ü }"}"#.utf8)
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + text
        #expect(try GraphQLRequestBody(marked) == .single(GraphQLRequest(query: "{ ü }")))
        let latin = text.filter { $0 != 0xC3 }
        #expect(throws: GraphQLRequestError.self) { try GraphQLRequestBody(latin) }
        let wide: [UInt8] = text.flatMap { [UInt8(0), $0] }
        #expect(throws: GraphQLRequestError.self) { try GraphQLRequestBody(wide) }
    }

    // MARK: - Batches

    @Test("A list of requests is rejected unless the server permits lists")
    func batch() throws {
        let body = #"[{"query":"{ a }"},{"query":"{ b }"}]"#
        #expect(
            Self.message(body)
                == "The body is a list of requests, which is not supported. Send each request separately.")
        #expect(
            try GraphQLRequestBody(body.utf8, maximumBatchSize: 2)
                == .batch([GraphQLRequest(query: "{ a }"), GraphQLRequest(query: "{ b }")]))
    }

    @Test(
        "A list of requests must have a permitted length and contain only valid requests",
        arguments: [
            ("[]", "The list of requests is empty."),
            (#"[{},{},{}]"#, "The body has 3 requests, but at most 2 are allowed. Send fewer requests at once."),
            (#"[{},"{a}"]"#, "Request 2 of the list must be an object, not a string."),
            (
                #"[{"query":[]}]"#,
                #"Request 1 of the list is invalid: "query" must be a string, not an array."#
            ),
        ])
    func batchErrors(body: String, message: String) {
        #expect(Self.message(body, maximumBatchSize: 2) == message)
    }

    // MARK: - GET

    @Test("The parameters of a URL are the members of a request, with variables and extensions as JSON")
    func address() throws {
        let request = try GraphQLRequest(
            urlQuery:
                "query=query+Q(%24id%3A%20ID!)%7Ba%7D&operationName=Q&variables=%7B%22id%22%3A%22QVBJ%22%7D&extensions={}&x=1"
        )
        let expected = try GraphQLRequest(
            query: "query Q($id: ID!){a}", operationName: "Q", variables: Self.object(["id": "QVBJ"]))
        #expect(request == expected)
    }

    @Test("An empty parameter of a URL is equivalent to an absent parameter")
    func emptyParameters() throws {
        #expect(
            try GraphQLRequest(urlQuery: "query={a}&operationName=&variables=&extensions=null")
                == GraphQLRequest(query: "{a}"))
        #expect(try GraphQLRequest(urlQuery: nil) == GraphQLRequest(query: nil))
        #expect(try GraphQLRequest(urlQuery: "query={a}&operationName=null").operationName == "null")
    }

    @Test(
        "An error names the invalid parameter of the URL",
        arguments: [
            ("query={a}&variables=[7]", #""variables" must be an object, not an array."#),
            ("query={a}&extensions=7", #""extensions" must be an object, not a number."#),
            (
                "query={a}&variables={a:1}",
                #"The parameter "variables" is not JSON: a name in quotes is expected at line 1, column 2."#
            ),
            ("query={a}&query={b}", #"The URL contains the parameter "query" 2 times. Send it once."#),
            (
                "query=%7", "The query parameter 'query' contains a percent sign without two hexadecimal digits."
            ),
            ("query=%FF", "The query parameter 'query' does not decode to UTF-8."),
        ])
    func wrongAddress(query: String, message: String) {
        let error = #expect(throws: GraphQLRequestError.self) { try GraphQLRequest(urlQuery: query) }
        #expect(error?.message == message)
        #expect(error?.status == .badRequest)
    }

    @Test("A request is read from the body of a POST, and an invalid body is rejected")
    func body() throws {
        let request = try GraphQLRequest(body: Array(#"{"query":"{ a }","variables":{"n":1}}"#.utf8))
        #expect(request == GraphQLRequest(query: "{ a }", variables: ["n": 1]))
        for body in ["", "{", "[]", #"[{"query":"{ a }"}]"#, #"{"query":1}"#] {
            let error = #expect(throws: GraphQLRequestError.self, "\(body)") {
                _ = try GraphQLRequest(body: Array(body.utf8))
            }
            #expect(error?.status == .badRequest, "\(body)")
        }
    }
}
