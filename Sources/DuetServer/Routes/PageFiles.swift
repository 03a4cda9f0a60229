import DuetHTTPServer
import DuetResourceService
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The style sheets and JavaScript modules of all pages. Their URL paths contain a version, which is a hash of all
/// files. The content of such a path never changes, so caches can store it without revalidation. All files have the
/// same version, because the modules of a page import each other, and modules of the explorer, by relative paths.
package struct PageFiles: Sendable {
    /// The files of the explorer and of the comparison.
    package static let all = PageFiles([.explorer, .comparison])

    /// The hash of all files.
    package let version: String
    /// The URL path of the folders.
    package var path: String { "/explorer/\(version)" }
    /// The style sheets and modules by folder and name.
    private let folders: [String: [String: WebPage.Asset]]

    private init(_ pages: [WebPage]) {
        folders = Dictionary(uniqueKeysWithValues: pages.map { ($0.folder, $0.files) })
        var content = ByteBuffer()
        for page in pages {
            for (name, file) in page.files.sorted(by: { $0.key < $1.key }) {
                // No file contains a NUL character, so different files have different contents.
                content.writeString("\(page.folder)/\(name)\0")
                content.writeImmutableBuffer(file.body)
                content.writeString("\0")
            }
        }
        version = String(BodyDigest(of: content).low, radix: 36)
    }

    /// The route of all files.
    static let route = Route(
        .get, "/explorer/{version}/{folder}/{name}", "A script or a style sheet of a page", .pageFile,
        RouteContract(
            "getPageFile", .service,
            description: """
                The content of a path never changes, so caches can store it. A server with another version of the \
                files responds with 404.
                """,
            .own(
                "PageFile", "A script or a style sheet.",
                [("text/javascript", .textSchema), ("text/css", .textSchema)]),
            problems: [.unknownPath]))

    /// Returns the response with a file.
    func file(_ routed: RoutedRequest, _ builder: ResponseBuilder) throws -> Response {
        try routed.requireNoQuery()
        guard routed.parameter("version") == version else {
            throw RequestProblem(.unknownPath, "this server has another version of the page's files; reload the page")
        }
        let (folder, name) = (routed.parameter("folder"), routed.parameter("name"))
        guard let file = folders[folder]?[name] else {
            throw RequestProblem(.unknownPath, "the pages have no file \(folder)/\(name)")
        }
        return try builder.whole(
            file.body, mediaType: file.mediaType, for: routed,
            cacheControl: "public, max-age=31536000, immutable",
            headers: [.contentSecurityPolicy: WebPageRoutes.contentSecurityPolicy])
    }
}
