import DuetHTTPSemantics
import DuetHummingbird
import DuetJSON
import DuetResourceService
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// An HTTP method on a path, with its handler. One table contains all routes. The router, `Allow`, the documentation
/// page and the OpenAPI document are derived from this table.
struct Route: Sendable {
    typealias Handler = @Sendable (RoutedRequest) async throws -> Response

    let method: HTTPRequest.Method
    /// The path with parameters in braces, as in OpenAPI.
    let path: String
    /// A one-line summary for the documentation page.
    let summary: String
    /// The query parameters for the documentation page.
    private(set) var parameters: [String]
    private(set) var handler: Handler
    /// The style label of the route's requests in the metrics.
    private(set) var style = RequestStyle.other
    /// True if `Accept` determines the media type of the response, or causes a 406.
    private(set) var negotiatesType = false
    /// True if the handler begins on the event loop of the connection. This saves time if most requests of the route
    /// are short.
    private(set) var staysOnEventLoop = false
    /// The names of the path parameters whose values are whole numbers.
    private(set) var integerParameters: Set<String> = []
    /// The parts of the OpenAPI description that the properties above do not contain; `nil` for a route that the
    /// OpenAPI document omits.
    private(set) var contract: RouteContract?

    init(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, parameters: [String] = [],
        handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.summary = summary
        self.parameters = parameters
        self.handler = handler
    }

    /// Creates the route of a REST operation.
    init(_ operation: RESTOperation, handler: @escaping Handler) {
        self.init(
            HTTPRequest.Method(rawValue: operation.method) ?? .get, operation.path, operation.summary,
            parameters: operation.parameters, handler: handler)
        contract = .resource(operation)
        integerParameters = operation.integerParameters
    }

    /// Returns a copy of the route with a description for the OpenAPI document.
    func described(_ contract: RouteContract) -> Route {
        var route = self
        route.contract = contract
        return route
    }

    /// Returns a copy of the route whose handler wraps the original handler.
    func handled(by around: @escaping @Sendable (RoutedRequest, Handler) async throws -> Response) -> Route {
        var route = self
        route.handler = { [handler] routed in try await around(routed, handler) }
        return route
    }

    /// Returns a copy of the route with an additional query parameter.
    func taking(_ parameter: String) -> Route {
        var route = self
        route.parameters.append(parameter)
        return route
    }

    /// Returns a copy of the route whose requests have a style label in the metrics.
    func measured(as style: RequestStyle) -> Route {
        var route = self
        route.style = style
        return route
    }

    /// Returns a copy of the route whose responses depend on `Accept`.
    func negotiatingType() -> Route {
        var route = self
        route.negotiatesType = true
        return route
    }

    /// Returns a copy of the route whose handler begins on the event loop. The handler must leave the event loop before
    /// long work.
    func stayingOnEventLoop() -> Route {
        var route = self
        route.staysOnEventLoop = true
        return route
    }

    /// True if responses can have content other than a problem.
    var sendsContent: Bool { method != .delete }

    /// The value of `Vary` for all responses of the route, including errors (RFC 9110 §12.5.5); `nil` if the responses
    /// do not depend on fields of the request.
    var vary: String? {
        guard sendsContent else { return nil }
        return negotiatesType ? "Accept, Accept-Encoding" : "Accept-Encoding"
    }
}

/// A request with its context, as the input of a handler.
struct RoutedRequest: Sendable {
    let request: Request
    let context: DuetRequestContext

    /// Returns the encoded path segment of a parameter, or of several parameters in one segment, such as
    /// `orderId,productId`.
    func segment(_ parameters: String) -> String { context.parameters.get(parameters) ?? "" }

    /// Returns the decoded value of a path parameter (RFC 3986 §6.2.2.2), or the encoded value if it cannot be decoded.
    func parameter(_ name: String) -> String {
        guard let part = context.parameters.get(name) else { return "" }
        return part.percentDecoded ?? part
    }

    /// The encoded query; `nil` if the target has no question mark.
    var rawQuery: String? { request.uri.query }

    /// Returns the decoded query parameters in their order.
    func query() throws -> RESTStyle.Query {
        guard let rawQuery else { return [] }
        return try QueryString(rawQuery).parameters.map { ($0.name, $0.value) }
    }

    /// True if the query is `?api`, which requests the page that lists the routes.
    var asksForRoutes: Bool { rawQuery == "api" || rawQuery == "api=" }

    /// Rejects all query parameters.
    func requireNoQuery() throws {
        guard let parameter = try query().first else { return }
        throw Problem(
            .unknownParameter, "this path has no query parameters",
            members: [("parameter", .string(parameter.name)), ("allowed", [])])
    }
}
