package import NIOCore

/// A page for browsers: its HTML, and the style sheets and JavaScript modules in its folder. The program embeds these
/// files as they are in the repository, without a bundler. The page loads files of this server only.
package struct WebPage: Sendable {
    /// A file of a page.
    package struct Asset: Sendable {
        /// The media type with its character set, in the form of `Content-Type`.
        package let mediaType: String
        /// The bytes of the file.
        package let body: ByteBuffer

        fileprivate init(_ mediaType: String, _ bytes: [UInt8]) {
            self.init(mediaType: mediaType, body: ByteBuffer(bytes: bytes))
        }

        private init(mediaType: String, body: ByteBuffer) {
            self.mediaType = mediaType
            self.body = body
        }

        /// Returns a JSON file.
        package static func json(_ body: ByteBuffer) -> Asset { Asset(mediaType: "application/json", body: body) }
    }

    /// The first segment of the URL paths of the page's files.
    package let folder: String
    /// The URL path of the page.
    package let address: String
    /// The HTML of the page.
    package let html: Asset
    /// The style sheets and modules, by their names in the folder.
    package let files: [String: Asset]

    init(
        folder: String, address: String, html: [UInt8], styles: [String: [UInt8]], modules: [String: [UInt8]]
    ) {
        self.folder = folder
        self.address = address
        self.html = Asset("text/html; charset=utf-8", html)
        files = modules.mapValues { Asset("text/javascript; charset=utf-8", $0) }
            .merging(styles.mapValues { Asset("text/css; charset=utf-8", $0) }) { $1 }
    }
}
