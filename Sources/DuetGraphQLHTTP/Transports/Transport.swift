package import HTTPTypes

/// A way to receive GraphQL requests over HTTP and to send their responses. A transport has no state.
///
/// A transport reads the requests of an exchange, passes them to the stages that all transports share
/// (`EndpointExchange+stages.swift`), and passes the results to the exchange, which creates the HTTP response.
///
/// A new transport is a file in this folder and an element of the list of an endpoint. ``GraphQLNegotiation`` reads the
/// header fields that select it: `Accept` for server-sent events, and `Upgrade` for WebSocket. If the transport sends
/// its responses in a new way, ``EndpointExchange`` needs a function for it.
package protocol Transport: Sendable {
    /// True if the transport sends responses with the media type `multipart/mixed`.
    var sendsParts: Bool { get }
    /// True if the transport sends responses with the media type `text/event-stream`.
    var sendsEvents: Bool { get }
    /// Returns true if the transport responds to a request.
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - negotiation: The preferences of the request.
    func supports(_ method: HTTPRequest.Method, _ negotiation: GraphQLNegotiation) -> Bool
    /// Responds to a request. The transport must support the request.
    /// - Parameter mediaType: The media type of a complete response.
    /// - Throws: `GraphQLErrors`, ``GraphQLRequestError`` and errors of the exchange. The endpoint converts them to a
    ///   response.
    func respond<Exchange: EndpointExchange>(
        to exchange: inout Exchange, as mediaType: GraphQLMediaType
    ) async throws -> Exchange.Response
}

extension Transport {
    package var sendsParts: Bool { false }
    package var sendsEvents: Bool { false }
}
