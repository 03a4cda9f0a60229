import DuetGraphQL
import DuetGraphQLHTTP
import DuetHummingbird
import DuetJSON
import DuetPersistedDocuments
import DuetPersistedQueries
import DuetResourceService
import DuetSQLDatabase
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The handlers of the routes of GraphQL over HTTP.
///
/// A request passes four stages: parse → plan → answer → respond. This file measures the time of the stages. A plan
/// contains the SQL statements for a field. The plans of an operation's fields are cached with the operation. If a plan
/// is not cached, a resolver creates it in the answer stage.
struct GraphQLRoutes: Sendable {
    private let style: GraphQLStyle
    var operations: PreparedOperationCache { style.schema.operations }
    /// The schema in the schema definition language.
    var sdl: String { style.sdl }
    private let documents: DocumentFinder
    private let decodedRequests = DecodedRequestCache()
    private let settings: ServerSettings
    private let requestTimeout: Duration
    private let builder: ResponseBuilder
    private let revalidator: Revalidator
    private let explorer: WebPageRoutes
    private let observe: ServerObserver

    /// Creates the routes. The initializer also parses and validates the operations of manifests, before the first
    /// request, and reports their errors to the observer.
    /// - Parameters:
    ///   - queries: The persisted queries, to which requests refer by hash or by name.
    ///   - explorer: The page for browsers.
    /// - Throws: An error in the GraphQL schema of the catalogue.
    init(
        service: ResourceService, queries: PersistedQueries, settings: ServerSettings, explorer: WebPageRoutes,
        observe: @escaping ServerObserver
    ) throws {
        var options = ExecutionOptions()
        options.isIntrospectionEnabled = settings.graphQL.isIntrospectionEnabled
        options.operationLimits = settings.graphQL.limits(of: service.catalogue)
        options.parserLimits = settings.graphQL.parserLimits
        style = try GraphQLStyle(service, options: options)
        documents = DocumentFinder(queries: queries, settings: settings.graphQL.persistedQueries, observe: observe)
        self.settings = settings
        requestTimeout = service.requestTimeout
        self.explorer = explorer
        self.observe = observe
        for (listed, source) in zip(queries.manifest.operations, queries.manifest.sources) {
            do throws(GraphQLErrors) {
                _ = try style.schema.operations.operation(in: listed.text, named: listed.name)
            } catch {
                observe(.listedQueryUnusable(id: listed.id, source: source, error))
            }
        }
        builder = ResponseBuilder(settings: settings)
        revalidator = Revalidator(service)
    }

    // MARK: Requests

    /// The maximum size in bytes of a body that is decoded on the event loop.
    private static let shortBody = 16 << 10

    /// The state of a request that passes through the stages.
    private struct Call {
        let routed: RoutedRequest
        var timing = ServerTiming()
        /// The media type of the response.
        var mediaType = GraphQLMediaType.json
        /// True if the client accepts a multipart response.
        var acceptsParts = false
        var conditional: ConditionalRead?

        var request: Request { routed.request }

        init(_ routed: RoutedRequest) { self.routed = routed }

        /// - Throws: ``GraphQLRequestError/notAcceptable``.
        mutating func negotiate(offersPage: Bool) throws(GraphQLRequestError) {
            let wish = try GraphQLNegotiation(request.headers, offersPage: offersPage)
            (mediaType, acceptsParts) = (wish.mediaType, wish.acceptsParts)
        }
    }

    /// Responds to a query in the URL, or with the page for browsers.
    func get(_ routed: RoutedRequest) async throws -> Response {
        var call = Call(routed)
        do {
            let address = call.request.uri
            let known = decodedRequests.known(address)
            try call.negotiate(offersPage: known == nil && routed.rawQuery == nil)
            if call.mediaType == .html {
                await leaveEventLoop()
                return try explorer.page(routed)
            }
            let request = try known ?? decodedRequests.decode(address)
            if !call.acceptsParts {
                call.conditional = revalidator.read(call.request, mediaType: call.mediaType.contentType)
            }
            let deadline = Deadline.after(requestTimeout)
            // Even a 304 requires the document, because the document may have been removed. In addition, the lookup
            // records the use of the document.
            let document = try await documents.document(request.reference)
            if let current = call.conditional?.current, document.registration == nil {
                call.timing.endParse()
                call.timing.endSQL(Answer.Cost())
                return call.timing.finish(builder.notModified(current, for: call.request))
            }
            let operation = try await prepare(request, in: document, &call)
            if document.registration != nil { await register(document, &call) }
            return try await answer(operation, request, deadline, call)
        } catch {
            return try refusal(error, call)
        }
    }

    /// Responds to an operation or a batch in the body.
    func post(_ routed: RoutedRequest) async throws -> Response {
        var call = Call(routed)
        do {
            try call.negotiate(offersPage: false)
            try GraphQLRequestBody.checkFields(call.request.headers)
            let bytes = try await routed.bytes(limit: settings.maximumBodySize)
            if bytes.readableBytes > Self.shortBody { await leaveEventLoop() }
            let body = try GraphQLRequestBody(
                bytes.readableBytesView, maximumBatchSize: settings.graphQL.maximumBatchSize)
            let deadline = Deadline.after(requestTimeout)
            switch body {
            case .single(let single):
                let request = try DecodedRequest(single)
                let document = try await documents.document(request.reference)
                let operation = try await prepare(request, in: document, &call)
                if document.registration != nil { await register(document, &call) }
                return try await answer(operation, request, deadline, call)
            case .batch(let requests): return try await answer(requests, deadline, call)
            }
        } catch {
            return try refusal(error, call)
        }
    }

    // MARK: Stages

    /// Returns the operation of a request, from the cache or after parsing and validation.
    /// - Throws: `GraphQLErrors` of the document, or ``GraphQLRequestError`` for an operation that the HTTP method of
    ///   the request does not allow.
    private func prepare(
        _ request: DecodedRequest, in document: DocumentFinder.Found, _ call: inout Call
    ) async throws -> PreparedOperation<any Sendable> {
        let name = request.request.operationName
        let operation: PlannedOperation
        if let cached = operations.cachedOperation(in: document.text, named: name) {
            call.timing.endParse()
            operation = cached
        } else {
            await leaveEventLoop()
            operation = try operations.prepareCodedOperation(in: document.text, named: name) { step in
                switch step {
                case .parse: call.timing.endParse()
                case .validate: call.timing.endValidate()
                case .find: break
                case .plan: call.timing.endPlan()
                }
            }
        }
        let method = call.request.method == .head ? .get : call.request.method
        try GraphQLRequestError.check(operation.definition.operation, method: method)
        return PreparedOperation(operation)
    }

    /// Registers a document after its validation.
    private func register(_ document: DocumentFinder.Found, _ call: inout Call) async {
        await documents.register(document)
        call.timing.endPlan()
    }

    private func answer(
        _ operation: PreparedOperation<any Sendable>, _ request: DecodedRequest, _ deadline: Deadline,
        _ call: consuming Call
    ) async throws -> Response {
        let isMutation = operation.definition.operation == .mutation
        let namesEntities = settings.caching.namesEntities && (call.request.method != .post || isMutation)
        let extensions = extensions(for: request, operation)
        if !operation.planned.mayBeShort { await leaveEventLoop() }
        guard call.acceptsParts else {
            let executed = try await style.execute(
                operation, variables: request.variables, extensions: extensions, namesEntities: namesEntities,
                deadline: deadline)
            await ResponseBuilder.leaveEventLoop(toEncode: executed.response.body)
            return try respond(executed.response, executed.cost, executed.tags, isMutation, call)
        }
        let executed = try await style.executeIncrementally(
            operation, variables: request.variables, extensions: extensions, namesEntities: namesEntities,
            deadline: deadline)
        switch executed.response {
        case .single(let response): return try respond(response, executed.cost, executed.tags, isMutation, call)
        case .incremental(let first, let next):
            call.timing.endSQL(executed.cost)
            report(first, call)
            var fields: HTTPFields = [:]
            if isMutation { fields.add(executed.tags) }
            let requestID = call.routed.requestID
            let parts = MultipartMixedParts(initial: first.body, subsequent: next) { report($0, requestID) }
            return call.timing.finish(
                builder.streamed(
                    parts, mediaType: MultipartMixedWriter.contentType, for: call.request, headers: fields))
        }
    }

    /// Executes the requests of a batch sequentially. Returns one HTTP response with the list of their results.
    /// - Parameter deadline: The deadline of the whole batch, which is one HTTP request.
    private func answer(
        _ requests: [GraphQLRequest], _ deadline: Deadline, _ call: consuming Call
    ) async throws -> Response {
        await leaveEventLoop()
        var body = ByteBuffer(string: "[")
        var cost = Answer.Cost()
        var tags = EntityTags()
        for (index, request) in requests.enumerated() {
            if index > 0 { body.writeStaticString(",") }
            let response: GraphQLResponse
            do {
                let request = try DecodedRequest(request)
                let document = try await documents.document(request.reference)
                let operation = try await prepare(request, in: document, &call)
                if document.registration != nil { await register(document, &call) }
                // The response contains the cache tags of the entities that mutations have changed, so that caches can
                // purge the stored responses with these tags. Caches do not store the response to a batch, so it needs
                // no cache tags of queries.
                let executed = try await style.execute(
                    operation, variables: request.variables, extensions: extensions(for: request, operation),
                    namesEntities: settings.caching.namesEntities && operation.definition.operation == .mutation,
                    deadline: deadline)
                response = executed.response
                cost = cost + executed.cost
                tags.formUnion(executed.tags)
            } catch let error as GraphQLRequestError {
                response = error.response
            } catch let errors as GraphQLErrors {
                response = GraphQLResponse(requestErrors: errors)
            }
            report(response, call)
            body.writeImmutableBuffer(response.coded().body)
        }
        body.writeStaticString("]")
        call.timing.endSQL(cost)
        var fields: HTTPFields = [:]
        fields.add(tags)
        return call.timing.finish(
            try builder.whole(
                call.mediaType.framed(body), mediaType: call.mediaType.contentType, for: call.request,
                headers: fields, tag: nil))
    }

    /// Returns the `extensions` of the response. They contain the plan if the client requests the plan and the settings
    /// allow it. If the variables are invalid, there is no plan, and the execution of the operation reports the errors.
    private func extensions(for request: DecodedRequest, _ operation: PreparedOperation<any Sendable>) -> ObjectValue {
        guard settings.graphQL.isDebugging, request.request.extensions["plan"] == .bool(true),
            let plan = try? operation.planDescription(variables: request.variables)
        else { return [:] }
        return ["plan": .string(plan)]
    }

    /// Returns the HTTP response with the complete result of an operation, in contrast to a multipart response.
    private func respond(
        _ response: consuming GraphQLResponse, _ cost: Answer.Cost, _ tags: EntityTags, _ isMutation: Bool,
        _ call: consuming Call
    ) throws -> Response {
        call.timing.endSQL(cost)
        // No cache stores a response with errors, so the response needs no cache tags. The response to a mutation
        // always contains the cache tags of the entities that the mutation has changed.
        var fields: HTTPFields = [:]
        if isMutation || response.errors.isEmpty { fields.add(tags) }
        return try respond(response, call, headers: fields)
    }

    /// Converts a GraphQL response to an HTTP response.
    /// - Parameter refusal: The error of a rejected request. Its status overrides the status of the response.
    private func respond(
        _ response: consuming GraphQLResponse, _ call: consuming Call, headers: consuming HTTPFields = [:],
        refusal: GraphQLRequestError? = nil
    ) throws -> Response {
        if response.kind == .requestError { response = response.coded() }
        report(response, call)
        let mediaType = call.mediaType == .html ? .json : call.mediaType
        let status = refusal.map { call.mediaType.isGraphQL ? $0.status : $0.statusOfJSON }
        return call.timing.finish(
            try builder.whole(
                mediaType.framed(response.body), mediaType: mediaType.contentType, for: call.request,
                status: status ?? mediaType.status(for: response),
                // A response with errors has no cache policy, because the next attempt may succeed.
                cacheControl: response.cachePolicy.map(settings.caching.cacheControl) ?? headers[.cacheControl]
                    ?? "no-store",
                headers: headers, tag: call.request.method != .post && response.errors.isEmpty ? .content : nil,
                read: call.conditional))
    }

    /// Converts an error of the request to a GraphQL response. Rethrows any other error.
    private func refusal(_ error: any Error, _ call: consuming Call) throws -> Response {
        let refused: GraphQLRequestError
        switch error {
        case let errors as GraphQLErrors: return try respond(GraphQLResponse(requestErrors: errors), call)
        case let error as GraphQLRequestError: refused = error
        case let problem as Problem: refused = GraphQLRequestError(problem)
        default: throw error
        }
        call.timing.endParse()
        return try respond(refused.response, call, headers: refused.fields, refusal: refused)
    }

    /// Reports the errors whose details clients do not receive.
    private func report(_ response: GraphQLResponse, _ call: borrowing Call) {
        report(response.errors, call.routed.requestID)
    }

    private func report(_ errors: [GraphQLError], _ requestID: String) {
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

extension GraphQLRequestError {
    /// Converts a problem to a GraphQL error with the same status and fields.
    fileprivate init(_ problem: Problem) {
        self.init(
            problem.type.status, problem.type.code.uppercased().replacing("-", with: "_"), problem.detail,
            fields: problem.fields)
    }
}
