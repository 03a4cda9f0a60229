import DuetJSON
import DuetPages
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The routes of a page for browsers and of the files that it loads.
struct WebPageRoutes: Sendable {
    let page: WebPage
    let builder: ResponseBuilder
    /// Data of this server that the page loads, as JSON, by the names of the files.
    var data: [String: @Sendable () async throws -> ByteBuffer] = [:]

    /// The policy of every page: scripts and styles are files of this origin, requests and pictures are from it, and no page may
    /// be in a frame. So an answer of a server can be shown, but never runs.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// What the page loads.
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

    /// The problems of reading the database for the data.
    private static let dataProblems: [ProblemType] = [
        .databaseUnavailable, .databaseIOError, .overloaded, .queryTimeout, .valueMismatch,
    ]

    /// The page itself, for a browser that asks for its address.
    func page(_ routed: RoutedRequest) throws -> Response {
        try response(page.html, routed)
    }

    /// A page and its modules that are of one version belong together, so a cache asks whether what it has is still the same.
    private func response(_ asset: WebPage.Asset, _ routed: RoutedRequest) throws -> Response {
        try builder.whole(
            asset.body, mediaType: asset.mediaType, for: routed.request, cacheControl: "no-cache",
            headers: [.contentSecurityPolicy: Self.contentSecurityPolicy])
    }
}
