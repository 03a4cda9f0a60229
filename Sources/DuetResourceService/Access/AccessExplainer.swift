import DuetGraphQL
package import DuetJSON

/// Finds the effect of a role on requests. It creates the questions and plans of the requests as the server does, and
/// needs the database only for ``answer(to:)``.
package struct AccessExplainer: Sendable {
    let whole: Catalogue
    /// The whole catalogue, with the default fields that the role sees. Therefore the question of a request names a
    /// hidden field only if the request does.
    let declared: Catalogue
    /// The service of the role, with the claims of the caller.
    let service: ResourceService
    /// The service of the role without its permissions to make changes.
    private let readingService: ResourceService
    let sentences: FilterSentence

    /// Creates an explainer.
    /// - Parameters:
    ///   - service: The service without roles.
    ///   - role: The role of the caller.
    ///   - claims: The claims of the caller's token.
    /// - Throws: ``RoleError`` for an error in the role; ``CatalogueError``.
    package init(_ service: ResourceService, role: Role, claims: JSONObject) throws {
        whole = service.catalogue
        var restricted = try service.restricted(to: role)
        var reading = try service.restricted(to: Role(role.name, reads: role.reads))
        for path in role.claims {
            restricted.parameters[path.parameter] = path.value(in: claims)
            reading.parameters[path.parameter] = path.value(in: claims)
        }
        self.service = restricted
        readingService = reading
        let visible = Dictionary(
            restricted.catalogue.resources.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        declared = try Catalogue(
            whole.resources.map { resource in
                var copy = resource
                if let seen = visible[resource.name] { copy.defaultFields = seen.defaultFields }
                return copy
            }, description: whole.description)
        sentences = FilterSentence(whole, claims: claims)
    }

    /// Returns the effect of the role on a request.
    /// - Throws: `GraphQLErrors` if the names in the catalogue do not result in a valid schema; `CancellationError`.
    package func access(of request: AccessRequest) async throws -> RequestAccess {
        switch request {
        case .rest(let method, let path, let query, let body):
            Self.isRead(method) ? try rest(path, query) : try write(method, path, query, body)
        case .graphQL(let document, let variables): try await graphQL(document, ObjectValue(variables))
        }
    }

    // MARK: REST

    private static func isRead(_ method: String) -> Bool { ["GET", "HEAD"].contains(method) }

    private func rest(_ path: String, _ query: RESTStyle.Query) throws -> RequestAccess {
        let known = OperationPath(path, in: declared)
        var request = QuestionParts(declared)
        // If the request is invalid without roles, the path is the only known part.
        var declaredError: ServiceError?
        if let known {
            request.touch(known.operation.resource)
            if known.operation.rows != .list { request.addKey(of: known.operation.resource) }
            if let relation = known.operation.relation { request.add(relation.name, of: known.operation.resource) }
            do {
                request.add(try question(known, query, declared))
            } catch let error as ServiceError {
                declaredError = error
            }
        }
        guard let permitted = OperationPath(path, in: service.catalogue) else {
            return access(request, [Self.unknownPath(isIndependentOfRole: known == nil)])
        }
        let question: Question
        let plan: Plan
        do {
            question = try self.question(permitted, query, service.catalogue)
            plan = try service.plan(question)
        } catch let error as ServiceError {
            var refusal = RequestAccess.Refusal(error)
            refusal.isIndependentOfRole = declaredError != nil
            return access(request, [refusal])
        }
        var parts = QuestionParts(service.catalogue)
        parts.add(question)
        do {
            _ = try service.arguments(of: plan.parameters)
        } catch let error as ParameterError {
            return access(parts, [RequestAccess.Refusal(error, isGraphQL: false)])
        }
        return access(parts, [])
    }

    static func unknownPath(isIndependentOfRole: Bool) -> RequestAccess.Refusal {
        var refusal = RequestAccess.Refusal(
            status: 404, code: "unknown-path", detail: "this path does not exist; GET / lists the paths")
        refusal.isIndependentOfRole = isIndependentOfRole
        return refusal
    }

    private func question(
        _ path: OperationPath, _ query: RESTStyle.Query, _ catalogue: Catalogue
    ) throws -> Question {
        let style = RESTStyle(service(of: catalogue))
        return try style.question(path.operation, try style.path(path.operation, path.segment), query)
    }

    func service(of catalogue: Catalogue) -> ResourceService {
        ResourceService(catalogue, database: service.database, encoding: service.encoding)
    }

    // MARK: GraphQL

    private func graphQL(_ document: String, _ variables: ObjectValue) async throws -> RequestAccess {
        let outcome = try await QuestionRecorder.outcome(document, variables, service, service.catalogue)
        var parts = QuestionParts(service.catalogue)
        for question in outcome.questions { parts.add(question) }
        var changes = outcome.changes
        var refusals = outcome.errors.map {
            RequestAccess.Refusal($0, isRequestError: outcome.isRequestError)
        }
        if !refusals.isEmpty {
            let declared = try await QuestionRecorder.outcome(document, variables, service, declared)
            parts = QuestionParts(self.declared)
            for question in declared.questions { parts.add(question) }
            changes = declared.changes
            let messages = Set(declared.errors.map(\.message))
            for index in refusals.indices {
                refusals[index].isIndependentOfRole = messages.contains(refusals[index].detail)
            }
        }
        for question in outcome.questions {
            do {
                _ = try service.arguments(of: try service.plan(question).parameters)
            } catch let error as ParameterError {
                // The error refuses the whole request.
                return access(parts, changes, [RequestAccess.Refusal(error, isGraphQL: true)])
            } catch let error as ServiceError {
                refusals.append(RequestAccess.Refusal(GraphQLError(error), isRequestError: false))
            }
        }
        if refusals.isEmpty {
            do {
                for change in changes { try checkClaims(of: change) }
            } catch let error as ParameterError {
                return access(parts, changes, [RequestAccess.Refusal(error, isGraphQL: true)])
            }
        }
        return access(parts, changes, refusals)
    }

    // MARK: Parts

    private func access(_ request: QuestionParts, _ refusals: [RequestAccess.Refusal]) -> RequestAccess {
        access(request, [], refusals)
    }

    func access(
        _ request: QuestionParts, _ changes: [RequestedChange], _ refusals: [RequestAccess.Refusal]
    ) -> RequestAccess {
        RequestAccess(
            parts: request.parts.map(part), changes: changes.flatMap(self.changes), refusals: refusals)
    }

    private func part(_ part: QuestionParts.Part) -> RequestAccess.Part {
        let visible = service.catalogue.resources.first { $0.name == part.resource }
        return RequestAccess.Part(
            resource: part.resource, isVisible: visible != nil,
            fields: part.fields.filter { visible?.field($0) != nil },
            hiddenFields: part.fields.filter { visible?.field($0) == nil },
            hiddenRelations: part.relations.filter { visible?.relation($0) == nil },
            rows: visible.flatMap { seen in
                whole[part.resource].map { sentences.rows(seen.condition, of: $0) }
            } ?? "no rows")
    }

    // MARK: Answers

    /// The response to a request.
    package struct Answer: Sendable {
        /// The status of an HTTP response. Over GraphQL, it is that of `application/graphql-response+json`.
        package let status: Int
        /// The body in JSON. The body of a REST error is the message to the client.
        package let body: String
    }

    /// Reads the response to a request from the database. The explainer never makes a change.
    /// - Returns: The response; nil for a REST request that makes a change.
    /// - Throws: `DatabaseError`; `GraphQLErrors` if the names in the catalogue do not result in a valid schema;
    ///   `CancellationError`.
    package func answer(to request: AccessRequest) async throws -> Answer? {
        let service = readingService
        switch request {
        case .rest(let method, let path, let query, _):
            guard Self.isRead(method) else { return nil }
            guard let path = OperationPath(path, in: service.catalogue) else {
                return Answer(status: 404, body: "this path does not exist")
            }
            do {
                let answer = try await service.answer(try question(path, query, service.catalogue))
                return Answer(status: 200, body: String(buffer: answer.body))
            } catch let error as ParameterError {
                return Self.failed(ServiceError(describing: error))
            } catch let error as ServiceError {
                return Self.failed(error)
            }
        case .graphQL(let document, let variables):
            let style = try GraphQLStyle(service)
            let response: GraphQLResponse
            do {
                response = try await style.execute(
                    try style.schema.prepare(document), variables: ObjectValue(variables), namesEntities: false,
                    deadline: .after(service.requestTimeout)
                ).response
            } catch let errors as GraphQLErrors {
                return Answer(status: 400, body: GraphQLResponse(requestErrors: errors).text)
            }
            let claims = [ServiceError.Code.claimMissing, .claimMismatch].map(\.graphQLCode)
            let status =
                response.hasData
                ? 200 : response.errors.contains { $0.code.map(claims.contains) == true } ? 403 : 400
            return Answer(status: status, body: response.text)
        }
    }

    private static func failed(_ error: ServiceError) -> Answer {
        Answer(status: error.code.status, body: error.detail)
    }
}

/// The operation at a path, with the values in the path.
struct OperationPath {
    let operation: RESTOperation
    private let values: [String: String]

    /// Finds the operation with a method at an encoded path; nil if there is none.
    init?(_ path: String, method: String = "GET", in catalogue: Catalogue) {
        let segments = path.split(separator: "/", omittingEmptySubsequences: true)
        for operation in catalogue.operations where operation.method == method {
            let template = operation.path.split(separator: "/")
            guard template.count == segments.count else { continue }
            var values: [String: String] = [:]
            let isMatch = zip(template, segments).allSatisfy { name, segment in
                guard name.hasPrefix("{") else { return name == segment }
                values[name.filter { $0 != "{" && $0 != "}" }] = String(segment)
                return true
            }
            guard isMatch else { continue }
            self.operation = operation
            self.values = values
            return
        }
        return nil
    }

    /// Returns the encoded path segment of parameters, such as `orderId,productId`.
    func segment(_ parameters: String) -> String { values[parameters] ?? "" }
}
