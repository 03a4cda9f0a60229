import DuetClient
import HTTPTypes
import Testing

@Suite("Responses that are not GraphQL or do not match the model")
struct BadResponseTests {
    private static func fetch(_ body: String) async throws(GraphQLClientError) -> GraphQLResult<EmployeeRowScreen> {
        try await GraphQLClient(transport: ConstantAnswer(body), store: GraphQLStore(policies: .employees))
            .fetch(EmployeeRowQuery(id: "1"))
    }

    @Test(
        "A body that is not a GraphQL response is an error with a message",
        arguments: [
            "", "<html>Sign in</html>", "null", "[]", "{}", #"{"status":"ok"}"#, #"{"data":[]}"#, #"{"data":3}"#,
            #"{"data":{"employee":{"id":"1","#, #"{"data":{}} {"#, "{\"data\":{\"a\":\"\u{1}\"}}",
            #"{"data":null}"#, String(repeating: "[", count: 100_000),
        ])
    func noResponse(body: String) async throws {
        let error = await #expect(throws: GraphQLClientError.self) { _ = try await Self.fetch(body) }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.isEmpty == false)
    }

    @Test("The error for the HTML error page of a proxy contains the HTTP status")
    func status() async throws {
        let client = GraphQLClient(transport: ConstantAnswer("<html>", status: .badGateway))
        let error = await #expect(throws: GraphQLClientError.self) {
            _ = try await client.fetch(EmployeeRowQuery(id: "1"))
        }
        #expect(error?.status == 502)
        #expect(error?.message.contains("502") == true)
    }

    @Test(
        "GraphQL errors of any shape are reported",
        arguments: [
            (#"{"errors":[{"message":"m","path":["a",0],"extensions":{"code":"C"}}]}"#, "a[0]: m"),
            (#"{"errors":["text"]}"#, "text"), (#"{"errors":[{}]}"#, "The service reports an error without a message."),
            (#"{"errors":{"message":"alone"}}"#, "alone"),
            (#"{"errors":[null],"data":null}"#, "The service reports an error without a message."),
            (#"{"errors":"down"}"#, "down"),
        ])
    func errorShapes(body: String, description: String) async throws {
        let result = try await Self.fetch(body)
        #expect(result.errors.map(\.description) == [description])
        #expect(result.data == nil)
    }

    @Test("A value of a wrong type is an error with the path of the value")
    func otherType() async throws {
        let error = await #expect(throws: GraphQLClientError.self) {
            _ = try await Self.fetch(#"{"data":{"employee":{"id":"1","firstName":{},"lastName":"A"}}}"#)
        }
        #expect(error?.modelError?.code == .typeMismatch)
        #expect(error?.modelError?.path.pathDescription == "employee.firstName")
    }

    @Test("The client returns partial data together with the errors. A null value with an error is not cached")
    func partialData() async throws {
        let client = GraphQLClient(
            transport: ConstantAnswer(
                #"{"data":{"employee":null},"errors":[{"message":"timeout","path":["employee","lastName"]}]}"#),
            store: GraphQLStore(policies: .employees))
        let result = try await client.fetch(EmployeeRowQuery(id: "1"))
        #expect(result.data != nil)
        #expect(result.data?.employee == nil)
        #expect(result.errors.map(\.message) == ["timeout"])
        let error = await #expect(throws: GraphQLClientError.self) {
            _ = try await client.fetch(EmployeeRowQuery(id: "1"), policy: .cacheDontFetch)
        }
        #expect(error?.code == .cacheMiss)
    }
}
