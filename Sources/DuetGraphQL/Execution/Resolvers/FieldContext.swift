/// The second argument of a resolver: the field, its arguments and the user context.
///
/// ``init(of:at:in:variables:userContext:)`` creates a context for a unit test of a resolver.
public struct FieldContext<UserContext: Sendable>: Sendable {
    @usableFromInline let call: FieldCall

    @inlinable
    init(_ call: FieldCall) { self.call = call }

    /// The field, with the selections below it.
    public var field: PlannedField { call.field }

    /// The request.
    public var operation: OperationContext { call.operation }

    /// The value that the caller of `execute` passed for the resolvers, such as a user, a loader or a database.
    @inlinable
    public var userContext: UserContext {
        do {
            return try call.operation.userContext(as: UserContext.self)
        } catch {
            // A prepared operation only accepts a user context of the resolvers' type.
            preconditionFailure("\(error)")
        }
    }

    /// The field's arguments.
    public var arguments: FieldArguments { FieldArguments(call.arguments, of: call.field, in: call.operation.schema) }
}

extension FieldContext {
    /// Creates the context of a field of an operation, so that a unit test can call the field's resolver.
    ///
    ///     let context = try FieldContext(of: "{ books(first: 3) { title } }", in: schema, userContext: library)
    ///     let books = try await books((), context)
    /// - Parameters:
    ///   - document: An operation that selects the field. It is validated.
    ///   - path: The response names of the enclosing fields and of the field. It can be empty if the operation has one
    ///     root field. If the type of an enclosing field is an interface or a union, the path continues in the first
    ///     possible object type from which the next field is selected.
    ///   - schema: The schema.
    ///   - variables: The operation's variables before coercion.
    ///   - userContext: The value that the resolvers get as ``userContext``.
    /// - Throws: `GraphQLErrors` for an invalid document, invalid variables or arguments, or a path that does not lead
    ///   to a field.
    public init(
        of document: String, at path: [String] = [], in schema: ExecutableSchema<UserContext>,
        variables: ObjectValue = [:],
        userContext: UserContext
    ) throws(GraphQLErrors) {
        let prepared = try schema.prepare(document)
        let operation = try prepared.planned.context(variables, userContext)
        do {
            self.init(try FieldCall(try operation.plan.root.field(at: path, in: operation.schema), operation))
        } catch {
            throw GraphQLErrors([error])
        }
    }
}

extension FieldContext where UserContext == Void {
    /// Creates the context of a field of an operation, for a schema without a user context.
    /// - Throws: `GraphQLErrors` for an invalid document, invalid variables or arguments, or a path that does not lead
    ///   to a field.
    public init(
        of document: String, at path: [String] = [], in schema: ExecutableSchema<Void>, variables: ObjectValue = [:]
    ) throws(GraphQLErrors) {
        try self.init(of: document, at: path, in: schema, variables: variables, userContext: ())
    }
}

extension PlannedSelection {
    /// Returns the field at a path of response names. For an empty path, returns the only field.
    fileprivate func field(at path: [String], in schema: Schema) throws(GraphQLError) -> PlannedField {
        if path.isEmpty, fields.count > 1 {
            let names = fields.map(\.responseName).joined(separator: ", ")
            throw GraphQLError(
                "The operation has several root fields: \(names). Pass a path, as in at: [\"\(fields[0].responseName)\"]."
            )
        }
        let name = path.first ?? fields.first?.responseName ?? ""
        guard let field = fields.first(where: { $0.responseName == name }) else {
            let names = fields.map(\.responseName).joined(separator: ", ")
            throw GraphQLError("The operation does not select \"\(name)\" from \(type.name); it selects \(names).")
        }
        if path.count < 2 { return field }
        let below = try field.output.selections(in: schema)
        let next = below.first { $0.fields.contains { $0.responseName == path[1] } } ?? below.first
        guard let next else {
            throw GraphQLError("The path continues after \"\(name)\", but this field has no subfields.")
        }
        return try next.field(at: Array(path.dropFirst()), in: schema)
    }
}

extension PlannedOutput {
    /// Returns the selections on each possible object type of the value, or of the innermost items of a list.
    fileprivate func selections(in schema: Schema) throws(GraphQLError) -> [PlannedSelection] {
        switch kind {
        case .object(let selection): return [selection]
        case .list(let item): return try item.selections(in: schema)
        case .abstract(let abstract):
            var selections: [PlannedSelection] = []
            for type in schema.possibleTypes(of: abstract.type) { selections.append(try abstract.selection(for: type)) }
            return selections
        case .scalar, .enum: return []
        }
    }
}
