package import NIOCore

/// A page for browsers: its HTML and the files that it loads. The program contains the unmodified files. They are not
/// bundled, and the page loads no other files.
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

    /// The first path segment of the addresses of the page's files.
    package let folder: String
    /// The address of the page.
    package let address: String
    /// The HTML of the page.
    package let html: Asset
    /// The files that the page loads, by their names relative to the folder.
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
