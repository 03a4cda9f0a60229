public import HTTPTypes

/// The response to a request: its head, and a body whose parts are read as they arrive.
public struct TransportResponse: Sendable {
    /// The status and the header fields. If the transport has decoded the body, the header fields do not contain
    /// `Content-Encoding` and `Content-Length`, because these fields describe the encoded body.
    public var head: HTTPResponse
    /// The decoded body. It can be read once.
    public var body: ResponseBody
    /// The length of the encoded body in bytes; `nil` if the response does not specify the length.
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
