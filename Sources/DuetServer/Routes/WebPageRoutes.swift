import DuetJSON
import DuetResourceService
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The handlers for a browser page and for the data that it loads.
struct WebPageRoutes: Sendable {
    /// The content security policy of every page. Scripts, styles and requests are limited to this origin, and images
    /// to this origin and data URLs. Therefore a page can display any response, but never executes a script that the
    /// response contains. No page may be in a frame.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The routes of the data that the page at `/` loads.
    static let dataRoutes = [
        Route(
            .get, "/comparison/tasks.json", "The tasks of the page at /", .pageTasks,
            RouteContract(
                "getComparisonTasks", .service, pageData,
                problems: [.databaseUnavailable, .databaseIOError, .overloaded, .queryTimeout, .valueMismatch])),
        Route(
            .get, "/comparison/keys.json", "The key fields of each resource", .pageKeys,
            RouteContract("getComparisonKeys", .service, pageData)),
    ]

    private static let pageData = OpenAPIOperation.Response.own(
        "PageData", "Data of a page.", [("application/json", ["type": "array", "items": ["type": "object"]])])

    private let html: WebPage.Asset
    private let builder: ResponseBuilder

    /// - Parameter permitsWrites: True if the API permits writes that follow from the description. The page at `/` then
    ///   asks the server to undo them.
    init(page: WebPage, builder: ResponseBuilder, permitsWrites: Bool = false) {
        self.builder = builder
        html = page.html.replacingText {
            $0.replacing("{files}", with: PageFiles.all.path)
                .replacing("{writes}", with: permitsWrites ? "on" : "off")
        }
    }

    /// Returns the HTML of the page. It refers to the version of the page's files, so caches must revalidate it.
    func page(_ routed: RoutedRequest) throws -> Response {
        try response(html, routed)
    }

    /// Returns data that the page loads.
    /// - Parameter json: The data as JSON.
    func data(_ json: ByteBuffer, _ routed: RoutedRequest) throws -> Response {
        try response(.json(json), routed)
    }

    private func response(_ asset: WebPage.Asset, _ routed: RoutedRequest) throws -> Response {
        try builder.whole(
            asset.body, mediaType: asset.mediaType, for: routed, cacheControl: "no-cache",
            headers: [.contentSecurityPolicy: Self.contentSecurityPolicy])
    }
}
