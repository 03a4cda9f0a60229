import HTTPTypes
import Hummingbird
import HummingbirdCore
import JSON

/// The explorer: the page that a browser gets at `/graphql`, and what the page loads.
struct ExplorerRoutes: Sendable {
    let builder: ResponseBuilder
    private let assets = ExplorerAssets()

    /// Scripts and styles only as files of this origin, requests only to it, and nobody's frame around it: what a server
    /// answers can be shown, and run as nothing.
    private static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    init(builder: ResponseBuilder) {
        self.builder = builder
    }

    var routes: [Route] {
        [
            Route(.get, "/explorer/{name}", "A file of the page at /graphql") { exchange in
                try exchange.requireNoQuery()
                let name = exchange.parameter("name")
                guard let asset = assets.files[name] else {
                    throw Problem(.unknownPath, "the explorer has no file \(name)")
                }
                return try response(asset, exchange)
            }
        ]
    }

    /// The page, for a browser that asks for `/graphql`.
    func page(_ exchange: Exchange) throws -> Response {
        try response(assets.page, exchange, vary: ResponseBuilder.varyByTypeAndCoding)
    }

    /// A page and its modules that are of one version belong together, so a cache asks whether what it has is still the same.
    private func response(
        _ asset: ExplorerAssets.Asset, _ exchange: Exchange, vary: String = ResponseBuilder.varyByCoding
    ) throws -> Response {
        try builder.whole(
            asset.body, mediaType: asset.mediaType, for: exchange.request, cacheControl: "no-cache",
            vary: vary, headers: [.contentSecurityPolicy: Self.contentSecurityPolicy, .xContentTypeOptions: "nosniff"])
    }
}
