import DuetHTTPServer
import DuetResourceService
import HTTPTypes
import HummingbirdCore

/// The handlers of the routes that need no caller, on a server whose API has roles. Their responses do not depend on
/// the resources of the API. A request at such a path that needs a caller gets a 401.
struct OpenRoutes: Sendable {
    private let service: ServiceRoutes
    private let comparison: WebPageRoutes
    private let explorer: WebPageRoutes
    private let builder: ResponseBuilder
    private let sockets: GraphQLSockets

    /// - Parameter callers: Identifies the clients of WebSocket connections.
    init(
        _ service: ResourceService, _ environment: RouteEnvironment, callers: CallerIdentification,
        keysProblem: @escaping @Sendable () -> String?
    ) {
        sockets = GraphQLSockets(
            settings: environment.settings, builder: environment.builder, streams: environment.streams,
            observe: environment.observe
        ) { fields, certificate in
            try await callers.identify(fields, certificate: certificate).map { router, caller in
                (router.graphQL, caller)
            }
        }
        builder = environment.builder
        self.service = ServiceRoutes(
            service: service, builder: builder, metrics: environment.metrics.factory, history: environment.history,
            types: ServiceError.Code.open, keysProblem: keysProblem)
        comparison = WebPageRoutes(
            page: .comparison, builder: builder, permitsWrites: service.catalogue.hasDerivedWrites)
        explorer = WebPageRoutes(page: .explorer, builder: builder)
    }

    /// Returns the handler of a route of ``RouteTable/open``.
    func handler(of route: Route) -> RoutedRequest.Handler {
        switch route.endpoint {
        case .liveness: service.liveness
        case .readiness: service.readiness
        case .metrics: service.metricsText
        case .statements: service.statements
        case .problemTypes: service.problemTypes
        case .problemType: service.problemType
        case .pageFile: { [builder] in try PageFiles.all.file($0, builder) }
        case .start:
            { [comparison] routed in
                guard try DocumentRoutes.asksForComparison(routed) else { throw AccessControl.missingToken }
                return try comparison.page(routed)
            }
        case .graphQL where route.method == .get:
            { [explorer, sockets] routed in
                if WebSocketHandshake.isRequested(routed.request.head) {
                    return try await sockets.response(to: routed)
                }
                guard routed.rawQuery == nil, GraphQLRoutes.prefersPage(routed) else {
                    throw AccessControl.missingToken
                }
                await leaveEventLoop()
                return try explorer.page(routed)
            }
        case .graphQL, .resource, .representation, .batch, .pageTasks, .pageKeys, .openAPI, .schema, .caller:
            { _ in throw AccessControl.missingToken }
        }
    }
}
