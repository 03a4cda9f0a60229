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

        /// Returns a copy of the file with the text that the closure returns for its text.
        package func replacingText(_ replaced: (String) -> String) -> Asset {
            Asset(mediaType: mediaType, body: ByteBuffer(string: replaced(String(buffer: body))))
        }

        /// Returns a JSON file.
        package static func json(_ body: ByteBuffer) -> Asset { Asset(mediaType: "application/json", body: body) }
    }

    /// The name of the folder with the page's files.
    package let folder: String
    /// The HTML of the page. It refers to the files of a folder by paths such as `{files}/explorer/main.js`. The server
    /// replaces `{files}` with the URL path of the folders, and `{writes}` with `on` if the API permits writes that
    /// follow from the description, otherwise with `off`.
    package let html: Asset
    /// The style sheets and modules, by their names in the folder.
    package let files: [String: Asset]

    init(folder: String, embedded page: CDuetPage) {
        self.folder = folder
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

extension WebPage {
    /// The page at `/`, which compares REST and GraphQL side by side with the same tasks. The page that lists the
    /// routes has the same address, so `routes.css`, the style sheet of that page, is one of the files. The page loads
    /// two more files, which the server creates: `/comparison/tasks.json` with the tasks, and `/comparison/keys.json`
    /// with the keys of the resources.
    package static let comparison = WebPage(folder: "comparison", embedded: CDuetComparisonPage())
}

extension WebPage {
    /// The page at `/graphql`, with an editor for GraphQL queries.
    package static let explorer = WebPage(folder: "explorer", embedded: CDuetExplorerPage())
}
