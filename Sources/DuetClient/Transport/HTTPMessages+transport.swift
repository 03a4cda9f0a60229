import HTTPTypes

extension HTTPRequest {
    /// The address as it is sent, without any change to its encoding.
    /// - Throws: ``TransportError`` if the request has none.
    func address() throws(TransportError) -> String {
        guard let scheme, let authority, let path else {
            throw TransportError(
                .invalidAddress,
                "The request has no address. Give it a scheme, a host and a path: https://example.com/path.")
        }
        return "\(scheme)://\(authority)\(path)"
    }
}

extension HTTPResponse {
    /// True if the body is encoded with one coding that HTTP libraries decode.
    var hasContentCoding: Bool {
        guard let coding = headerFields[.contentEncoding]?.lowercased() else { return false }
        return coding == "gzip" || coding == "deflate"
    }
}
