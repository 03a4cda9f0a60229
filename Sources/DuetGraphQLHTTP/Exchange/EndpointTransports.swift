internal import HTTPTypes

/// The transports of a GraphQL endpoint. The first transport that supports a request responds to it.
package struct EndpointTransports: Sendable {
    private let transports: [any Transport]
    private let offersParts: Bool
    private let offersEvents: Bool

    private init(_ transports: [any Transport]) {
        self.transports = transports
        offersParts = transports.contains { $0.sendsParts }
        offersEvents = transports.contains { $0.sendsEvents }
    }

    /// The endpoint that sends complete responses only.
    package static let complete = EndpointTransports([GETTransport(), POSTTransport()])
    /// The endpoint that also sends responses in parts.
    package static let incremental = EndpointTransports([MultipartTransport(), GETTransport(), POSTTransport()])
    /// The endpoint that also sends responses in parts, and the responses of subscriptions as events.
    package static let live = EndpointTransports([
        EventStreamTransport(), MultipartTransport(), GETTransport(), POSTTransport(),
    ])

    /// Responds to a request.
    /// - Throws: An error of the exchange that is not an error of the request, such as `CancellationError`.
    package func respond<Exchange: EndpointExchange>(to exchange: inout Exchange) async throws -> Exchange.Response {
        var mediaType = GraphQLMediaType.json
        do {
            let negotiation = try GraphQLNegotiation(
                exchange.headerFields, offersPage: false, offersParts: offersParts, offersEvents: offersEvents)
            mediaType = negotiation.mediaType
            let method = exchange.method
            guard let transport = transports.first(where: { $0.supports(method, negotiation) }) else {
                throw GraphQLRequestError.methodNotAllowed(method)
            }
            return try await transport.respond(to: &exchange, as: mediaType)
        } catch {
            return try exchange.refuse(error, as: mediaType)
        }
    }
}
