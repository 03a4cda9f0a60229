import DuetResourceService

/// The routes of the admin addresses: health, metrics, and statements for debugging. They need no caller, even if the
/// API has roles, because only the operator can connect to these addresses.
struct AdminRoutes: Sendable {
    private let service: ServiceRoutes
    private let settings: ServerSettings

    init(
        _ service: ResourceService, _ environment: RouteEnvironment,
        keysProblem: @escaping @Sendable () -> String? = { nil }
    ) {
        settings = environment.settings.ofAdmin
        self.service = ServiceRoutes(
            service: service, builder: environment.builder, metrics: environment.metrics.factory,
            history: environment.history, types: [], keysProblem: keysProblem)
    }

    /// Creates the responder.
    func responder(observe: @escaping ServerObserver) -> DuetResponder {
        let router = Router(
            ServiceRoutes.state, hasRoles: false,
            unknownPath: "this address has only \(ServiceRoutes.state.map(\.path).joined(separator: ", "))",
            handler: handler(of:))
        // The requests of probes and of scrapers would only hide the spans of the API.
        return DuetResponder(
            .router(router), service.service.database, settings: settings, tracer: nil, observe: observe)
    }

    private func handler(of route: Route) -> RoutedRequest.Handler {
        switch route.endpoint {
        case .liveness: service.liveness
        case .readiness: service.readiness
        case .metrics: service.metricsText
        case .statements: service.statements
        default: { _ in throw RequestProblem(.unknownPath, "this address does not have this path") }
        }
    }
}
