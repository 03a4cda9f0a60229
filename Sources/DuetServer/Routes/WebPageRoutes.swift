import DuetJSON
import DuetPages
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The routes of a browser page and of the data that it loads.
struct WebPageRoutes: Sendable {
    /// The content security policy of every page. Scripts, styles and requests are limited to this origin, and images
    /// to this origin and data URLs. Therefore a page can display any response, but never executes a script that the
    /// response contains. No page may be in a frame.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// A JSON file that the server creates.
    struct DataFile: Sendable {
        /// The name of the file.
        let name: String
        /// The identifier of the operation in the OpenAPI document.
        let operation: String
        let summary: String
        var problems: [ProblemType] = []
        let content: @Sendable () async throws -> ByteBuffer
    }

    /// The routes of the data.
    let routes: [Route]
    private let html: WebPage.Asset
    private let builder: ResponseBuilder

    init(page: WebPage, builder: ResponseBuilder, data: [DataFile] = []) {
        self.builder = builder
        html = page.html.replacingText { $0.replacing("{files}", with: PageFiles.all.path) }
        routes = data.map { file in
            Route(.get, "/\(page.folder)/\(file.name)", file.summary) { routed in
                try routed.requireNoQuery()
                return try Self.response(.json(try await file.content()), routed, builder)
            }.described(
                .own(
                    file.operation, .service,
                    .own(
                        "PageData", "Data of a page.",
                        [("application/json", ["type": "array", "items": ["type": "object"]])]),
                    problems: file.problems))
        }
    }

    /// Returns the HTML of the page. It refers to the version of the page's files, so caches must revalidate it.
    func page(_ routed: RoutedRequest) throws -> Response {
        try Self.response(html, routed, builder)
    }

    private static func response(
        _ asset: WebPage.Asset, _ routed: RoutedRequest, _ builder: ResponseBuilder
    ) throws -> Response {
        try builder.whole(
            asset.body, mediaType: asset.mediaType, for: routed.request, cacheControl: "no-cache",
            headers: [.contentSecurityPolicy: contentSecurityPolicy])
    }
}
