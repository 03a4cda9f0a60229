internal import Synchronization

/// The second argument of a resolver. A field of a request has one context, whatever the number of objects.
public final class FieldContext: Sendable {
    /// The planned field.
    public let field: PlannedField
    /// The request.
    public let operation: OperationContext
    /// The field's coerced arguments, without those that have no value.
    public let arguments: ObjectValue

    /// - Throws: an error if the coercion of the arguments fails.
    init(_ field: PlannedField, _ operation: OperationContext) throws(GraphQLError) {
        self.field = field
        self.operation = operation
        arguments = try operation.arguments(of: field)
    }

    /// The value of an argument; nil if it has none.
    public subscript(argument: String) -> Value? { arguments[argument] }
}

/// The context of a request, which all its resolvers share.
public final class OperationContext: Sendable {
    /// The schema and its resolvers.
    public let schema: ExecutableSchema
    /// The coerced variables.
    public let variables: ObjectValue
    /// The caller's value for the resolvers, such as a user, a loader or a database.
    public let userContext: any Sendable
    let document: Document
    let plan: OperationPlan
    /// The event of a subscription: the value of its root field.
    let event: ResolvedValue?
    let dynamicCachePolicy = DynamicCachePolicy()
    private let variableArguments = Mutex<[Int32: Result<ObjectValue, GraphQLError>]>([:])

    init(
        schema: ExecutableSchema, variables: ObjectValue, userContext: any Sendable, document: Document,
        plan: OperationPlan, event: ResolvedValue? = nil
    ) {
        self.schema = schema
        self.variables = variables
        self.userContext = userContext
        self.document = document
        self.plan = plan
        self.event = event
    }

    /// The coerced arguments of a field of this operation (CoerceArgumentValues), for subtree resolvers.
    /// - Throws: an error with its location in the document.
    public func arguments(of field: PlannedField) throws(GraphQLError) -> ObjectValue {
        switch field.arguments {
        case .constant(let values): return values
        case .invalid(let error): throw error
        case .dependsOnVariables:
            let result = variableArguments.withLock { results in
                if let result = results[field.planPosition.id] { return result }
                let result = Result { () throws(GraphQLError) in
                    try ArgumentCoercion.coerce(
                        field.field.arguments, of: field.nodes[0], variables: variables, schema: schema.schema,
                        source: document.source)
                }
                results[field.planPosition.id] = result
                return result
            }
            return try result.get()
        }
    }
}
