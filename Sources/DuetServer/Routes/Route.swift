import DuetHTTPSemantics
import DuetJSON
import DuetResourceService
import HTTPSemantics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// One method at one path: everything that is served is in one table of these, which the router, `Allow`, the
/// documentation page and the OpenAPI document read.
struct Route: Sendable {
    typealias Handler = @Sendable (RoutedRequest) async throws -> Response

    let method: HTTPRequest.Method
    /// With parameters in braces, as OpenAPI writes it.
    let path: String
    /// One line for the documentation page.
    let summary: String
    /// The query parameters, for the documentation page.
    private(set) var parameters: [String]
    private(set) var handler: Handler
    /// The style as which its requests are measured.
    private(set) var style = RequestStyle.other
    /// True if the media type of a response, or its refusal, depends on `Accept`.
    private(set) var negotiatesType = false
    /// True if requests are short, so that they may be answered on the event loop of their connection.
    private(set) var staysOnEventLoop = false
    /// The names of the parameters in the path whose values are whole numbers.
    private(set) var integerParameters: Set<String> = []
    /// The rest of what the OpenAPI document says.
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

    /// The route of an operation of the resources.
    init(_ operation: RESTOperation, handler: @escaping Handler) {
        self.init(
            HTTPRequest.Method(rawValue: operation.method) ?? .get, operation.path, operation.summary,
            parameters: operation.parameters, handler: handler)
        contract = .resource(operation)
        integerParameters = operation.integerParameters
    }

    /// The same route with its description in the OpenAPI document.
    func described(_ contract: RouteContract) -> Route {
        var route = self
        route.contract = contract
        return route
    }

    /// The same route with a handler around its own.
    func handled(by around: @escaping @Sendable (RoutedRequest, Handler) async throws -> Response) -> Route {
        var route = self
        route.handler = { [handler] routed in try await around(routed, handler) }
        return route
    }

    /// The same route with one more query parameter.
    func taking(_ parameter: String) -> Route {
        var route = self
        route.parameters.append(parameter)
        return route
    }

    /// The same route, measured as one of that style.
    func measured(as style: RequestStyle) -> Route {
        var route = self
        route.style = style
        return route
    }

    /// The same route, which looks at `Accept`.
    func negotiatingType() -> Route {
        var route = self
        route.negotiatesType = true
        return route
    }

    /// The same route, whose handler leaves the event loop before work that may be long.
    func stayingOnEventLoop() -> Route {
        var route = self
        route.staysOnEventLoop = true
        return route
    }

    /// True if responses may have content that is not a problem.
    var sendsContent: Bool { method != .delete }

    /// The fields of the request on which responses depend (RFC 9110 §12.5.5), errors among them.
    var vary: String? {
        guard sendsContent else { return nil }
        return negotiatesType ? "Accept, Accept-Encoding" : "Accept-Encoding"
    }
}

/// A request on its way through a handler.
struct RoutedRequest: Sendable {
    let request: Request
    let context: DuetRequestContext

    /// The segment of the path with parameters such as `orderId,productId`, as it was sent.
    func segment(_ parameters: String) -> String { context.parameters.get(parameters) ?? "" }

    /// The decoded value of a path parameter (RFC 3986 §6.2.2.2), or the encoded value if it does not decode.
    func parameter(_ name: String) -> String {
        guard let part = context.parameters.get(name) else { return "" }
        return part.percentDecoded ?? part
    }

    /// The query as the client sent it, `nil` without a question mark.
    var rawQuery: String? { request.uri.query }

    /// The query parameters, decoded, in their order.
    func query() throws -> RESTStyle.Query {
        guard let rawQuery else { return [] }
        return try QueryString(rawQuery).parameters.map { ($0.name, $0.value) }
    }

    /// Whether `?api` asks for the page that lists the routes.
    var asksForRoutes: Bool { rawQuery == "api" || rawQuery == "api=" }

    /// Refuses parameters where there are none to be given.
    func requireNoQuery() throws {
        guard let parameter = try query().first else { return }
        throw Problem(
            .unknownParameter, "there are no parameters here",
            members: [("parameter", .string(parameter.name)), ("allowed", [])])
    }
}
