import HTTPTypes

// Each name is a valid token, so the initializer does not fail.
// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
    /// `Link`, RFC 8288.
    static let link = HTTPField.Name("Link")!
    /// `Cache-Status`, RFC 9211.
    static let cacheStatus = HTTPField.Name("Cache-Status")!
}
