import DuetGraphQL
import DuetGraphQLHTTP
import DuetHTTPServer
import DuetPersistedDocuments
import DuetPersistedQueries
import DuetResourceService
import HTTPTypes
import HummingbirdCore

/// The handlers of the routes of GraphQL over HTTP. `EndpointTransports` of DuetGraphQLHTTP responds to the requests. A
/// ``ServerExchange`` does the work for one request that is specific to this server. Both need the values of this
/// class.
final class GraphQLRoutes: Sendable {
    let style: GraphQLStyle
    let documents: PersistedQuerySource
    let decodedRequests: DecodedRequestCache
    let settings: ServerSettings
    let requestTimeout: Duration
    let builder: ResponseBuilder
    let revalidator: Revalidator
    let streams: LiveStreams
    /// The view of the catalogue.
    let view: CatalogueView
    /// True if mutations follow from the rules of resources.
    let hasDerivedWrites: Bool
    /// Creates the spans of operations; nil without a tracer.
    let tracer: RequestTracer?
    private let explorer: WebPageRoutes
    private let observe: ServerObserver

    var operations: PreparedOperationCache { style.schema.operations }
    /// The schema in the schema definition language.
    var sdl: String { style.sdl }

    /// Creates the routes. The initializer also parses and validates the operations of manifests, before the first
    /// request, and reports their errors to the observer. The operations of a manifest need not be valid for each role,
    /// so they are not validated for a role.
    /// - Parameter explorer: The page for browsers.
    /// - Throws: An error in the GraphQL schema of the catalogue.
    init(service: ResourceService, _ environment: RouteEnvironment, explorer: WebPageRoutes) throws {
        let (settings, queries, observe) = (environment.settings, environment.queries, environment.observe)
        var options = ExecutionOptions()
        options.isIntrospectionEnabled = settings.graphQL.isIntrospectionEnabled
        options.operationLimits = settings.graphQL.limits(of: service.catalogue)
        options.parserLimits = settings.graphQL.parserLimits
        style = try GraphQLStyle(service, options: options)
        documents = .stored(in: queries, settings.graphQL.persistedQueries.policy) { observe(.persistedQueryMismatch) }
        self.settings = settings
        requestTimeout = service.requestTimeout
        self.explorer = explorer
        tracer = environment.tracer
        self.observe = observe
        builder = environment.builder
        revalidator = environment.revalidators.graphQL
        streams = environment.streams
        decodedRequests = environment.decodedRequests
        view = service.catalogue.view
        hasDerivedWrites = service.catalogue.hasDerivedWrites
        guard !service.catalogue.isOfRole else { return }
        for (listed, source) in zip(queries.manifest.operations, queries.manifest.sources) {
            do throws(GraphQLErrors) {
                _ = try operations.operation(in: listed.text, named: listed.name)
            } catch {
                observe(.listedQueryUnusable(id: listed.id, source: source, error))
            }
        }
    }

    /// Responds to a query or a mutation in the body.
    func post(_ routed: RoutedRequest) async throws -> Response {
        var exchange = ServerExchange(routed, self)
        return try await EndpointTransports.live.respond(to: &exchange)
    }

    /// Responds to a query in the URL, or with the page for browsers.
    func get(_ routed: RoutedRequest) async throws -> Response {
        if WebSocketHandshake.isRequested(routed.request.head) {
            let sockets = GraphQLSockets(
                settings: settings, builder: builder, streams: streams, observe: observe
            ) { _, _ in (self, nil) }
            return try await sockets.response(to: routed)
        }
        let known = decodedRequests.known(routed.request.uri)
        var exchange = ServerExchange(routed, self, known: known)
        if known == nil, routed.rawQuery == nil, Self.prefersPage(routed) {
            do {
                await leaveEventLoop()
                return try explorer.page(routed)
            } catch {
                return try exchange.refuse(error, as: .json)
            }
        }
        return try await EndpointTransports.live.respond(to: &exchange)
    }

    /// Returns true if `Accept` prefers the page for browsers to a GraphQL response.
    static func prefersPage(_ routed: RoutedRequest) -> Bool {
        (try? GraphQLNegotiation(routed.request.headers, offersPage: true))?.mediaType == .html
    }

    /// Reports the reasons why the database rejected changes.
    func report(_ rejections: [String], _ requestID: String) {
        for rejection in rejections { observe(.rejection(requestID: requestID, rejection)) }
    }

    /// Reports the errors whose details clients do not receive.
    func report(_ errors: [GraphQLError], _ requestID: String) {
        // Fields that failed for the same reason are reported once.
        var reported: Set<String> = []
        for error in errors {
            guard let underlying = error.underlyingError, !(underlying is ServiceError), !(underlying is GraphQLError),
                reported.insert(String(describing: underlying)).inserted
            else { continue }
            observe(.failure(requestID: requestID, underlying))
        }
    }
}
