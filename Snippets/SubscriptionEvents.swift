// Subscriptions over HTTP: the responses are sent as server-sent events.
import DuetGraphQL
import DuetGraphQLHTTP

var resolvers = SchemaResolvers()
resolvers.query { query in
    query["version"] = .sync { _, _ in "1" }
}
resolvers.subscription { subscription in
    subscription["countdown"] = .events { _, context in
        let from = try context.arguments.int("from")
        guard (1...100).contains(from) else { throw GraphQLError("The argument \"from\" must be from 1 to 100.") }
        return AsyncStream { continuation in
            for number in stride(from: from, to: 0, by: -1) { continuation.yield(number) }
            continuation.finish()
        }
    }
}

let sdl = "type Query { version: String! } type Subscription { countdown(from: Int! = 3): Int! }"
let schema = try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)

/// Responds to a POST request with server-sent events. The response has the media type `text/event-stream`.
/// - Parameters:
///   - body: The body of the request.
///   - send: A function that sends a part of the body of the response.
func sendEvents(_ body: [UInt8], _ send: (String) async throws -> Void) async throws {
    do {
        switch try await schema.subscribe(to: try GraphQLRequest(body: body)) {
        case .failed(let response): try await send("event: next\ndata: \(response.text)\n\n")
        case .responses(let responses):
            for try await response in responses { try await send("event: next\ndata: \(response.text)\n\n") }
        }
    } catch let error as GraphQLRequestError {
        try await send("event: next\ndata: \(error.response.text)\n\n")
    }
    try await send("event: complete\ndata:\n\n")
}

let body = #"{"query": "subscription($from: Int!) { countdown(from: $from) }", "variables": {"from": 2}}"#
try await sendEvents(Array(body.utf8)) { part in print(part, terminator: "") }
// Prints: event: next
// Prints: data: {"data":{"countdown":2}}
// Prints: event: next
// Prints: data: {"data":{"countdown":1}}
// Prints: event: complete
// Prints: data:
