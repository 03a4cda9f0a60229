import HTTPTypes

// Each name is a token, which the initializer cannot refuse.
// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
    /// `Link`, RFC 8288.
    static let link = HTTPField.Name("Link")!
    /// `Cache-Status`, RFC 9211.
    static let cacheStatus = HTTPField.Name("Cache-Status")!
}
