import DuetGraphQL
import DuetHTTPServer
import DuetPersistedQueries
import DuetResourceService
import DuetResultSetJSON
import HTTPTypes
import NIOCore

/// The handlers of the routes of a ``RouteTable``.
struct RouteHandlers: Sendable {
    private let rest: ResourceRoutes
    let graphQL: GraphQLRoutes
    private let service: ServiceRoutes
    private let documents: DocumentRoutes
    private let comparison: WebPageRoutes
    private let tasks: PageTasks
    private let catalogue: Catalogue
    private let builder: ResponseBuilder

    /// Creates the handlers.
    /// - Parameters:
    ///   - service: The service. Its catalogue is that of the table.
    ///   - tasks: The source of the tasks of the page at `/`.
    /// - Throws: An error of the GraphQL schema.
    init(
        _ table: RouteTable, service: ResourceService, tasks: TaskSource, _ environment: RouteEnvironment
    ) throws {
        catalogue = service.catalogue
        builder = environment.builder
        rest = ResourceRoutes(service: service.measured(as: .rest), environment)
        graphQL = try GraphQLRoutes(
            service: service.measured(as: .graphQL), environment,
            explorer: WebPageRoutes(page: .explorer, builder: builder))
        comparison = WebPageRoutes(
            page: .comparison, builder: builder, permitsWrites: service.catalogue.hasDerivedWrites)
        self.tasks = PageTasks(tasks, service)
        self.service = ServiceRoutes(
            service: service, builder: builder, metrics: environment.metrics.factory, history: environment.history,
            types: ServiceError.Code.all(of: service.catalogue))
        documents = DocumentRoutes(
            builder: builder, documentation: DocumentationPage(table), comparison: comparison,
            openAPI: OpenAPIDocument(
                table, dates: service.encoding.dates, compressionLevel: environment.settings.compressionLevel),
            sdl: graphQL.sdl)
    }

    /// Returns the statistics of the caches. The function does not retain the GraphQL schema, and returns nil after the
    /// schema is released.
    var statistics: @Sendable () -> CacheStatistics? {
        { [style = rest.style, weak operations = graphQL.operations] in
            operations.map { CacheStatistics(style, $0) }
        }
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
        case .batch: return BatchRoutes(rest, catalogue).respond
        case .graphQL: return route.method == .get ? graphQL.get : graphQL.post
        case .start: return documents.start
        case .pageFile: return { [builder] in try PageFiles.all.file($0, builder) }
        case .pageTasks:
            return { [comparison, tasks] routed in
                try routed.requireNoQuery()
                return try comparison.data(try await tasks.json(for: routed.caller), routed)
            }
        case .pageKeys:
            let keys = catalogue.keys
            return { [comparison] routed in
                try routed.requireNoQuery()
                return try comparison.data(keys, routed)
            }
        case .liveness: return service.liveness
        case .readiness: return service.readiness
        case .metrics: return service.metricsText
        case .statements: return service.statements
        case .openAPI(let format): return { [documents] in try await documents.openAPI(format, $0) }
        case .schema: return documents.schema
        case .problemTypes: return service.problemTypes
        case .problemType: return service.problemType
        case .caller: return service.caller
        }
    }

    /// Returns the handler of a collection, which responds to `?api` with the page that lists the routes.
    private func listingRoutes(_ handler: @escaping RoutedRequest.Handler) -> RoutedRequest.Handler {
        { [documents] routed in
            guard routed.asksForRoutes else { return try await handler(routed) }
            await leaveEventLoop()
            return try documents.routesPage(routed)
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
