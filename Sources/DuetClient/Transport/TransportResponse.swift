public import HTTPTypes

/// The response to a request: its head, and its body as it arrives.
public struct TransportResponse: Sendable {
    /// The status and the header fields. A transport that has decoded the body removes `Content-Encoding` and
    /// `Content-Length`, because they describe the encoded body.
    public var head: HTTPResponse
    /// The decoded body. It can be read once.
    public var body: ResponseBody
    /// The length of the encoded body in bytes; `nil` if the response does not specify it.
    public var encodedLength: Int?

    /// Creates a response.
    public init(_ head: HTTPResponse, body: ResponseBody, encodedLength: Int? = nil) {
        self.head = head
        self.body = body
        self.encodedLength = encodedLength
    }
}

extension TransportResponse {
    /// Creates a response from the received head, which describes the encoded body.
    /// - Parameter isDecoded: True if the body was decoded.
    init(received head: HTTPResponse, isDecoded: Bool, body: ResponseBody) {
        self.init(head, body: body, encodedLength: head.headerFields[.contentLength].flatMap { Int($0) })
        guard isDecoded else { return }
        self.head.headerFields[.contentEncoding] = nil
        self.head.headerFields[.contentLength] = nil
    }
}
