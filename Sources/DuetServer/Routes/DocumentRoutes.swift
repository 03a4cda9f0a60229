import DuetHTTPSemantics
import DuetHTTPServer
import DuetResourceService
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The handlers of the routes that describe the API: the pages at `/`, the OpenAPI document and the GraphQL schema.
struct DocumentRoutes: Sendable {
    let builder: ResponseBuilder
    let documentation: DocumentationPage
    let comparison: WebPageRoutes
    let openAPI: OpenAPIDocument
    /// The GraphQL schema.
    let sdl: String

    // MARK: Pages

    private enum StartPage { case routes, comparison }

    /// The negotiation at `/`. Both pages are HTML. A browser lists `text/html` in `Accept` and receives the
    /// comparison. A client that accepts any type, such as curl, receives the routes, because their offer is first. The
    /// type of that offer, `text/plain`, only distinguishes the two offers.
    private static let startPages = MediaTypeNegotiation<StartPage>([
        ("text/plain", .routes), ("text/html", .comparison),
    ])

    /// Returns true if a request for `/` asks for the comparison, which is the same for all callers.
    static func asksForComparison(_ routed: RoutedRequest) throws -> Bool {
        guard !routed.asksForRoutes else { return false }
        try routed.requireNoQuery()
        return startPages.preferred(for: routed.request.headers) == .comparison
    }

    /// Returns the page at `/`: the routes or, for a browser, the comparison.
    func start(_ routed: RoutedRequest) throws -> Response {
        try Self.asksForComparison(routed) ? try comparison.page(routed) : try routesPage(routed)
    }

    /// Returns the page that lists the routes, at `/` and at each collection with `?api`.
    func routesPage(_ routed: RoutedRequest) throws -> Response {
        guard MediaTypeNegotiation<Void>([("text/html", ())]).preferred(for: routed.request.headers) != nil else {
            throw RequestProblem(
                .notAcceptable, "the supported media types are text/html", members: [("allowed", ["text/html"])])
        }
        return try builder.whole(
            documentation.html(at: routed.request.head.authority, scheme: routed.request.head.scheme),
            mediaType: "text/html; charset=utf-8",
            for: routed, cacheControl: "public, no-cache",
            headers: [.contentSecurityPolicy: WebPageRoutes.contentSecurityPolicy])
    }

    // MARK: Documents

    func openAPI(_ format: OpenAPIDocument.Format, _ routed: RoutedRequest) async throws -> Response {
        try routed.requireNoQuery()
        let mediaType =
            switch format {
            case .json: "application/json"
            case .yaml: "application/yaml"
            }
        return try builder.stored(
            try await openAPI.compressed(format), mediaType: mediaType, for: routed,
            cacheControl: "max-age=300, public")
    }

    /// Returns the GraphQL schema.
    func schema(_ routed: RoutedRequest) throws -> Response {
        try routed.requireNoQuery()
        return try builder.whole(
            ByteBuffer(string: sdl), mediaType: "application/graphql; charset=utf-8", for: routed,
            cacheControl: "max-age=300, public")
    }
}
