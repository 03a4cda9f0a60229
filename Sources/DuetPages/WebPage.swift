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

        fileprivate init(mediaType: String, body: ByteBuffer) {
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

    /// - Parameters:
    ///   - html: The name of the HTML file, which is served at `address` instead of in the folder.
    ///   - embedded: All files of the folder, up to a file without a name.
    init(folder: String, address: String, html: String, embedded: UnsafePointer<CDuetPageFile>) {
        self.folder = folder
        self.address = address
        var files: [String: Asset] = [:]
        var next = embedded
        while let name = next.pointee.name, let text = next.pointee.text {
            let name = String(cString: name)
            let type = name.hasSuffix(".html") ? "html" : name.hasSuffix(".css") ? "css" : "javascript"
            files[name] = Asset(
                mediaType: "text/\(type); charset=utf-8", body: ByteBuffer(string: String(cString: text)))
            next += 1
        }
        self.html = files.removeValue(forKey: html) ?? Asset(mediaType: "text/html; charset=utf-8", body: ByteBuffer())
        self.files = files
    }
}
