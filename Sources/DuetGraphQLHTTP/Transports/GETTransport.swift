internal import HTTPTypes

/// GET and HEAD: the URL contains the request, which must be a query. Caches can store the response.
struct GETTransport: Transport {
    func supports(_ method: HTTPRequest.Method, _ negotiation: GraphQLNegotiation) -> Bool {
        method == .get || method == .head
    }

    func respond<Exchange: EndpointExchange>(
        to exchange: inout Exchange, as mediaType: GraphQLMediaType
    ) async throws -> Exchange.Response {
        let request = try exchange.requestInURL()
        // Even a 304 requires the document, because the document may have been removed. In addition, the lookup records
        // the use of the document.
        let document = try await exchange.documents.find(request)
        if document.register == nil, let response = exchange.notModified(as: mediaType) { return response }
        let operation = try await exchange.operation(of: request, in: document)
        let response = try await exchange.execute(operation, request)
        return try exchange.respond(response, as: mediaType)
    }
}
