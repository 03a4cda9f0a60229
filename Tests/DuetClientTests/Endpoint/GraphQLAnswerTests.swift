import DuetClient
import Foundation
import HTTPTypes
import Testing

@Suite("Responses to GraphQL requests")
struct GraphQLAnswerTests {
    /// Sends a query to a server that returns the given response to each request.
    private func send(
        _ status: String, _ mediaType: String?, _ body: String, length: Int? = nil, bodyLimit: Int = 1 << 20
    ) async throws -> GraphQLReply {
        try await ScriptedServer.with { connection in
            while try await connection.request() != nil {
                let type = mediaType.map { "Content-Type: \($0)\r\n" } ?? ""
                try await connection.send(
                    "HTTP/1.1 \(status)\r\n\(type)Content-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)")
                if length != nil { return }
            }
        } _: { server in
            let endpoint = try GraphQLEndpoint(server, bodyLimit: bodyLimit)
            return try await endpoint.send(GraphQLRequest(OperationDocument(text: "{ a }")))
        }
    }

    private static let page = "<!DOCTYPE html>\n<html>\n<title>Bad \u{1}Gateway</title></html>"

    @Test(
        "The error for a response that is not GraphQL contains the status and describes the problem",
        arguments: [
            (
                "502 Bad Gateway", "text/html", page,
                ["502", "text/html", "<title>Bad Gateway</title>", "Try again later"]
            ),
            ("200 OK", "text/html; charset=utf-8", page, ["200", "text/html", "Check that the address"]),
            ("200 OK", "text/plain", #"{"data":{}}"#, ["text/plain"]),
            ("401 Unauthorized", "text/plain", "Who are you?", ["401", "Who are you?", "Check the authorization"]),
            (
                "503 Service Unavailable", "application/problem+json",
                #"{"type":"about:blank","title":"Service Unavailable","detail":"The database is away."}"#,
                ["503", "Service Unavailable: The database is away."]
            ),
            (
                "500 Internal Server Error", "application/json", #"{"message":"oops"}"#,
                ["500", "neither data nor errors"]
            ),
            ("500 Internal Server Error", "application/json", #"{"message":}"#, ["500", "not JSON"]),
            ("200 OK", "application/json", "", ["is empty"]),
            ("204 No Content", "application/json", "", ["is empty"]),
            ("200 OK", "application/json", "[1]", ["not an object"]),
            ("200 OK", "application/json", "null", ["not an object"]),
            ("200 OK", "application/json", #"{"data":{"a":1}"# + ",", ["truncated"]),
            ("200 OK", "application/graphql-response+json", #"{"data":{"a":[1,"#, ["truncated"]),
            ("200 OK", "application/json", page, ["not an object"]),
        ] as [(String, String, String, [String])])
    func notGraphQL(status: String, mediaType: String, body: String, phrases: [String]) async throws {
        let error = try #require(
            await #expect(throws: GraphQLClientError.self) { try await send(status, mediaType, body) })
        #expect(error.code == .invalidResponse)
        #expect(error.status == Int(status.prefix(3)))
        for phrase in phrases { #expect(error.message.contains(phrase), "\(error.message)") }
    }

    @Test(
        "A GraphQL response is accepted with any status",
        arguments: [
            ("200 OK", "application/json; charset=utf-8", #"{"data":{"a":1}}"#),
            ("200 OK", nil, "\n {\"data\":{\"a\":1}} \n"),
            ("200 OK", "application/graphql-response+json", #"{"data":null,"errors":[{"message":"no"}]}"#),
            ("400 Bad Request", "application/graphql-response+json", #"{"errors":[{"message":"no"}]}"#),
            ("400 Bad Request", "application/json", #"{"errors":[{"message":"no"}]}"#),
            ("500 Internal Server Error", "application/json", #"{"errors":[{"message":"no"}],"data":null}"#),
        ] as [(String, String?, String)])
    func graphQL(status: String, mediaType: String?, body: String) async throws {
        let reply = try await send(status, mediaType, body)
        #expect(reply.text == body)
        #expect(reply.exchanges.count == 1)
        #expect(reply.exchanges.first?.receivedBytes == body.utf8.count)
    }

    @Test("A truncated body is a transport error")
    func brokenOff() async throws {
        let error = await #expect(throws: GraphQLClientError.self) {
            try await send("200 OK", "application/json", #"{"data":"#, length: 100)
        }
        #expect(error?.code == .transport && error?.transportError?.code == .connectionLost)
    }

    @Test("A body above the size limit is a transport error")
    func tooLarge() async throws {
        let body = #"{"data":{"a":""# + String(repeating: "x", count: 1000) + #""}}"#
        let error = await #expect(throws: GraphQLClientError.self) {
            try await send("200 OK", "application/json", body, bodyLimit: 1000)
        }
        #expect(error?.code == .transport && error?.transportError?.code == .tooLarge)
    }

    @Test("A request that receives no response within the timeout is a transport error")
    func hanging() async throws {
        try await ScriptedServer.with {
            try await $0.waitUntilClosed()
        } _: { server in
            let endpoint = try GraphQLEndpoint(server)
            let request = GraphQLRequest(OperationDocument(text: "{ a }"), timeout: .milliseconds(20))
            let error = await #expect(throws: GraphQLClientError.self) { try await endpoint.send(request) }
            #expect(error?.code == .transport && error?.transportError?.code == .timedOut)
        }
    }

    @Test("Canceling the task cancels the request and throws a cancellation error")
    func cancelled() async throws {
        let (received, closed) = (Signal(), Signal())
        try await ScriptedServer.with { connection in
            defer { closed.set() }
            _ = try await connection.request()
            received.set()
            try await connection.waitUntilClosed()
        } _: { server in
            let endpoint = try GraphQLEndpoint(server, transport: DefaultTransport.makeForWholeResponses())
            let task = Task { try await endpoint.send(GraphQLRequest(OperationDocument(text: "{ a }"))) }
            await received.wait()
            task.cancel()
            let error = await #expect(throws: GraphQLClientError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            await closed.wait()
        }
    }

    @Test(
        "A URL without the scheme http or https is an error",
        arguments: ["graphql", "mailto:nobody", "ftp://example.com/"])
    func address(address: String) async throws {
        let endpoint = GraphQLEndpoint(url: try #require(URL(string: address)))
        let error = await #expect(throws: GraphQLClientError.self) {
            try await endpoint.send(GraphQLRequest(OperationDocument(text: "{ a }")))
        }
        #expect(error?.transportError?.code == .invalidAddress)
    }
}
