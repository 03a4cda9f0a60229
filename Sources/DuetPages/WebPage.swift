import CDuetPages
package import NIOCore

/// A page for browsers: its HTML, and the style sheets and JavaScript modules in its folder. CDuetPages embeds these
/// files in the program as they are in the repository, without a bundler. The page loads files of this server only.
package struct WebPage: Sendable {
    /// A file of a page.
    package struct Asset: Sendable {
        /// The media type with its character set, in the form of `Content-Type`.
        package let mediaType: String
        /// The bytes of the file.
        package let body: ByteBuffer

        /// - Parameters:
        ///   - subtype: The subtype of the media type, such as `html`.
        ///   - text: The contents in UTF-8, with a NUL character at the end.
        fileprivate init(_ subtype: String, _ text: UnsafePointer<CChar>) {
            self.init(
                mediaType: "text/\(subtype); charset=utf-8", body: ByteBuffer(string: String(cString: text)))
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

    init(folder: String, address: String, embedded page: CDuetPage) {
        self.folder = folder
        self.address = address
        html = Asset("html", page.html)
        var files: [String: Asset] = [:]
        var next = page.files
        while let name = next.pointee.name, let text = next.pointee.text {
            let name = String(cString: name)
            files[name] = Asset(name.hasSuffix(".css") ? "css" : "javascript", text)
            next += 1
        }
        self.files = files
    }
}
