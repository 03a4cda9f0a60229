import DuetGraphQL
import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A GraphQL request to this server, and what the server adds to GraphQL over HTTP: the cache of decoded requests, the
/// maximum size of bodies, the deadline, 304 without an execution, work outside the event loop, cache tags and
/// `Server-Timing`.
///
/// A request passes four stages: parse → plan → answer → respond. This type measures the time of the stages. A plan
/// contains the SQL statements for a field. The plans of an operation's fields are cached with the operation. If a plan
/// is not cached, a resolver creates it in the answer stage.
struct ServerExchange: EndpointExchange {
    let routed: RoutedRequest
    let routes: GraphQLRoutes
    /// The cached request of the URL; nil if there is none.
    private let known: DecodedRequest?
    /// True for an operation on a WebSocket connection, which does not belong to the request that opened it.
    private let isOnSocket: Bool
    private var timing = ServerTiming()
    private var deadline: Deadline
    private var conditional: ConditionalRead?
    /// The cost of the executed operations; nil before the first execution.
    private var cost: Answer.Cost?
    /// The cache tags of the response.
    private var tags = EntityTags()
    /// True if an earlier request with the same idempotency key has performed the changes.
    var isReplayed = false
    /// True for a mutation with the preference `tx=rollback`.
    var isRolledBack = false

    /// The maximum size in bytes of a body that is decoded on the event loop.
    private static let shortBody = 16 << 10

    init(
        _ routed: RoutedRequest, _ routes: GraphQLRoutes, known: DecodedRequest? = nil, deadline: Deadline = .never,
        isOnSocket: Bool = false
    ) {
        self.isOnSocket = isOnSocket
        self.deadline = deadline
        self.routed = routed
        self.routes = routes
        self.known = known
    }

    private var request: Request { routed.request }

    // MARK: The request

    var method: HTTPRequest.Method { request.method }
    var headerFields: HTTPFields { request.headers }
    var maximumBatchSize: Int { routes.settings.graphQL.maximumBatchSize }

    mutating func requestInURL() throws(GraphQLRequestError) -> DecodedRequest {
        let decoded: DecodedRequest
        if let known {
            decoded = known
        } else {
            decoded = try routes.decodedRequests.decode(request.uri, for: routes.documents)
        }
        deadline = .after(routes.requestTimeout)
        return decoded
    }

    mutating func body() async throws -> ByteBuffer {
        let body = try await routed.bytes(limit: routes.settings.maximumBodySize)
        if body.readableBytes > Self.shortBody { await leaveEventLoop() }
        deadline = .after(routes.requestTimeout)
        return body
    }

    // MARK: The execution

    var documents: PersistedQuerySource { routes.documents }
    var operations: PreparedOperationCache { routes.operations }

    mutating func notModified(as mediaType: GraphQLMediaType) -> Response? {
        conditional = routes.revalidator.read(routed, of: routes.view, mediaType: mediaType.contentType)
        guard let current = conditional?.current else { return nil }
        timing.endParse()
        timing.endSQL(Answer.Cost())
        return timing.finish(routes.builder.notModified(current, for: request))
    }

    func beginLongWork() async { await leaveEventLoop() }

    mutating func ended(_ step: PreparedOperationCache.Step) {
        switch step {
        case .parse: timing.endParse()
        case .validate: timing.endValidate()
        case .find: break
        case .plan: timing.endPlan()
        }
    }

    mutating func execute(_ operation: PlannedOperation, _ request: DecodedRequest) async throws -> GraphQLResponse {
        if !operation.mayBeShort { await leaveEventLoop() }
        readPreferences(of: operation)
        let style = try style(for: operation, request)
        let operation = PreparedOperation<any Sendable>(operation)
        let span = routes.tracer?.begin(operation.definition, isRoot: isOnSocket)
        var executed = try await OperationSpan.run(span, errors: \.response.errors) {
            try await style.execute(
                operation, variables: request.variables, extensions: extensions(for: request, operation),
                namesEntities: namesEntities(of: operation), deadline: deadline, parameters: routed.caller?.parameters,
                tagMask: routed.caller?.fingerprint, isRolledBack: isRolledBack)
        }
        addPosition(to: &executed.response)
        routes.report(executed.rejections, routed.requestID)
        try Self.checkClaims(executed.response.errors)
        try checkIdempotency(executed.response.errors, executed.isReplayed)
        await ResponseBuilder.leaveEventLoop(toEncode: executed.response.body)
        add(executed.cost, executed.tags, of: operation, errors: executed.response.errors)
        return executed.response
    }

    mutating func executeIncrementally(
        _ operation: PlannedOperation, _ request: DecodedRequest
    ) async throws -> IncrementalResponse {
        if !operation.mayBeShort { await leaveEventLoop() }
        readPreferences(of: operation)
        let style = try style(for: operation, request)
        let operation = PreparedOperation<any Sendable>(operation)
        let span = routes.tracer?.begin(operation.definition, isRoot: isOnSocket)
        var executed = try await OperationSpan.run(span, errors: \.response.initialErrors) {
            try await style.executeIncrementally(
                operation, variables: request.variables, extensions: extensions(for: request, operation),
                namesEntities: namesEntities(of: operation), deadline: deadline, parameters: routed.caller?.parameters,
                tagMask: routed.caller?.fingerprint, isRolledBack: isRolledBack)
        }
        routes.report(executed.rejections, routed.requestID)
        switch executed.response {
        case .single(var response):
            addPosition(to: &response)
            executed.response = .single(response)
            try Self.checkClaims(response.errors)
            try checkIdempotency(response.errors, executed.isReplayed)
            add(executed.cost, executed.tags, of: operation, errors: response.errors)
        case .incremental:
            // The tags of a query are incomplete, because later parts can contain further entities.
            let isMutation = operation.definition.operation == .mutation
            add(executed.cost, isMutation ? executed.tags : EntityTags(), of: operation, errors: [])
        }
        return executed.response
    }

    mutating func subscribe(
        _ operation: PlannedOperation, _ request: DecodedRequest
    ) async throws -> SubscriptionResponse {
        await leaveEventLoop()
        // The span ends when the subscription begins.
        return try await OperationSpan.run(
            routes.tracer?.begin(operation.definition, isRoot: isOnSocket), errors: OperationSpan.noErrors
        ) {
            try await routes.style.subscribe(
                PreparedOperation<any Sendable>(operation), variables: request.variables,
                parameters: routed.caller?.parameters, tagMask: routed.caller?.fingerprint,
                owner: routed.caller?.identity)
        }
    }

    /// Adds the token of the position after the commits of the operation, if the database has several servers. A client
    /// without access to header fields, such as one on a socket, needs it here.
    private func addPosition(to response: inout GraphQLResponse) {
        guard let positions = routes.settings.positions, let session = DatabaseSession.current,
            let token = positions.token(of: session)
        else { return }
        response.add(extensions: ["databasePosition": .string(token)])
    }

    /// Reads the preference `tx=rollback`, which applies to mutations that follow from the rules of resources.
    private mutating func readPreferences(of operation: PlannedOperation) {
        guard operation.definition.operation == .mutation, routes.hasDerivedWrites else { return }
        isRolledBack = routed.preferences.isRolledBack
    }

    /// Refuses the whole request if a field needs a claim that the caller does not have. If the conditions of a role
    /// compare claims, a query has a single response, so no part has been sent before the check.
    /// - Throws: `GraphQLRequestError` with status 403.
    private static func checkClaims(_ errors: [GraphQLError]) throws {
        for error in errors {
            guard let underlying = error.underlyingError as? ParameterError else { continue }
            let problem = ServiceError(describing: underlying)
            throw GraphQLRequestError(
                problem.code.httpStatus, ofJSON: .ok, problem.code.graphQLCode, problem.detail)
        }
    }

    /// Returns the error for an operation that is not valid for the role of the caller. If the request contains only
    /// the hash or the name of the document, the errors of the document would name parts of the API that the caller
    /// does not see, so the document is unknown to the caller.
    func error(of request: DecodedRequest, _ errors: GraphQLErrors) -> any Error {
        guard routed.caller != nil, request.request.query == nil else { return errors }
        return routes.settings.graphQL.persistedQueries.isExclusive
            ? GraphQLRequestError.persistedQueryNotInList : GraphQLRequestError.persistedQueryNotFound
    }

    /// Returns true if the response has the cache tags of an operation. A cache stores no response to a query by POST,
    /// and no list of responses. The response to a mutation always contains the cache tags of the entities that the
    /// mutation has changed, so that caches can purge the stored responses with these tags.
    private func namesEntities(of operation: PreparedOperation<any Sendable>) -> Bool {
        routes.settings.caching.namesEntities && !isRolledBack
            && (method != .post || operation.definition.operation == .mutation)
    }

    private mutating func add(
        _ cost: Answer.Cost, _ tags: EntityTags, of operation: PreparedOperation<any Sendable>,
        errors: [GraphQLError]
    ) {
        self.cost = self.cost.map { $0 + cost } ?? cost
        // No cache stores a response with errors, so the response needs no cache tags of a query.
        if errors.isEmpty || operation.definition.operation == .mutation { self.tags.formUnion(tags) }
    }

    /// Returns the `extensions` of the response. They contain the plan if the client requests the plan and the settings
    /// allow it. If the variables are invalid, there is no plan, and the execution of the operation reports the errors.
    private func extensions(for request: DecodedRequest, _ operation: PreparedOperation<any Sendable>) -> ObjectValue {
        guard routes.settings.graphQL.isDebugging, request.request.extensions["plan"] == .bool(true),
            let plan = try? operation.planDescription(variables: request.variables)
        else { return [:] }
        return ["plan": .string(plan)]
    }

    // MARK: The response

    var reporter: @Sendable ([GraphQLError]) -> Void {
        { [routes, requestID = routed.requestID] errors in routes.report(errors, requestID) }
    }

    func requestError(for error: any Error) -> GraphQLRequestError? {
        (error as? RequestProblem).map(GraphQLRequestError.init)
    }

    mutating func respond(_ response: consuming CompleteResponse) throws -> Response {
        let fields = endExecution(response.fields, errors: response.errors)
        // A response with errors has no cache policy, because the next attempt may succeed.
        let cacheControl =
            response.cachePolicy.map(routes.settings.caching.cacheControl) ?? fields[.cacheControl] ?? "no-store"
        return timing.finish(
            try routes.builder.whole(
                response.body, mediaType: response.mediaType.contentType, for: routed, status: response.status,
                cacheControl: cacheControl, headers: fields,
                tag: method != .post && response.errors.isEmpty ? .content : nil,
                read: conditional?.storing(response.cachePolicy)))
    }

    mutating func respond(_ parts: MultipartMixedParts, errors: [GraphQLError]) -> Response {
        let fields = endExecution([:], errors: errors)
        return timing.finish(
            routes.builder.streamed(
                parts, mediaType: MultipartMixedWriter.contentType, for: request, headers: fields))
    }

    func respond(_ events: GraphQLEvents) -> Response {
        routes.builder.events(routes.streams.pieces(of: events, for: routed.caller))
    }

    /// Ends the execution, and reports the errors of the response.
    /// - Returns: The header fields, with the cache tags.
    private mutating func endExecution(_ fields: HTTPFields, errors: [GraphQLError]) -> HTTPFields {
        if let cost = cost.take() { timing.endSQL(cost) }
        if !errors.isEmpty { routes.report(errors, routed.requestID) }
        var fields = fields
        if isRolledBack { fields[.preferenceApplied] = WritePreferences.rollback }
        fields.add(tags)
        fields.add(isReplayed: isReplayed)
        // If the response cannot be created, the endpoint responds with an error, which has no cache tags.
        tags = EntityTags()
        return fields
    }
}

extension PlannedOperation {
    /// True if one short read of the database may be sufficient to execute the operation. Such an operation is a query
    /// with at most about a hundred fields. It has only one root field, which is not an introspection field.
    fileprivate var mayBeShort: Bool {
        guard estimatedBytes <= 256 << 10, definition.operation == .query,
            definition.selectionSet.selections.count == 1,
            case .field(let field) = definition.selectionSet.selections[0]
        else { return false }
        return !field.name.value.hasPrefix("__")
    }
}

extension IncrementalResponse {
    /// The errors of the response, or of its initial part.
    fileprivate var initialErrors: [GraphQLError] {
        switch self {
        case .single(let response), .incremental(let response, _): response.errors
        }
    }
}

extension GraphQLRequestError {
    /// Converts a problem to a GraphQL error with the same status and fields.
    init(_ problem: RequestProblem) {
        self.init(
            problem.type.httpStatus, problem.type.graphQLCode, problem.detail, fields: problem.fields)
    }
}
