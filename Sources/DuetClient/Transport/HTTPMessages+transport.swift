import HTTPTypes

extension HTTPRequest {
    /// Returns the address. The percent-encoding is not changed.
    /// - Throws: ``TransportError`` if the request has no scheme, no authority or no path.
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
    /// True if the body has one content coding, and HTTP libraries decode this coding.
    var hasContentCoding: Bool {
        guard let coding = headerFields[.contentEncoding]?.lowercased() else { return false }
        return coding == "gzip" || coding == "deflate"
    }
}
