import DuetGraphQL
import DuetJSON
import HTTPSemantics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import PersistedQueries
import ResourceService
import SQLDatabase

/// GraphQL over HTTP: which operation a request is, and what becomes of the response.
struct GraphQLRoutes: Sendable {
    private let face: GraphQLFace
    let operations: PreparedOperationCache
    /// The schema in the schema definition language.
    var sdl: String { face.sdl }
    private let documents: DocumentFinder
    private let decodedRequests = DecodedRequestCache()
    private let settings: ServerSettings
    private let requestTimeout: Duration
    private let builder: ResponseBuilder
    private let revalidator: Revalidator
    private let explorer: WebPageRoutes
    private let observe: ServerObserver

    /// - Parameters:
    ///   - queries: has the documents that requests mean by hash.
    ///   - explorer: has the page that a browser gets.
    /// Operations of manifests are prepared here, before the first request; what is wrong with them is told to the observer.
    /// - Throws: if the schema that is compiled in cannot be used.
    init(
        service: ResourceService, queries: PersistedQueries, settings: ServerSettings, explorer: WebPageRoutes,
        observe: @escaping ServerObserver
    ) throws {
        var options = ExecutionOptions()
        options.isIntrospectionEnabled = settings.graphQL.isIntrospectionEnabled
        options.operationLimits = settings.graphQL.limits
        face = try GraphQLFace(service, options: options)
        let validation = ValidationOptions(suggestsNames: settings.graphQL.isIntrospectionEnabled)
        operations = PreparedOperationCache(schema: face.schema, limits: settings.graphQL.parserLimits) {
            Validation.validate($0, against: $1, options: validation)
        }
        documents = DocumentFinder(queries: queries, settings: settings.graphQL.persistedQueries, observe: observe)
        self.settings = settings
        requestTimeout = service.requestTimeout
        self.explorer = explorer
        self.observe = observe
        for (listed, source) in zip(queries.manifest.operations, queries.manifest.sources) {
            do throws(GraphQLErrors) {
                _ = try operations.operation(in: listed.document, named: listed.name)
            } catch {
                observe(.listedQueryUnusable(id: listed.id, source: source, error))
            }
        }
        builder = ResponseBuilder(settings: settings)
        revalidator = Revalidator(service.database)
    }

    var routes: [Route] {
        [
            Route(
                .get, "/graphql", "A GraphQL query; for browsers, a page to write some",
                parameters: ["query", "documentId", "variables", "operationName", "extensions"], handler: get
            ).described(Self.getContract),
            Route(.post, "/graphql", "A GraphQL query or mutation", handler: post).described(Self.postContract),
        ]
    }

    // MARK: Requests

    private func get(_ exchange: Exchange) async throws -> Response {
        var timing = ServerTiming()
        var mediaType = GraphQLMediaType.json
        do {
            let known = decodedRequests.known(exchange.request.uri)
            let wish = try GraphQLNegotiation(
                exchange.request.headers, offersPage: known == nil && exchange.rawQuery == nil)
            mediaType = wish.mediaType
            if mediaType == .html { return try explorer.page(exchange) }
            let decoded = try known ?? decodedRequests.decode(exchange.request.uri)
            let read =
                wish.acceptsParts
                ? nil : revalidator.read(exchange.request, mediaType: wish.mediaType.contentType)
            if let known = read?.current, !decoded.reference.isRegistration {
                // Whether it may be run is asked all the same, and that it was used is noted.
                _ = try await documents.document(decoded.reference)
                timing.endParse()
                return builder.notModified(known, for: exchange.request, timing: timing)
            }
            return try await answer(decoded, wish, exchange, &timing, read)
        } catch {
            return try refusal(error, mediaType, exchange, timing)
        }
    }

    private func post(_ exchange: Exchange) async throws -> Response {
        var timing = ServerTiming()
        var mediaType = GraphQLMediaType.json
        do {
            let wish = try GraphQLNegotiation(exchange.request.headers, offersPage: false)
            mediaType = wish.mediaType
            try GraphQLRequestBody.checkFields(exchange.request.headers)
            let bytes = try await exchange.bytes(limit: settings.maximumBodySize)
            switch try GraphQLRequestBody(
                bytes.readableBytesView, maximumBatchSize: settings.graphQL.maximumBatchSize)
            {
            case .single(let request):
                return try await answer(DecodedRequest(request), wish, exchange, &timing)
            case .batch(let requests): return try await answer(requests, wish, exchange, &timing)
            }
        } catch {
            return try refusal(error, mediaType, exchange, timing)
        }
    }

    /// What is wrong with a request, in the form of a GraphQL response; anything else goes on.
    private func refusal(
        _ error: any Error, _ mediaType: GraphQLMediaType, _ exchange: Exchange, _ timing: ServerTiming
    ) throws -> Response {
        let refused: GraphQLRequestError
        switch error {
        case let error as GraphQLRequestError: refused = error
        case let problem as Problem: refused = GraphQLRequestError(problem)
        default: throw error
        }
        var timing = timing
        timing.endParse()
        return try response(
            refused.response, mediaType, exchange, timing,
            status: mediaType.isGraphQL ? refused.status : refused.statusOfJSON, headers: refused.fields)
    }

    // MARK: Execution

    /// A request's operation, from the cache or made now; an error that is its response.
    private func prepare(
        _ decoded: DecodedRequest, in document: DocumentFinder.Found, _ exchange: Exchange, _ timing: inout ServerTiming
    ) throws -> Result<PreparedOperation, GraphQLErrors> {
        let operation: PreparedOperation
        var last = PreparedOperationCache.Step.lookUp
        do throws(GraphQLErrors) {
            operation = try operations.operation(in: document.text, named: decoded.request.operationName) { step in
                last = step
                switch step {
                case .lookUp, .parse: timing.endParse()
                case .validate: timing.endValidate()
                case .plan: timing.endPlan()
                }
            }
        } catch {
            return .failure(
                error.coded(last == .validate ? "GRAPHQL_VALIDATION_FAILED" : "GRAPHQL_PARSE_FAILED"))
        }
        let method = exchange.request.method == .head ? .get : exchange.request.method
        try GraphQLRequestError.check(operation.definition.operation, method: method)
        return .success(operation)
    }

    /// Keeps a document that was sent to be kept, now that it is known to be a good one.
    private func register(_ document: DocumentFinder.Found, _ timing: inout ServerTiming) async {
        await documents.register(document)
        timing.endPlan()
    }

    private func answer(
        _ decoded: DecodedRequest, _ wish: GraphQLNegotiation, _ exchange: Exchange, _ timing: inout ServerTiming,
        _ read: ConditionalRead? = nil
    ) async throws -> Response {
        let deadline = Deadline.after(requestTimeout)
        let document = try await documents.document(decoded.reference)
        let operation: PreparedOperation
        switch try prepare(decoded, in: document, exchange, &timing) {
        case .success(let prepared): operation = prepared
        case .failure(let errors):
            return try response(GraphQLResponse(requestErrors: errors), wish.mediaType, exchange, timing)
        }
        if document.registration != nil { await register(document, &timing) }
        let isMutation = operation.definition.operation == .mutation
        let record = RequestRecord(
            namesEntities: settings.caching.namesEntities && (exchange.request.method != .post || isMutation),
            deadline: deadline)
        let extensions = extensions(for: decoded, operation)
        guard wish.acceptsParts else {
            let executed = try await operation.execute(
                variables: decoded.variables, userContext: record, extensions: extensions)
            return try response(executed, of: operation, record, wish, exchange, timing, read)
        }
        switch try await operation.executeIncrementally(
            variables: decoded.variables, userContext: record, extensions: extensions)
        {
        case .single(let executed):
            return try response(executed, of: operation, record, wish, exchange, timing, read)
        case .incremental(let first, let next):
            report(first, exchange)
            let recorded = record.result
            timing.endSQL(recorded.cost)
            return builder.streamed(
                MultipartMixedParts(first: first.body, next: next), mediaType: MultipartMixedWriter.contentType,
                for: exchange.request, timing: timing,
                headers: Self.fields(recorded.tags, first, of: operation, isWhole: false))
        }
    }

    /// Several requests, one after the other, as many responses in one list.
    private func answer(
        _ requests: [GraphQLRequest], _ wish: GraphQLNegotiation, _ exchange: Exchange, _ timing: inout ServerTiming
    ) async throws -> Response {
        // A batch is one HTTP request, so its operations share one deadline.
        let deadline = Deadline.after(requestTimeout)
        let reads = RequestRecord(deadline: deadline)
        // Caches purge the entities that mutations have written; they do not store the response itself.
        let writes = RequestRecord(namesEntities: settings.caching.namesEntities, deadline: deadline)
        var body = ByteBuffer(string: "[")
        for (index, request) in requests.enumerated() {
            if index > 0 { body.writeStaticString(",") }
            let executed: GraphQLResponse
            do {
                let decoded = try DecodedRequest(request)
                let document = try await documents.document(decoded.reference)
                switch try prepare(decoded, in: document, exchange, &timing) {
                case .success(let operation):
                    if document.registration != nil { await register(document, &timing) }
                    executed = try await operation.execute(
                        variables: decoded.variables,
                        userContext: operation.definition.operation == .mutation ? writes : reads,
                        extensions: extensions(for: decoded, operation))
                case .failure(let errors): executed = GraphQLResponse(requestErrors: errors)
                }
            } catch let error as GraphQLRequestError {
                executed = error.response
            }
            report(executed, exchange)
            body.writeImmutableBuffer(executed.coded().body)
        }
        body.writeStaticString("]")
        let written = writes.result
        timing.endSQL(reads.result.cost + written.cost)
        var fields: HTTPFields = [:]
        fields.add(written.tags)
        return try builder.whole(
            Self.framed(body, wish.mediaType), mediaType: wish.mediaType.contentType, for: exchange.request,
            timing: timing, headers: fields, tag: nil)
    }

    /// `extensions.plan` for who asks for it, where that is allowed. Variables that cannot be used have no plan; executing
    /// the operation tells what is wrong with them.
    private func extensions(for decoded: DecodedRequest, _ operation: PreparedOperation) -> ObjectValue {
        guard settings.graphQL.isDebugging, decoded.request.extensions["plan"] == .bool(true),
            let plan = try? operation.planDescription(variables: decoded.variables)
        else { return [:] }
        return ["plan": .string(plan)]
    }

    // MARK: Responses

    /// The response of an operation that was executed, in one piece.
    private func response(
        _ executed: consuming GraphQLResponse, of operation: PreparedOperation, _ record: RequestRecord,
        _ wish: GraphQLNegotiation, _ exchange: Exchange, _ timing: ServerTiming, _ read: ConditionalRead?
    ) throws -> Response {
        var timing = timing
        let recorded = record.result
        timing.endSQL(recorded.cost)
        let fields = Self.fields(recorded.tags, executed, of: operation, isWhole: true)
        return try response(executed, wish.mediaType, exchange, timing, headers: fields, read: read)
    }

    /// Names what caches have to forget, or keep under a name. What a mutation has written is to be forgotten, whatever went wrong
    /// besides; what has errors or comes in parts is kept by nobody.
    private static func fields(
        _ tags: EntityTags, _ executed: borrowing GraphQLResponse, of operation: PreparedOperation, isWhole: Bool
    ) -> HTTPFields {
        var fields: HTTPFields = [:]
        if operation.definition.operation == .mutation || isWhole && executed.errors.isEmpty { fields.add(tags) }
        return fields
    }

    private func response(
        _ executed: consuming GraphQLResponse, _ mediaType: GraphQLMediaType, _ exchange: Exchange,
        _ timing: ServerTiming, status: HTTPResponse.Status? = nil, headers: consuming HTTPFields = [:],
        read: ConditionalRead? = nil
    ) throws -> Response {
        if executed.kind == .requestError { executed = executed.coded() }
        report(executed, exchange)
        let mediaType = mediaType == .html ? .json : mediaType
        return try builder.whole(
            Self.framed(executed.body, mediaType), mediaType: mediaType.contentType, for: exchange.request,
            timing: timing,
            status: status ?? mediaType.status(for: executed),
            // Where something went wrong there is no policy: it may go well the next time.
            cacheControl: executed.cachePolicy.map(settings.caching.cacheControl) ?? headers[.cacheControl]
                ?? "no-store",
            headers: headers, tag: exchange.request.method != .post && executed.errors.isEmpty ? .fast : nil,
            read: read)
    }

    /// A body as its media type has it: where there may be several parts it is the only one.
    private static func framed(_ body: ByteBuffer, _ mediaType: GraphQLMediaType) -> ByteBuffer {
        guard mediaType == .multipartMixed else { return body }
        var writer = MultipartMixedWriter()
        return writer.part(body, isLast: true)
    }

    /// Tells the log of errors that clients hear little of.
    private func report(_ executed: GraphQLResponse, _ exchange: Exchange) {
        // Fields that failed for the same reason are one failure.
        var told: Set<String> = []
        for error in executed.errors {
            guard let underlying = error.underlyingError, !(underlying is ServiceError), !(underlying is GraphQLError),
                told.insert(String(describing: underlying)).inserted
            else { continue }
            observe(.failure(requestID: exchange.context.requestID, underlying))
        }
    }
}

extension GraphQLRequestError {
    /// A problem as a GraphQL error, with the same status and fields.
    fileprivate init(_ problem: Problem) {
        self.init(
            problem.type.status, problem.type.code.uppercased().replacing("-", with: "_"), problem.detail,
            fields: problem.fields)
    }
}

extension GraphQLResponse {
    /// The same, with a code for each error of a request: what is left without one is about the variables.
    fileprivate func coded() -> GraphQLResponse {
        guard kind == .requestError else { return self }
        return GraphQLResponse(requestErrors: GraphQLErrors(errors).coded("BAD_USER_INPUT"))
    }
}

extension GraphQLErrors {
    /// The same, those without an `extensions.code` with that one.
    fileprivate func coded(_ code: String) -> GraphQLErrors {
        GraphQLErrors(
            map { error in
                guard error.code == nil else { return error }
                var error = error
                error.code = code
                return error
            })
    }
}
