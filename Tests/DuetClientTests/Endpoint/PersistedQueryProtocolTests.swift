import DuetClient
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Tests the protocol with servers that respond differently from `duet serve`.
@Suite("Automatic persisted queries with other servers")
struct PersistedQueryProtocolTests {
    /// A response of a scripted server.
    struct Response: Sendable {
        var status = "200 OK"
        var mediaType = "application/json"
        var body: String

        static let done = Response(body: #"{"data":{"a":1}}"#)

        /// Returns an error of the protocol in the formats of different servers.
        static func refusal(_ message: String, _ code: String) -> [Response] {
            [
                Response(body: #"{"errors":[{"message":"\#(message)"}]}"#),
                Response(body: #"{"errors":[{"message":"\#(message)","extensions":{"code":"\#(code)"}}]}"#),
                Response(body: #"{"data":null,"errors":[{"message":"Sorry","extensions":{"code":"\#(code)"}}]}"#),
                Response(body: #" { "errors" : [ { "message" : "Sorry" }, { "message" : "\#(message)" } ] }"#),
                Response(status: "400 Bad Request", body: #"{"errors":[{"message":"\#(message)"}]}"#),
                Response(
                    status: "404 Not Found", mediaType: "application/graphql-response+json",
                    body: #"{"errors":[{"message":"\#(message)"}]}"#),
                Response(
                    status: "500 Internal Server Error", mediaType: "text/plain",
                    body: #"{"errors":[{"message":"Sorry","extensions":{"code":"\#(code)"}}]}"#),
                Response(
                    body: #"{"errors":[{"message":"\#(message)","extensions":{"stacktrace":""#
                        + String(repeating: "x", count: 20_000) + #""}}]}"#),
            ]
        }

        static let notFound = refusal("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")
        static let notSupported = refusal("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED")
    }

    /// Sends requests to a server that returns the responses in order and then repeats the last one.
    /// - Returns: The replies, and the requests that the server received.
    private func send(
        _ responses: [Response], _ settings: PersistedQuerySettings = PersistedQuerySettings(), count: Int = 1
    ) async throws -> (replies: [GraphQLReply], requests: [String]) {
        let requests = Mutex<[String]>([])
        let replies = try await ScriptedServer.with { connection in
            while let request = try await connection.request() {
                let index = requests.withLock { requests in
                    requests.append(request.head + "\r\n\r\n" + request.body)
                    return requests.count - 1
                }
                let response = responses[min(index, responses.count - 1)]
                try await connection.respond(
                    response.status, ["Content-Type": response.mediaType], body: response.body)
            }
        } _: { server in
            let endpoint = try GraphQLEndpoint(server, settings)
            var replies: [GraphQLReply] = []
            for _ in 0..<count {
                replies.append(
                    try await endpoint.send(GraphQLRequest(OperationDocument(text: "query Q { a }", name: "Q"))))
            }
            return replies
        }
        return (replies, requests.withLock { $0 })
    }

    @Test(
        "The client recognizes the error for an unknown hash by the message or the code, with any HTTP status",
        arguments: 0..<8
    )
    func notFound(index: Int) async throws {
        let (replies, requests) = try await send([Response.notFound[index], .done])
        #expect(replies[0].ways == [Way(.get, .hash), Way(.post, .hashAndDocument)])
        #expect(replies[0].text == Response.done.body)
        #expect(requests[0].hasPrefix("GET /graphql?extensions=%7B%22persistedQuery%22%3A%7B%22sha256Hash%22%3A%22"))
        #expect(requests[1].hasPrefix("POST /graphql HTTP/1.1") && requests[1].contains(#""query":"query Q { a }""#))
    }

    @Test(
        "After the server reports that it does not support persisted queries, the client sends only documents",
        arguments: 0..<8)
    func notSupported(index: Int) async throws {
        let (replies, requests) = try await send([Response.notSupported[index], .done], count: 2)
        #expect(replies[0].ways == [Way(.get, .hash), Way(.post, .document)])
        #expect(replies[1].ways == [Way(.post, .document)])
        #expect(requests.count == 3 && requests[1...].allSatisfy { !$0.contains("persistedQuery") })
    }

    @Test("If the server rejects a document with a hash, the client sends the document without the hash")
    func notSupportedLater() async throws {
        let (replies, _) = try await send([Response.notFound[0], Response.notSupported[0], .done])
        #expect(replies[0].ways == [Way(.get, .hash), Way(.post, .hashAndDocument), Way(.post, .document)])
    }

    @Test("If the server reports an unknown hash twice, the client sends no third request and returns the response")
    func neverFound() async throws {
        let (replies, requests) = try await send([Response.notFound[0]])
        #expect(requests.count == 2)
        #expect(replies[0].text == Response.notFound[0].body)
    }

    @Test(
        "A response that only resembles the error for an unknown hash does not cause a second request",
        arguments: [
            #"{"data":{"a":1},"errors":[{"message":"PersistedQueryNotFound"}]}"#,
            #"{"data":{"a":"PersistedQueryNotFound"}}"#,
            #"{"data":{"errors":[{"message":"PersistedQueryNotFound"}]}}"#,
            #"{"errors":[{"message":"There is no PersistedQueryNotFound here"}]}"#,
            #"{"errors":"PersistedQueryNotFound"}"#,
        ])
    func noRefusal(body: String) async throws {
        let (replies, _) = try await send([Response(body: body)])
        #expect(replies[0].ways == [Way(.get, .hash)])
        #expect(replies[0].text == body)
    }

    @Test("After a 405 response to GET, the client sends this request and all later requests by POST")
    func noGET() async throws {
        let refusal = Response(status: "405 Method Not Allowed", mediaType: "text/html", body: "<html></html>")
        let (replies, _) = try await send([refusal, Response.notFound[0], .done], count: 2)
        #expect(replies[0].ways == [Way(.get, .hash), Way(.post, .hash), Way(.post, .hashAndDocument)])
        #expect(replies[1].ways == [Way(.post, .hash)])
    }

    @Test("After a 414 response to GET, the client repeats the request by POST. The next request uses GET again")
    func addressTooLong() async throws {
        let refusal = Response(status: "414 URI Too Long", mediaType: "text/html", body: "<html></html>")
        let (replies, _) = try await send([refusal, .done], count: 2)
        #expect(replies[0].ways == [Way(.get, .hash), Way(.post, .hash)])
        #expect(replies[1].ways == [Way(.get, .hash)])
    }

    @Test(
        "With `listedOnly`, the client does not send the text of a document after the server rejects the hash"
    )
    func listedOnly() async throws {
        for refusal in [Response.notFound[0], Response.notSupported[0]] {
            let requests = Mutex<[String]>([])
            try await ScriptedServer.with { connection in
                while let request = try await connection.request() {
                    requests.withLock { $0.append(request.head + request.body) }
                    try await connection.respond(
                        refusal.status, ["Content-Type": refusal.mediaType], body: refusal.body)
                }
            } _: { server in
                let endpoint = try GraphQLEndpoint(server, PersistedQuerySettings(.listedOnly))
                let error = await #expect(throws: GraphQLClientError.self) {
                    try await endpoint.send(GraphQLRequest(OperationDocument(text: "query Q { a }")))
                }
                #expect(error?.code == .notListed)
            }
            let texts = requests.withLock { $0 }
            #expect(texts.count == 1 && texts.allSatisfy { !$0.contains("query") })
        }
    }
}
