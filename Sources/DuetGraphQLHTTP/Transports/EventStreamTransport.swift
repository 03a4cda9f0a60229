internal import DuetGraphQL
internal import HTTPTypes

/// Server-sent events: a client that accepts `text/event-stream` receives the responses of a subscription as events. A
/// query or a mutation has one response. The request is that of ``GETTransport`` or ``POSTTransport``.
struct EventStreamTransport: Transport {
    var sendsEvents: Bool { true }

    func supports(_ method: HTTPRequest.Method, _ negotiation: GraphQLNegotiation) -> Bool {
        negotiation.mediaType == .eventStream && (method == .get || method == .post)
    }

    func respond<Exchange: EndpointExchange>(
        to exchange: inout Exchange, as mediaType: GraphQLMediaType
    ) async throws -> Exchange.Response {
        let request: DecodedRequest
        if exchange.method == .post {
            guard case .single(let single) = try await POSTTransport.requests(of: &exchange) else {
                throw GraphQLRequestError.malformed(
                    "A list of requests has no events. Send each request in a request of its own.")
            }
            request = try DecodedRequest(single, for: exchange.documents)
        } else {
            request = try exchange.requestInURL()
        }
        let operation = try await exchange.operation(of: request, sendsEvents: true)
        guard operation.definition.operation == .subscription else {
            return try exchange.respond(try await exchange.execute(operation, request), as: mediaType)
        }
        switch try await exchange.subscribe(operation, request) {
        case .failed(let response): return try exchange.respond(response, as: mediaType)
        case .responses(let responses):
            return try exchange.respond(GraphQLEvents(responses, report: exchange.reporter))
        }
    }
}
