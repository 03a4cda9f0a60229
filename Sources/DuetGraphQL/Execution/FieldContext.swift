internal import Synchronization

/// What a resolver is told besides its source. There is one for each field of an operation, whatever the number of objects.
public final class FieldContext: Sendable {
    /// The field as the operation asks for it.
    public let field: PlannedField
    /// The request it belongs to.
    public let operation: OperationContext
    /// The field's arguments, coerced; one without a value is not there.
    public let arguments: ObjectValue

    /// - Throws: what is wrong with the arguments.
    init(_ field: PlannedField, _ operation: OperationContext) throws(GraphQLError) {
        self.field = field
        self.operation = operation
        arguments = try operation.arguments(of: field)
    }

    /// An argument's value; nil if it has none.
    public subscript(argument: String) -> Value? { arguments[argument] }
}

/// One request being executed: what all its resolvers share.
public final class OperationContext: Sendable {
    /// The schema with its resolvers.
    public let schema: ExecutableSchema
    /// The operation's variables, coerced.
    public let variables: ObjectValue
    /// What the caller gave along for the resolvers: who asks, a loader, a database.
    public let userContext: any Sendable
    let document: Document
    let plan: OperationPlan
    /// The value of a subscription's root field.
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

    /// The coerced arguments of a field of this operation (CoerceArgumentValues), which a subtree resolver asks for.
    /// - Throws: what is wrong with them, with its place in the document.
    public func arguments(of field: PlannedField) throws(GraphQLError) -> ObjectValue {
        switch field.arguments {
        case .constant(let values): return values
        case .invalid(let error): throw error
        case .dependsOnVariables:
            let result = variableArguments.withLock { known in
                if let result = known[field.planPosition.id] { return result }
                let result = Result { () throws(GraphQLError) in
                    try ArgumentCoercion.coerce(
                        field.field.arguments, of: field.nodes[0], variables: variables, schema: schema.schema,
                        source: document.source)
                }
                known[field.planPosition.id] = result
                return result
            }
            return try result.get()
        }
    }
}
