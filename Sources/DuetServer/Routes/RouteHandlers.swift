import DuetHTTPServer
import DuetPersistedQueries
import DuetResourceService
import DuetResultSetJSON
import HTTPTypes
import NIOCore

/// The handlers of the routes of a ``RouteTable``.
struct RouteHandlers: Sendable {
    private let rest: ResourceRoutes
    private let graphQL: GraphQLRoutes
    private let service: ServiceRoutes
    private let comparison: WebPageRoutes
    private let tasks: PageTasks
    private let builder: ResponseBuilder

    /// Creates the handlers.
    /// - Parameters:
    ///   - tasks: The source of the tasks of the page at `/`.
    ///   - queries: The persisted queries, to which requests refer by hash or by name.
    ///   - metrics: The metrics of `/metrics`. The initializer adds the metrics of the caches and of the process.
    ///   - observe: Receives the failures whose details are not part of a response.
    /// - Throws: An error of the GraphQL schema.
    init(
        _ table: RouteTable, service: ResourceService, tasks: TaskSource, queries: PersistedQueries,
        settings: ServerSettings, metrics: ServerMetrics, observe: @escaping ServerObserver
    ) throws {
        builder = ResponseBuilder(settings: settings)
        rest = ResourceRoutes(service: service.measured(as: .rest), settings: settings)
        graphQL = try GraphQLRoutes(
            service: service.measured(as: .graphQL), queries: queries, settings: settings,
            explorer: WebPageRoutes(page: .explorer, builder: builder), observe: observe)
        comparison = WebPageRoutes(page: .comparison, builder: builder)
        self.tasks = PageTasks(tasks, service)
        self.service = ServiceRoutes(
            service: service, builder: builder, documentation: DocumentationPage(table), comparison: comparison,
            openAPI: OpenAPIDocument(
                table, dates: service.encoding.dates, compressionLevel: settings.compressionLevel),
            metrics: metrics.factory, history: settings.keepsStatements ? StatementHistory() : nil, sdl: graphQL.sdl)
        metrics.read(plansOf: rest.style)
        metrics.read(graphQL.operations)
        metrics.read(queries)
        metrics.readProcess()
    }

    /// Returns the handler of a route. It records the statements of the requests of both styles if the server stores
    /// statements.
    func handler(of route: Route) -> RoutedRequest.Handler {
        let handler = plainHandler(of: route)
        guard route.style != .other, let history = service.history else { return handler }
        return history.keepingStatements(of: handler)
    }

    private func plainHandler(of route: Route) -> RoutedRequest.Handler {
        switch route.endpoint {
        case .resource(let operation):
            let handler = rest.handler(of: operation)
            return operation.isCollection ? listingRoutes(handler) : handler
        case .representation(let representation, let operation): return rest.handler(of: representation, operation)
        case .graphQL: return route.method == .get ? graphQL.get : graphQL.post
        case .start: return service.start
        case .pageFile: return { [builder] in try PageFiles.all.file($0, builder) }
        case .pageTasks:
            return { [comparison, tasks] routed in
                try routed.requireNoQuery()
                return try comparison.data(try await tasks.json(), routed)
            }
        case .pageKeys:
            let keys = service.service.catalogue.keys
            return { [comparison] routed in
                try routed.requireNoQuery()
                return try comparison.data(keys, routed)
            }
        case .liveness: return service.liveness
        case .readiness: return service.readiness
        case .metrics: return service.metricsText
        case .statements: return service.statements
        case .openAPI(let format): return { [service] in try await service.openAPI(format, $0) }
        case .schema: return service.schema
        case .problemTypes: return service.problemTypes
        case .problemType: return service.problemType
        }
    }

    /// Returns the handler of a collection, which responds to `?api` with the page that lists the routes.
    private func listingRoutes(_ handler: @escaping RoutedRequest.Handler) -> RoutedRequest.Handler {
        { [service] routed in
            guard routed.asksForRoutes else { return try await handler(routed) }
            await leaveEventLoop()
            return try service.routesPage(routed)
        }
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
