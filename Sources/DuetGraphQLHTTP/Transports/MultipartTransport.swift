internal import DuetGraphQL
internal import HTTPTypes

/// Incremental delivery: a client that accepts `multipart/mixed` receives the fragments with `@defer` and the items
/// with `@stream` in later parts of the response. The request is that of ``GETTransport`` or ``POSTTransport``.
struct MultipartTransport: Transport {
    var sendsParts: Bool { true }

    func supports(_ method: HTTPRequest.Method, _ negotiation: GraphQLNegotiation) -> Bool {
        negotiation.acceptsParts
            && (GETTransport().supports(method, negotiation) || POSTTransport().supports(method, negotiation))
    }

    func respond<Exchange: EndpointExchange>(
        to exchange: inout Exchange, as mediaType: GraphQLMediaType
    ) async throws -> Exchange.Response {
        let request: DecodedRequest
        if exchange.method == .post {
            switch try await POSTTransport.requests(of: &exchange) {
            case .single(let single): request = try DecodedRequest(single, for: exchange.documents)
            // A list has a complete response.
            case .batch(let requests):
                return try await POSTTransport.respond(to: requests, of: &exchange, as: mediaType)
            }
        } else {
            request = try exchange.requestInURL()
        }
        let operation = try await exchange.operation(of: request)
        switch try await exchange.executeIncrementally(operation, request) {
        case .single(let response): return try exchange.respond(response, as: mediaType)
        case .incremental(let initial, let subsequent):
            let parts = MultipartMixedParts(
                initial: initial.body, subsequent: subsequent, report: exchange.reporter)
            return try exchange.respond(parts, errors: initial.errors)
        }
    }
}
