import DuetHTTPServer
import DuetPersistedQueries
import DuetResourceService

/// The parts of handlers that do not depend on the role of the caller. The routers of all roles share them.
struct RouteEnvironment: Sendable {
    let settings: ServerSettings
    /// The persisted queries, to which requests refer by hash or by name.
    let queries: PersistedQueries
    let metrics: ServerMetrics
    /// Creates the spans of operations; nil without a tracer.
    let tracer: RequestTracer?
    /// Receives the failures whose details are not part of a response.
    let observe: ServerObserver
    let builder: ResponseBuilder
    /// The statements of the latest requests; nil if the server does not store statements.
    let history: StatementHistory?
    /// The validators of REST responses and of GraphQL responses.
    let revalidators: (rest: Revalidator, graphQL: Revalidator)
    let decodedRequests = DecodedRequestCache()
    /// The live streams of all roles.
    let streams: LiveStreams

    init(
        _ service: ResourceService, queries: PersistedQueries, settings: ServerSettings, metrics: ServerMetrics,
        streams: LiveStreams, tracer: RequestTracer?, observe: @escaping ServerObserver
    ) {
        self.streams = streams
        self.tracer = tracer
        self.settings = settings
        self.queries = queries
        self.metrics = metrics
        self.observe = observe
        builder = ResponseBuilder(settings: settings)
        history = settings.keepsStatements ? StatementHistory() : nil
        revalidators = (Revalidator(service.database), Revalidator(service.database))
    }
}
