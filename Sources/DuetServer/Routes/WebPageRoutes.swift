import DuetJSON
import DuetPages
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The routes of a browser page and of the files that it loads.
struct WebPageRoutes: Sendable {
    let page: WebPage
    let builder: ResponseBuilder
    /// The JSON data of this server that the page loads, by file name.
    var data: [String: @Sendable () async throws -> ByteBuffer] = [:]

    /// The content security policy of every page. Scripts, styles and requests are limited to this origin, and images
    /// to this origin and data URLs. Therefore a page can display any response, but never executes a script that the
    /// response contains. No page may be in a frame.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The routes of the files that the page loads.
    var routes: [Route] {
        [
            Route(.get, "/\(page.folder)/{name}", "A file of the page at \(page.address)") { routed in
                try routed.requireNoQuery()
                let name = routed.parameter("name")
                if let data = data[name] { return try response(.json(try await data()), routed) }
                guard let asset = page.files[name] else {
                    throw Problem(.unknownPath, "the page at \(page.address) has no file \(name)")
                }
                return try response(asset, routed)
            }.described(
                .own(
                    "get\(page.folder.prefix(1).uppercased())\(page.folder.dropFirst())File", .service,
                    .own(
                        "PageFile", "A script, a style sheet, or data of the page.",
                        [
                            ("text/javascript", .textSchema), ("text/css", .textSchema),
                            ("application/json", ["type": "array", "items": ["type": "object"]]),
                        ]), problems: [.unknownPath] + (data.isEmpty ? [] : Self.dataProblems)))
        ]
    }

    /// The problems of database reads for the data.
    private static let dataProblems: [ProblemType] = [
        .databaseUnavailable, .databaseIOError, .overloaded, .queryTimeout, .valueMismatch,
    ]

    /// Returns the HTML of the page.
    func page(_ routed: RoutedRequest) throws -> Response {
        try response(page.html, routed)
    }

    /// Returns a file of the page. The page and its modules must have the same version, so caches must revalidate them.
    private func response(_ asset: WebPage.Asset, _ routed: RoutedRequest) throws -> Response {
        try builder.whole(
            asset.body, mediaType: asset.mediaType, for: routed.request, cacheControl: "no-cache",
            headers: [.contentSecurityPolicy: Self.contentSecurityPolicy])
    }
}
