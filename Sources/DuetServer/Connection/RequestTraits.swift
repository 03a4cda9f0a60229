/// What has to be remembered of a request until its response has ended.
package struct RequestTraits: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The response has no body, whatever its head says (RFC 9110 §9.3.2).
    package static let head = RequestTraits(rawValue: 1)
    /// The client speaks HTTP/1.0: no chunks, no informational responses, and it wants to be told of keep-alive.
    package static let http10 = RequestTraits(rawValue: 2)
    /// The connection ends after the response: the client wants it so, or no further request could be read.
    package static let last = RequestTraits(rawValue: 4)
    /// The client waits to be told to send the body (RFC 9110 §10.1.1).
    package static let expectsContinue = RequestTraits(rawValue: 8)
    /// The body comes in chunks (RFC 9112 §7.1).
    package static let chunked = RequestTraits(rawValue: 16)
}
