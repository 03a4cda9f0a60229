import HTTPTypes

extension HTTPRequest {
    /// Returns the address without any change to its encoding.
    /// - Throws: ``TransportError`` if the request has no address.
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
    /// True if the body has a single content coding that HTTP libraries decode.
    var hasContentCoding: Bool {
        guard let coding = headerFields[.contentEncoding]?.lowercased() else { return false }
        return coding == "gzip" || coding == "deflate"
    }
}
