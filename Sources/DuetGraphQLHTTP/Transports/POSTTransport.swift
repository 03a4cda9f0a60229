internal import DuetGraphQL
internal import HTTPTypes
internal import NIOCore

/// POST: the body contains a request, or a list of requests.
struct POSTTransport: Transport {
    func supports(_ method: HTTPRequest.Method, _ negotiation: GraphQLNegotiation) -> Bool { method == .post }

    func respond<Exchange: EndpointExchange>(
        to exchange: inout Exchange, as mediaType: GraphQLMediaType
    ) async throws -> Exchange.Response {
        switch try await Self.requests(of: &exchange) {
        case .single(let single):
            let request = try DecodedRequest(single, for: exchange.documents)
            let operation = try await exchange.operation(of: request)
            let response = try await exchange.execute(operation, request)
            return try exchange.respond(response, as: mediaType)
        case .batch(let requests): return try await Self.respond(to: requests, of: &exchange, as: mediaType)
        }
    }

    /// Reads the body.
    static func requests<Exchange: EndpointExchange>(
        of exchange: inout Exchange
    ) async throws -> GraphQLRequestBody {
        try GraphQLRequestBody.checkFields(exchange.headerFields)
        let body = try await exchange.body()
        return try GraphQLRequestBody(body.readableBytesView, maximumBatchSize: exchange.maximumBatchSize)
    }

    // MARK: Lists

    /// Executes the requests of a list sequentially. Creates one HTTP response with the list of their responses.
    static func respond<Exchange: EndpointExchange>(
        to requests: [GraphQLRequest], of exchange: inout Exchange, as mediaType: GraphQLMediaType
    ) async throws -> Exchange.Response {
        await exchange.beginLongWork()
        var list = ByteBuffer(string: "[")
        for (index, request) in requests.enumerated() {
            if index > 0 { list.writeStaticString(",") }
            let response = try await Self.response(to: request, of: &exchange)
            if !response.errors.isEmpty { exchange.reporter(response.errors) }
            list.writeImmutableBuffer(response.body)
        }
        list.writeStaticString("]")
        return try exchange.respond(CompleteResponse(list: list, as: mediaType))
    }

    private static func response<Exchange: EndpointExchange>(
        to request: GraphQLRequest, of exchange: inout Exchange
    ) async throws -> GraphQLResponse {
        do {
            let request = try DecodedRequest(request, for: exchange.documents)
            let operation = try await exchange.operation(of: request)
            return try await exchange.execute(operation, request).coded()
        } catch let error as GraphQLRequestError {
            return error.response
        } catch let errors as GraphQLErrors {
            return GraphQLResponse(requestErrors: errors)
        }
    }
}
