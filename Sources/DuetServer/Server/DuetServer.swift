package import DuetHTTPServer
import DuetPersistedDocuments
import DuetPersistedQueries
package import DuetResourceService
package import DuetSQLDatabase
import HTTPTypes
package import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle

/// The HTTP server of a ``ResourceService``. A request passes the following types, which `docs/walk.md` describes file
/// by file:
///
/// 1. `LimitedHTTPChannel` receives the request within time and size limits.
/// 2. ``DuetResponder`` assigns an identifier, and converts every error to a problem. If the API has roles,
///    ``AccessControl`` identifies the caller and returns the router of the caller's role.
/// 3. ``Router`` redirects other spellings of a path to the canonical path, and calls the handler of the route. The
///    ``RouteTable`` contains the routes.
/// 4. ``ResourceRoutes`` or ``ServerExchange`` measures the time of four stages: parse → plan → answer → respond.
///    `RESTStyle` or `GraphQLStyle` converts the request to a `Question`, which is the same type for both styles.
///    `ResourceService` plans and answers the question, and ``ResponseBuilder`` creates the response.
package struct DuetServer: Service {
    /// The version of the program and of its API. The OpenAPI document and the changelog contain the same version.
    package static let version = "0.2.0"

    /// The channel that serves connections.
    package let channel: LimitedHTTPChannel
    private let listener: ConnectionListener
    private let adminListener: ConnectionListener
    private let onRunning: @Sendable (Addresses) async -> Void
    private let responder: CurrentResponder
    private let queries: PersistedQueries
    private let settings: ServerSettings
    private let observer: Observer
    private let live: LiveQueries
    /// Creates the spans of requests; nil without a tracer.
    private let tracer: RequestTracer?

    /// The addresses at which a server accepts connections.
    package struct Addresses: Sendable {
        /// The addresses of the API. There is at least one.
        package let api: [SocketAddress]
        /// The admin addresses: health, metrics and debugging.
        package let admin: [SocketAddress]

        /// The TCP port of the API; 0 if there is none.
        package var port: Int { api.lazy.compactMap(\.port).first ?? 0 }
    }

    /// An error: the server cannot listen at one of its addresses.
    package struct StartError: Error {
        package let cause: ListeningError
        /// True if the address is an admin address.
        package let isAdmin: Bool
    }

    /// Creates a server.
    /// - Parameters:
    ///   - access: The roles of the API, and the verification of tokens; nil if the API has no roles.
    ///   - tasks: The source of the tasks of the page at `/`.
    ///   - queryDatabase: The database of registered documents; nil to store them in memory only.
    ///   - onRunning: A closure that is called when the server accepts connections.
    /// - Throws: An error of the GraphQL schema.
    package init(
        service: ResourceService, access: AccessSettings? = nil, tasks: TaskSource = .empty, queryDatabase: Database?,
        settings: ServerSettings, observer: Observer, logger: Logger,
        onRunning: @escaping @Sendable (Addresses) async -> Void = { _ in }
    ) throws {
        let observe: ServerObserver = { observer($0) }
        let persisted = settings.graphQL.persistedQueries
        queries = PersistedQueries(
            persisted.configuration, database: queryDatabase,
            manifest: persisted.manifest, observe: { observe(.persistedQuery($0)) })
        var limits = settings.limits
        limits.longBodyTypes = ResourceRoutes.importTypes
        limits.longBodyTimeout = .init(settings.imports.timeout)
        limits.maximumExpectedLongBodySize = settings.imports.maximumSize
        self.settings = settings
        self.observer = observer
        observer.metrics.read(service.database)
        observer.metrics.readServers(of: service.database)
        observer.metrics.read(queries)
        observer.metrics.readProcess()
        tracer = RequestTracer(isEncrypted: settings.identity != nil, values: observer.values)
        live = LiveQueries(
            service.database, detection: settings.live.detection, limits: settings.live.limits,
            observeDelay: { observer.metrics.record(liveDelay: $0) })
        observer.metrics.read(live)
        let streams = LiveStreams(live, heartbeatInterval: settings.live.heartbeatInterval)
        let responder = CurrentResponder(
            try Self.responders(service, access, tasks, queries, settings, observer, tracer, streams), streams)
        self.responder = responder
        self.onRunning = onRunning
        channel = LimitedHTTPChannel(
            limits: limits, identity: settings.identity, acceptsPlainHTTP2: settings.acceptsPlainHTTP2,
            problemResponse: { Self.response($0, settings) },
            observe: { observe(.connection($0)) },
            // In each turn, an event loop answers the requests that have arrived. All of them have arrived before the
            // turn's first read of the database begins, so the snapshot of this read is current for all of them.
            answering: { [database = service.database] in database.withSharedSnapshot($0) },
            respond: { request, peer in try await responder.respond(to: request, of: peer) })
        let group = MultiThreadedEventLoopGroup.singleton
        listener = ConnectionListener(
            settings.listeningAddresses, channel: channel, isEncrypted: settings.identity != nil,
            maximumConnections: settings.maximumConnections, group: group, logger: logger)
        let adminSettings = settings.ofAdmin
        let adminChannel = LimitedHTTPChannel(
            limits: limits, problemResponse: { Self.response($0, adminSettings) },
            observe: { observe(.connection($0)) },
            respond: { request, peer in try await responder.respondAsAdmin(to: request, of: peer) })
        // The admin address has connections of its own, so that it responds even if clients use all the others.
        adminListener = ConnectionListener(
            settings.adminAddresses, channel: adminChannel, isEncrypted: false,
            maximumConnections: ServerSettings.maximumAdminConnections, group: group, logger: logger)
    }

    private static func responders(
        _ service: ResourceService, _ access: AccessSettings?, _ tasks: TaskSource, _ queries: PersistedQueries,
        _ settings: ServerSettings, _ observer: Observer, _ tracer: RequestTracer?, _ streams: LiveStreams
    ) throws -> Responders {
        let observe: ServerObserver = { observer($0) }
        var service = service
        service.live = streams.queries
        service.idempotencyKeys = IdempotencyStore(lifetime: settings.idempotencyLifetime)
        let environment = RouteEnvironment(
            service, queries: queries, settings: settings, metrics: observer.metrics, streams: streams,
            tracer: tracer, observe: observe)
        guard let access else {
            let (router, _, statistics) = try router(of: service, tasks, environment)
            observer.metrics.read(caches: statistics)
            return Responders(
                api: DuetResponder(
                    .router(router), service.database, settings: settings, tracer: tracer, observe: observe),
                admin: AdminRoutes(service, environment).responder(observe: observe))
        }
        let restricted = service
        // The first request of a role must not be the first check of the GraphQL schema and of the manifests.
        _ = try GraphQLRoutes(
            service: service, environment, explorer: WebPageRoutes(page: .explorer, builder: environment.builder))
        let routers = RoleRouters { role in
            let (router, graphQL, statistics) = try router(
                of: try restricted.restricted(to: role), tasks, environment)
            return RoleRouter(policy: RolePolicy(role), router: router, graphQL: graphQL) {
                statistics() ?? CacheStatistics()
            }
        }
        observer.metrics.read(caches: { [weak routers] in routers?.statistics })
        let callers = CallerIdentification(access, routers: routers)
        let open = OpenRoutes(service, environment, callers: callers, keysProblem: access.keysProblem)
        let control = AccessControl(
            callers, open: Router(RouteTable.open(settings), hasRoles: true, handler: open.handler(of:)))
        return Responders(
            api: DuetResponder(
                .access(control), service.database, settings: settings, tracer: tracer, observe: observe),
            admin: AdminRoutes(service, environment, keysProblem: access.keysProblem).responder(observe: observe))
    }

    /// Creates the router of a service, with its GraphQL routes and a function that returns the statistics of its
    /// caches.
    private static func router(
        of service: ResourceService, _ tasks: TaskSource, _ environment: RouteEnvironment
    ) throws -> (Router, GraphQLRoutes, @Sendable () -> CacheStatistics?) {
        let table = RouteTable(service.catalogue, settings: environment.settings)
        let handlers = try RouteHandlers(table, service: service, tasks: tasks, environment)
        let router = Router(table.routes, hasRoles: service.catalogue.isOfRole, handler: handlers.handler(of:))
        return (router, handlers.graphQL, handlers.statistics)
    }

    /// Replaces the API for all subsequent requests. The cached validators of responses are discarded, and all live
    /// streams end, so that their clients request them from the new API.
    /// - Parameters:
    ///   - service: The new service, which must use the same database.
    ///   - access: The roles of the new API, and the verification of tokens; nil if the API has no roles.
    ///   - tasks: The source of the tasks of the page at `/`.
    /// - Throws: An error of the GraphQL schema. The server then continues to serve the current API.
    package func replace(_ service: ResourceService, access: AccessSettings? = nil, tasks: TaskSource) throws {
        let streams = LiveStreams(live, heartbeatInterval: settings.live.heartbeatInterval)
        responder.replace(
            by: try Self.responders(service, access, tasks, queries, settings, observer, tracer, streams), streams)
    }

    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { [queries] in await queries.run() }
            defer { tasks.cancelAll() }
            try await withGracefulShutdownHandler {
                try await runListeners()
            } onGracefulShutdown: {
                shutDown()
            }
        }
    }

    /// - Throws: ``StartError``.
    private func runListeners() async throws {
        let api = try await start(listener, isAdmin: false)
        let admin: [SocketAddress]
        do {
            admin = try await start(adminListener, isAdmin: true)
        } catch {
            listener.shutDown()
            throw error
        }
        await onRunning(Addresses(api: api, admin: admin))
        await withTaskGroup(of: Void.self) { group in
            for listener in [listener, adminListener] {
                group.addTask { await listener.waitForEnd() }
            }
        }
    }

    private func start(_ listener: ConnectionListener, isAdmin: Bool) async throws(StartError) -> [SocketAddress] {
        do {
            return try await listener.start()
        } catch {
            throw StartError(cause: error, isAdmin: isAdmin)
        }
    }

    private func shutDown() {
        listener.shutDown()
        adminListener.shutDown()
        responder.drain()
    }

    /// Returns the response to a request that is rejected before the application receives it.
    private static func response(_ refused: ConnectionProblem, _ settings: ServerSettings) -> ProblemResponse {
        let problem: RequestProblem =
            switch refused {
            case .malformedRequest: RequestProblem(.malformedRequest, "the bytes are not an HTTP/1.1 request")
            case .chunkOverheadTooLarge:
                RequestProblem(.malformedRequest, "the chunks of the body have too little content for their extensions")
            case .invalidHost:
                RequestProblem(
                    .malformedRequest,
                    "a request must have exactly one host, with an optional port: in the field Host, or in :authority of HTTP/2"
                )
            case .notEncrypted:
                RequestProblem(.malformedRequest, "this port accepts only encrypted connections; use https://")
            case .requestTimeout: RequestProblem(.requestTimeout, "the request did not arrive in time")
            case .targetTooLong:
                RequestProblem(
                    .uriTooLong,
                    "the request target exceeds the length limit of the server; send a GraphQL document by POST")
            case .fieldsTooLarge:
                RequestProblem(.headerFieldsTooLarge, "the header has too many fields, or the fields are too long")
            case .unknownMethod:
                RequestProblem(.notImplemented, "this method is not supported; OPTIONS * lists the supported methods")
            case .unsupportedTransferCoding:
                RequestProblem(.notImplemented, "the only supported transfer coding is chunked")
            }
        let requestID = RequestIdentifier.new()
        var fields: HTTPFields = [:]
        fields.addCommonFields(requestID: requestID)
        // A browser ignores the field on a connection without encryption (RFC 6797, section 8.1).
        if refused != .notEncrypted { fields.addTransportSecurity(settings) }
        return ProblemResponse(
            status: problem.type.httpStatus, body: problem.body(requestID: requestID), fields: fields,
            requestID: requestID)
    }
}
