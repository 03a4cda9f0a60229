public import HTTPTypes

/// The response to one request: its head, and its body as it arrives.
public struct TransportResponse: Sendable {
    /// Status and header fields. A transport that has decoded the body removes `Content-Encoding` and `Content-Length`, which
    /// describe the encoded one.
    public var head: HTTPResponse
    /// The body, decoded. It can be read once.
    public var body: ResponseBody
    /// The length of the body in bytes as it was sent; `nil` if the response does not say it.
    public var encodedLength: Int?

    /// A response of these parts.
    public init(_ head: HTTPResponse, body: ResponseBody, encodedLength: Int? = nil) {
        self.head = head
        self.body = body
        self.encodedLength = encodedLength
    }
}

extension TransportResponse {
    /// A response as it arrived, before its body was decoded.
    /// - Parameter isDecoded: True if the body has no content coding any more.
    init(received head: HTTPResponse, isDecoded: Bool, body: ResponseBody) {
        self.init(head, body: body, encodedLength: head.headerFields[.contentLength].flatMap { Int($0) })
        guard isDecoded else { return }
        self.head.headerFields[.contentEncoding] = nil
        self.head.headerFields[.contentLength] = nil
    }
}
