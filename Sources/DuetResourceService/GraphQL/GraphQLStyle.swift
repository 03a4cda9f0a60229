public import DuetGraphQL
public import DuetJSON
import DuetResultSetJSON
public import DuetSQLDatabase
import Synchronization

/// The GraphQL API of a service: the schema with its resolvers, and the execution of operations. The type is
/// independent of HTTP.
public struct GraphQLStyle: Sendable {
    /// The schema in the schema definition language.
    public let sdl: String
    /// The schema with its resolvers.
    public let schema: ExecutableSchema<any Sendable>
    /// True if a condition or a rule for writes of the catalogue has a parameter.
    private let hasParameters: Bool
    /// The idempotency key of the operation; nil if there is none.
    package var idempotencyKey: IdempotencyKey?

    /// Creates the GraphQL API of a service.
    /// - Throws: `GraphQLErrors` if the names in the catalogue do not result in a valid schema.
    public init(
        _ service: ResourceService, options: ExecutionOptions = ExecutionOptions()
    ) throws {
        let query = QueryResolver(service)
        let schema = try CatalogueSchema.schema(
            of: service.catalogue, dates: service.encoding.dates, query: query, mutation: MutationResolver(service),
            subscription: query.subscription)
        sdl = Self.sdl(of: schema)
        hasParameters = service.catalogue.resources.contains { resource in
            Change.Kind.allCases.contains { !resource.parameters(of: $0).isEmpty }
        }
        self.schema = try ExecutableSchema(schema, userContext: (any Sendable).self, options: options)
    }

    /// Returns the schema of a catalogue in the schema definition language.
    /// - Throws: `GraphQLErrors` if the names in the catalogue do not result in a valid schema.
    public static func sdl(of catalogue: Catalogue) throws -> String {
        sdl(of: try CatalogueSchema.schema(of: catalogue))
    }

    static func sdl(of schema: Schema) -> String { schema.print(.annotated) + "\n" }

    /// The response to an operation and its metadata.
    public struct Execution<Response: Sendable>: Sendable {
        /// The response.
        public var response: Response
        /// The database cost of all fields, excluding fields that are delivered later.
        public var cost: Answer.Cost
        /// The names of the entities on which the response depends, and of those that the operation has changed; empty
        /// if the caller did not request them.
        public var tags: EntityTags
        /// True if an earlier request with the same idempotency key has performed the changes.
        package var isReplayed = false

        /// The reasons why the database rejected changes, in its own words. They are for the log only.
        package var rejections: [String] = []

        /// The number of times that the inputs of a mutation field were read.
        package var inputReads: Int

        init(_ response: Response, _ record: RequestRecord) {
            self.response = response
            (cost, tags, rejections) = record.result
            isReplayed = record.isReplayed
            inputReads = record.inputReads
            tags.limitSize()
        }

        init<Other>(_ response: Response, of other: Execution<Other>) {
            self.response = response
            (cost, tags, rejections) = (other.cost, other.tags, other.rejections)
            isReplayed = other.isReplayed
            inputReads = other.inputReads
        }
    }

    /// Executes an operation.
    /// - Parameters:
    ///   - operation: An operation of ``schema``.
    ///   - variables: The variables before coercion.
    ///   - extensions: The entries of the response's `extensions`.
    ///   - namesEntities: True to set ``Execution/tags``.
    ///   - deadline: The deadline of the operation's transactions.
    ///   - parameters: The values of the parameters in conditions, by name; nil for
    ///     ``ResourceService/parameters`` of the service.
    ///   - tagMask: The digest of the permissions of the caller; nil for ``ResourceService/tagMask`` of the service.
    ///   - isRolledBack: True to perform mutations with all checks, but to store nothing.
    /// - Throws: `CancellationError` if the task is canceled. The response contains all other errors.
    public func execute(
        _ operation: PreparedOperation<any Sendable>, variables: ObjectValue, extensions: ObjectValue = [:],
        namesEntities: Bool, deadline: Deadline, parameters: [String: JSONValue]? = nil, tagMask: BodyDigest? = nil,
        isRolledBack: Bool = false
    ) async throws(CancellationError) -> Execution<GraphQLResponse> {
        let record = RequestRecord(
            namesEntities: namesEntities, deadline: deadline, parameters: parameters, tagMask: tagMask,
            idempotencyKey: idempotencyKey, isRolledBack: isRolledBack)
        let response = try await operation.planned.execute(
            variables: variables, userContext: record, extensions: extensions)
        return Execution(response, record)
    }

    /// Executes an operation with incremental delivery of the fragments with `@defer` and the lists with `@stream`. For
    /// the parameters and errors, see
    /// ``execute(_:variables:extensions:namesEntities:deadline:parameters:tagMask:isRolledBack:)``.
    ///
    /// If a condition or rule of the catalogue has a parameter, or the operation has an idempotency key, the operation
    /// has a single response. The error for a parameter without a value, or for the key, refuses the whole request. A
    /// first part would already be sent when a later part fails.
    public func executeIncrementally(
        _ operation: PreparedOperation<any Sendable>, variables: ObjectValue, extensions: ObjectValue = [:],
        namesEntities: Bool, deadline: Deadline, parameters: [String: JSONValue]? = nil, tagMask: BodyDigest? = nil,
        isRolledBack: Bool = false
    ) async throws(CancellationError) -> Execution<IncrementalResponse> {
        if hasParameters || idempotencyKey != nil, operation.definition.operation != .subscription {
            let single = try await execute(
                operation, variables: variables, extensions: extensions, namesEntities: namesEntities,
                deadline: deadline, parameters: parameters, tagMask: tagMask, isRolledBack: isRolledBack)
            return Execution(.single(single.response), of: single)
        }
        let record = RequestRecord(
            namesEntities: namesEntities, deadline: deadline, parameters: parameters, tagMask: tagMask,
            idempotencyKey: idempotencyKey, isRolledBack: isRolledBack)
        return Execution(
            try await operation.executeIncrementally(
                variables: variables, userContext: record, extensions: extensions), record)
    }
}

extension GraphQLStyle {
    /// Starts a subscription. The response stream has the current value, and a response each time the value has
    /// changed.
    /// - Parameters:
    ///   - operation: An operation of ``schema``.
    ///   - variables: The variables before coercion.
    ///   - parameters: The values of the parameters in conditions, by name; nil for
    ///     ``ResourceService/parameters`` of the service.
    ///   - tagMask: The digest of the permissions of the caller; nil for ``ResourceService/tagMask`` of the service.
    ///   - owner: The identity of the caller, whose subscriptions are limited; nil without one.
    /// - Throws: `CancellationError` if the task is canceled. The response contains all other errors.
    public func subscribe(
        _ operation: PreparedOperation<any Sendable>, variables: ObjectValue,
        parameters: [String: JSONValue]? = nil, tagMask: BodyDigest? = nil, owner: String? = nil
    ) async throws(CancellationError) -> SubscriptionResponse {
        let record = RequestRecord(
            namesEntities: false, deadline: .never, parameters: parameters, tagMask: tagMask, idempotencyKey: nil,
            isRolledBack: false, owner: owner)
        return try await operation.planned.subscribe(variables: variables, rootValue: (), userContext: record)
    }
}

/// The state that the resolvers of one request share: the deadline, the values of parameters, the total cost and the
/// names of the entities. A record is the user context of the execution.
final class RequestRecord: Sendable {
    private struct State {
        var cost = Answer.Cost()
        var tags = EntityTags()
        var isReplayed = false
        var rejections: [String] = []
        var claims: Result<Void, ParameterError>?
        var inputReads = 0
    }

    let namesEntities: Bool
    let deadline: Deadline
    /// The values of the parameters in conditions; nil for those of the service.
    let parameters: [String: JSONValue]?
    /// The digest of the permissions of the caller; nil for that of the service.
    let tagMask: BodyDigest?
    /// The idempotency key of the operation; nil if there is none.
    let idempotencyKey: IdempotencyKey?
    /// True to store nothing.
    let isRolledBack: Bool
    /// The identity of the caller; nil without one.
    let owner: String?
    private let state = Mutex(State())

    init(
        namesEntities: Bool, deadline: Deadline, parameters: [String: JSONValue]?, tagMask: BodyDigest?,
        idempotencyKey: IdempotencyKey?, isRolledBack: Bool, owner: String? = nil
    ) {
        self.owner = owner
        self.tagMask = tagMask
        self.idempotencyKey = idempotencyKey
        self.isRolledBack = isRolledBack
        self.namesEntities = namesEntities
        self.deadline = deadline
        self.parameters = parameters
    }

    /// The total cost, the names of the entities of all fields, and the reasons why the database rejected changes.
    var result: (cost: Answer.Cost, tags: EntityTags, rejections: [String]) {
        state.withLock { ($0.cost, $0.tags, $0.rejections) }
    }

    /// Returns the result of the check of the claims of all mutation fields. Only the first call runs the check,
    /// because it reads the inputs of all fields.
    func checkClaims(_ check: () -> Result<Void, ParameterError>) -> Result<Void, ParameterError> {
        if let claims = state.withLock({ $0.claims }) { return claims }
        let claims = check()
        state.withLock { $0.claims = claims }
        return claims
    }

    /// The number of times that the inputs of a mutation field were read.
    var inputReads: Int { state.withLock { $0.inputReads } }

    func noteRead() { state.withLock { $0.inputReads += 1 } }

    func add(rejection: String) { state.withLock { $0.rejections.append(rejection) } }

    /// True if an earlier request with the same idempotency key has performed the changes.
    var isReplayed: Bool { state.withLock { $0.isReplayed } }

    func noteReplay() { state.withLock { $0.isReplayed = true } }

    func add(_ cost: Answer.Cost, _ tags: EntityTags) {
        state.withLock { state in
            state.cost = state.cost + cost
            state.tags.formUnion(tags)
        }
    }
}

extension OperationContext {
    /// The record of the request; nil if the operation is executed without ``GraphQLStyle``.
    var record: RequestRecord? { userContext as? RequestRecord }
}
