import DuetHTTPSemantics
import DuetHummingbird
import DuetJSON
import DuetPages
import DuetPersistedQueries
import DuetPrometheusMetrics
package import DuetResourceService
import DuetResultSetJSON
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The table of all routes, from which the router is created.
package struct RouteTable: Sendable {
    let routes: [Route]
    /// The OpenAPI document of the routes.
    package let openAPI: OpenAPIDocument

    /// Creates a table for a description of the routes, such as the OpenAPI document.
    /// - Throws: An error of the GraphQL schema.
    package init(service: ResourceService, settings: ServerSettings) throws {
        try self.init(
            service: service, tasks: .employees, queries: PersistedQueries(database: nil), settings: settings,
            metrics: ServerMetrics(PrometheusMetricsFactory())
        ) { _ in }
    }

    /// Creates the table.
    /// - Parameters:
    ///   - tasks: The source of the tasks of the page at `/`.
    ///   - queries: The persisted queries, to which requests refer by hash or by name.
    ///   - metrics: The metrics of `/metrics`. The initializer adds the metrics of the caches and of the process.
    ///   - observe: Receives the failures whose details are not part of a response.
    init(
        service: ResourceService, tasks: TaskSource, queries: PersistedQueries, settings: ServerSettings,
        metrics: ServerMetrics,
        observe: @escaping ServerObserver
    ) throws {
        let builder = ResponseBuilder(settings: settings)
        let rest = ResourceRoutes(service: service.measured(as: .rest), settings: settings)
        metrics.read(plansOf: rest.style)
        let resources = (rest.routes + [rest.thumbnail].compactMap(\.self)).map { route in
            let route = route.measured(as: .rest)
            return route.method == .get ? route.negotiatingType() : route
        }
        let explorer = WebPageRoutes(page: .explorer, builder: builder)
        let tasks = PageTasks(tasks, service)
        let keys = service.catalogue.keys
        let comparison = WebPageRoutes(
            page: .comparison, builder: builder,
            data: [
                WebPageRoutes.DataFile(
                    name: "tasks.json", operation: "getComparisonTasks", summary: "The tasks of the page at /",
                    problems: [
                        .databaseUnavailable, .databaseIOError, .overloaded, .queryTimeout, .valueMismatch,
                    ]
                ) { try await tasks.json() },
                WebPageRoutes.DataFile(
                    name: "keys.json", operation: "getComparisonKeys", summary: "The key fields of each resource"
                ) { keys },
            ])
        let overHTTP = try GraphQLRoutes(
            service: service.measured(as: .graphQL), queries: queries, settings: settings, explorer: explorer,
            observe: observe)
        metrics.read(overHTTP.operations)
        metrics.read(queries)
        let graphQL = overHTTP.routes.map { $0.measured(as: .graphQL).negotiatingType() }
        // The page lists all routes, including the route of the page. Therefore the service routes are created twice: a
        // draft for the list, and then the routes that serve the completed page.
        let history = settings.keepsStatements ? StatementHistory() : nil
        func serviceRoutes(_ page: DocumentationPage, _ openAPI: OpenAPIDocument) -> ServiceRoutes {
            ServiceRoutes(
                service: service, builder: builder, documentation: page, comparison: comparison, openAPI: openAPI,
                metrics: metrics.factory, history: history, sdl: overHTTP.sdl)
        }
        func document(_ routes: [Route]) -> OpenAPIDocument {
            OpenAPIDocument(
                routes, service.catalogue, dates: service.encoding.dates, compressionLevel: settings.compressionLevel)
        }
        func page(_ routes: [Route]) -> DocumentationPage {
            DocumentationPage(routes, of: service.catalogue)
        }
        metrics.readProcess()
        let pages = [PageFiles.all.route(builder)] + comparison.routes
        let draft = serviceRoutes(page([]), document([]))
        let listed = resources.map { Self.documented($0, by: draft) } + graphQL + pages + draft.routes
        openAPI = document(listed)
        let own = serviceRoutes(page(listed), openAPI)
        let styles = resources.map { Self.documented($0, by: own) } + graphQL
        routes = styles.map { history?.keepingStatements(of: $0) ?? $0 } + pages + own.routes
    }

    /// Returns the path for the router. Several parameters in one segment become one parameter of the router:
    /// `{orderId,productId}`.
    private static func routerPath(_ path: String) -> RouterPath { RouterPath(path.replacing("},{", with: ",")) }

    /// The methods and paths of all routes, for the test that compares them with the OpenAPI document.
    package var operations: [(method: String, path: String)] {
        routes.map { ($0.method.rawValue, $0.path) }
    }

    /// Returns a copy of a collection's GET route that responds to `?api` with the page that lists the routes. Returns
    /// any other route unchanged.
    private static func documented(_ route: Route, by service: ServiceRoutes) -> Route {
        guard route.method == .get, !route.path.contains("{") else { return route }
        return route.taking("api").handled { routed, handler in
            guard routed.asksForRoutes else { return try await handler(routed) }
            await leaveEventLoop()
            return try service.page(routed)
        }
    }

    /// The methods of RFC 9110 and RFC 5789.
    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    /// The value of `Allow` with all methods that at least one path supports.
    static let allMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

    /// The canonical paths of the routes.
    var canonicalPaths: CanonicalPaths {
        CanonicalPaths(routes.map { ($0.path, $0.integerParameters) })
    }

    /// Rejects a request that accepts none of the supported content codings. The check runs before the handler, so that
    /// the server does not execute a write whose response it cannot send.
    /// - Throws: ``Problem`` with status 406.
    private static func requireCoding(_ request: Request) throws {
        guard ContentCoding.isNoneAccepted(by: request.headers) else { return }
        let codings = ContentCoding.allCases.map(\.rawValue)
        throw Problem(
            .notAcceptable, "the supported content codings are \(codings.joined(separator: ", "))",
            members: [("allowed", .array(codings.map { .string($0) }))])
    }

    /// Returns the router of all paths. For each path, the router handles the methods of the path's routes, and
    /// `OPTIONS`. The handler of `GET` also handles `HEAD`. Every other method of RFC 9110 and RFC 5789 is a 405.
    func router() -> Router<DuetRequestContext> {
        let router = Router(context: DuetRequestContext.self)
        // The router compares a path with its routes sequentially, so the paths are added in the order of the table.
        // The order of a dictionary differs between processes, so the cost of each style would also differ.
        for (path, routes) in routes.grouped(by: \.path) {
            var served = routes.map(\.method)
            if served.contains(.get) { served.append(.head) }
            served.append(.options)
            let allowed = Self.methods.filter(served.contains).map(\.rawValue)
            let allow = allowed.joined(separator: ", ")
            // A request with an unsupported method has the same style label as the path's other requests.
            let style = routes.first?.style ?? .other
            for route in routes {
                for method in route.method == .get ? [.get, .head] : [route.method] {
                    router.on(Self.routerPath(path), method: method) { [vary = route.vary] request, context in
                        context.progress?.route(to: style)
                        do {
                            if route.sendsContent { try Self.requireCoding(request) }
                            if !route.staysOnEventLoop { await leaveEventLoop() }
                            var response = try await route.handler(RoutedRequest(request: request, context: context))
                            if let vary { response.headers.append(HTTPField(name: .vary, value: vary)) }
                            return response
                        } catch let error as RequestAborted {
                            throw error
                        } catch {
                            var problem = Problem(error)
                            problem.fields[.vary] = vary
                            throw problem
                        }
                    }
                }
            }
            router.on(Self.routerPath(path), method: .options) { _, context in
                context.progress?.route(to: style)
                return Response(status: .noContent, headers: [.allow: allow, .cacheControl: "no-store"])
            }
            for method in Self.methods where !served.contains(method) {
                router.on(Self.routerPath(path), method: method) { request, context -> Response in
                    context.progress?.route(to: style)
                    throw Problem(
                        .methodNotAllowed,
                        "this path does not support \(request.method.rawValue); the supported methods are \(allow)",
                        members: [("allowed", .array(allowed.map { .string($0) }))],
                        fields: [.allow: allow])
                }
            }
        }
        return router
    }
}

extension ResourceService {
    /// Returns a copy of the service whose statements have a style label in the metrics.
    fileprivate func measured(as style: RequestStyle) -> ResourceService {
        var service = self
        service.origin = style.origin
        return service
    }
}
