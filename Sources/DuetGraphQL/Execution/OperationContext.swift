internal import Synchronization

/// The context of a request, or of an event of a subscription. All resolvers of the request or event share it.
public final class OperationContext: Sendable {
    /// The operation that is executed. The context keeps the operation with all its cached plans in memory, even after
    /// the cache has evicted the operation.
    let planned: PlannedOperation
    /// The coerced variables.
    public let variables: ObjectValue
    /// The value that the caller of `execute` passed for the resolvers, such as a user, a loader or a database.
    /// ``FieldContext/userContext`` and ``userContext(as:)`` return this value with its Swift type.
    public let userContext: any Sendable
    let plan: OperationPlan
    /// The event of a subscription, which is the value of the root field if the field has no subtree resolver; nil if
    /// no event is executed.
    let event: ResolvedValue?
    let dynamicCachePolicy = DynamicCachePolicy()
    private let variableArguments = Mutex<[Int32: Result<ObjectValue, GraphQLError>]>([:])

    init(
        _ planned: PlannedOperation, variables: ObjectValue, userContext: any Sendable, plan: OperationPlan,
        event: ResolvedValue? = nil
    ) {
        self.planned = planned
        self.variables = variables
        self.userContext = userContext
        self.plan = plan
        self.event = event
    }

    /// Creates the context of an event.
    /// - Parameter operation: The context of the request that started the subscription.
    convenience init(_ operation: OperationContext, event: ResolvedValue) {
        self.init(
            operation.planned, variables: operation.variables, userContext: operation.userContext, plan: operation.plan,
            event: event)
    }

    var resolvedSchema: ResolvedSchema { planned.resolvedSchema }
    var document: Document { planned.document }
    /// The schema.
    public var schema: Schema { resolvedSchema.schema }

    /// Returns the coerced arguments of a field of this operation with their Swift types, for subtree resolvers.
    ///
    ///     let first = try operation.fieldArguments(of: field).int("first")
    /// - Throws: An error with its location in the document.
    public func fieldArguments(of field: PlannedField) throws(GraphQLError) -> FieldArguments {
        FieldArguments(try arguments(of: field), of: field, in: schema)
    }

    /// Returns the coerced arguments of a field of this operation as values (CoerceArgumentValues), for subtree
    /// resolvers. ``fieldArguments(of:)`` returns them with their Swift types.
    /// - Throws: An error with its location in the document.
    public func arguments(of field: PlannedField) throws(GraphQLError) -> ObjectValue {
        switch field.arguments {
        case .constant(let values): return values
        case .invalid(let error): throw error
        case .dependsOnVariables:
            let result = variableArguments.withLock { results in
                if let result = results[field.planPosition.id] { return result }
                let result = Result { () throws(GraphQLError) in
                    try ArgumentCoercion.coerce(
                        field.field.arguments, of: field.nodes[0], variables: variables, schema: schema,
                        source: document.source)
                }
                results[field.planPosition.id] = result
                return result
            }
            return try result.get()
        }
    }
}
