import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import HTTPTypes
import HummingbirdCore

/// Finds the route of each request and calls its handler. The router also responds to all requests without a handler:
/// paths that are not spelled canonically, unknown paths, methods that a path does not support, and `OPTIONS`.
struct Router: Sendable {
    /// The paths of the table. The positions are the same in both arrays.
    private let paths: PathRouter
    private let routes: [PathRoutes]
    /// The detail of the problem of an unknown path.
    private let unknownPath: String

    /// The value of `Allow` with all methods that at least one path supports.
    private static let allMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

    /// Creates the router of a list of routes.
    /// - Parameters:
    ///   - hasRoles: True if the API has roles.
    ///   - unknownPath: The detail of the problem of an unknown path.
    ///   - handler: Returns the handler of a route. It is called once for each route.
    init(
        _ routes: [Route], hasRoles: Bool, unknownPath: String = "this path does not exist; GET / lists the paths",
        handler: (Route) -> RoutedRequest.Handler
    ) {
        self.unknownPath = unknownPath
        let grouped = routes.grouped(by: \.path)
        paths = PathRouter(grouped.map { path, routes in .init(path, numbers: routes[0].integerParameters) })
        self.routes = grouped.map { _, routes in
            PathRoutes(
                routes[0].path,
                routes.map { HandledRoute($0, hasRoles: hasRoles, handler: handler($0)) }, style: routes[0].style,
                audience: routes[0].audience)
        }
    }

    /// Returns the audience of the path of a request; nil if the router does not have the path.
    func audience(of request: Request) -> Route.Audience? {
        paths.match(request.uri.string).map { routes[$0.template].audience }
    }

    /// Returns the response to a request.
    /// - Parameters:
    ///   - progress: The progress of the request. The router records the style of the route there.
    ///   - caller: The caller; nil if the API has no roles, and for a client without an identity.
    ///   - certificate: The certificate of the client; nil without one.
    /// - Throws: ``RequestProblem``, or `RequestAborted` if the connection has already sent a response.
    func respond(
        to request: Request, _ progress: RequestProgress, caller: Caller? = nil, certificate: ClientCertificate? = nil
    ) async throws -> Response {
        let target = request.uri.string
        if let location = paths.redirection(of: target) {
            // Caches must not store the redirection, because a path has an unlimited number of spellings.
            return Response(status: .permanentRedirect, headers: [.location: location, .cacheControl: "no-store"])
        }
        guard let match = paths.match(target) else {
            // `OPTIONS *` refers to the whole server (RFC 9110 §9.3.7).
            guard request.method == .options, target == "*" else {
                throw RequestProblem(.unknownPath, unknownPath)
            }
            return Self.options(Self.allMethods)
        }
        let path = routes[match.template]
        progress.route(to: path.style, path: path.template)
        guard let route = path.route(for: request.method) else {
            guard request.method == .options else { throw path.problem(for: request.method) }
            return Self.options(path.allow)
        }
        return try await route.respond(
            to: RoutedRequest(
                request: request, requestID: progress.requestID, path: match.parameters, caller: caller,
                certificate: certificate))
    }

    private static func options(_ allow: String) -> Response {
        Response(status: .noContent, headers: [.allow: allow, .cacheControl: "no-store"])
    }
}

/// The routes of a path.
private final class PathRoutes: Sendable {
    /// The path with parameters in braces.
    let template: String
    /// The style of the path's requests, including those with a method that the path does not support.
    let style: RequestStyle
    /// The clients to which the path responds if the API has roles.
    let audience: Route.Audience
    /// The value of `Allow`.
    let allow: String
    private let routes: [HandledRoute]

    /// The order of the methods in `Allow`.
    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]

    init(_ template: String, _ routes: [HandledRoute], style: RequestStyle, audience: Route.Audience) {
        self.template = template
        self.routes = routes
        self.style = style
        self.audience = audience
        var served = routes.map(\.method) + [.options]
        if served.contains(.get) { served.append(.head) }
        allow = Self.methods.filter(served.contains).map(\.rawValue).joined(separator: ", ")
    }

    /// Returns the route for a method; `nil` for `OPTIONS` and for a method that the path does not support. The route
    /// of `GET` is also the route of `HEAD`.
    func route(for method: HTTPRequest.Method) -> HandledRoute? {
        let method = method == .head ? .get : method
        return routes.first { $0.method == method }
    }

    /// Returns the problem of a method that the path does not support.
    func problem(for method: HTTPRequest.Method) -> RequestProblem {
        RequestProblem(
            .methodNotAllowed, "this path does not support \(method.rawValue); the supported methods are \(allow)",
            members: [("allowed", .array(allow.split(separator: ", ").map { .string(String($0)) }))],
            fields: [.allow: allow])
    }
}

/// A route with its handler. The type is a class, so that the search for a route copies no properties.
private final class HandledRoute: Sendable {
    let method: HTTPRequest.Method
    private let vary: String?
    private let sendsContent: Bool
    private let staysOnEventLoop: Bool
    private let handler: RoutedRequest.Handler

    init(_ route: Route, hasRoles: Bool, handler: @escaping RoutedRequest.Handler) {
        method = route.method
        vary = route.vary(hasRoles: hasRoles)
        sendsContent = route.sendsContent
        staysOnEventLoop = route.staysOnEventLoop
        self.handler = handler
    }

    /// Returns the response of the handler with `Vary`.
    /// - Throws: ``RequestProblem`` with `Vary`, or `RequestAborted`.
    func respond(to routed: RoutedRequest) async throws -> Response {
        do {
            if sendsContent { try Self.requireCoding(routed.request) }
            if !staysOnEventLoop { await leaveEventLoop() }
            var response = try await handler(routed)
            if let vary { response.headers.append(HTTPField(name: .vary, value: vary)) }
            return response
        } catch let error as RequestAborted {
            throw error
        } catch {
            var problem = RequestProblem(error)
            problem.fields[.vary] = vary
            throw problem
        }
    }

    /// Rejects a request that accepts none of the supported content codings. The check runs before the handler, so that
    /// the server does not execute a write whose response it cannot send.
    /// - Throws: ``RequestProblem`` with status 406.
    private static func requireCoding(_ request: Request) throws {
        guard ContentCoding.isNoneAccepted(by: request.headers) else { return }
        let codings = ContentCoding.allCases.map(\.rawValue)
        throw RequestProblem(
            .notAcceptable, "the supported content codings are \(codings.joined(separator: ", "))",
            members: [("allowed", .array(codings.map { .string($0) }))])
    }
}
