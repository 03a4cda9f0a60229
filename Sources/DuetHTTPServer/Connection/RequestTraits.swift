/// The properties of a request that the connection needs until the response has ended.
package struct RequestTraits: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The method is HEAD. The response has no body, regardless of its fields (RFC 9110 §9.3.2).
    package static let head = RequestTraits(rawValue: 1)
    /// The client uses HTTP/1.0. It receives no chunks and no informational responses, and the connection persists only
    /// with `Connection: keep-alive`.
    package static let http10 = RequestTraits(rawValue: 2)
    /// The connection ends after the response, because the client has requested the end of the connection, or because
    /// no further request can be read.
    package static let last = RequestTraits(rawValue: 4)
    /// The client waits for a 100 before it sends the body (RFC 9110 §10.1.1).
    package static let expectsContinue = RequestTraits(rawValue: 8)
    /// The body is chunked (RFC 9112 §7.1).
    package static let chunked = RequestTraits(rawValue: 16)
}
