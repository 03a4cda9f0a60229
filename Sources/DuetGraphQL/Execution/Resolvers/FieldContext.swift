/// The second argument of a resolver: the field, its arguments and the user context.
///
/// ``init(of:at:in:variables:userContext:)`` makes one for a unit test of a resolver.
public struct FieldContext<UserContext: Sendable>: Sendable {
    @usableFromInline let call: FieldCall

    @inlinable
    init(_ call: FieldCall) { self.call = call }

    /// The field, with the selections below it.
    public var field: PlannedField { call.field }

    /// The request.
    public var operation: OperationContext { call.operation }

    /// The caller's value for the resolvers, such as a user, a loader or a database.
    @inlinable
    public var userContext: UserContext {
        do {
            return try SourceCast.cast(call.operation.userContext, to: UserContext.self)
        } catch {
            // A prepared operation takes only a user context of the type that its resolvers need.
            preconditionFailure("\(error)")
        }
    }

    /// The field's arguments.
    public var arguments: FieldArguments { FieldArguments(call.arguments, of: call.field) }
}

extension FieldContext {
    /// Makes the context that a field of an operation has, so that a unit test can call its resolver.
    ///
    ///     let context = try FieldContext(of: "{ books(first: 3) { title } }", in: schema, userContext: library)
    ///     let books = try await books((), context)
    /// - Parameters:
    ///   - document: an operation that selects the field. It is validated.
    ///   - path: the response names of the field and of the fields that contain it. It can be empty if the operation has one root field.
    ///   - schema: the schema.
    ///   - variables: the operation's variables before coercion.
    ///   - userContext: the value for the resolvers.
    /// - Throws: `GraphQLErrors` for an invalid document, invalid variables or arguments, or a path without a field.
    public init(
        of document: String, at path: [String] = [], in schema: ExecutableSchema<UserContext>,
        variables: ObjectValue = [:],
        userContext: UserContext
    ) throws(GraphQLErrors) {
        let prepared = try schema.prepare(document)
        let operation = try prepared.planned.context(variables, userContext)
        do {
            self.init(try FieldCall(try operation.plan.root.field(at: path), operation))
        } catch {
            throw GraphQLErrors([error])
        }
    }
}

extension FieldContext where UserContext == Void {
    /// Makes the context that a field of an operation has, for a schema without a user context.
    /// - Throws: `GraphQLErrors` for an invalid document, invalid variables or arguments, or a path without a field.
    public init(
        of document: String, at path: [String] = [], in schema: ExecutableSchema<Void>, variables: ObjectValue = [:]
    ) throws(GraphQLErrors) {
        try self.init(of: document, at: path, in: schema, variables: variables, userContext: ())
    }
}

extension PlannedSelection {
    /// The field at a path of response names; the only field for an empty path.
    fileprivate func field(at path: [String]) throws(GraphQLError) -> PlannedField {
        if path.isEmpty, fields.count > 1 {
            let names = fields.map(\.responseName).joined(separator: ", ")
            throw GraphQLError(
                "The operation has several root fields: \(names). Give the path of one, as in at: [\"\(fields[0].responseName)\"].")
        }
        let name = path.first ?? fields.first?.responseName ?? ""
        guard let field = fields.first(where: { $0.responseName == name }) else {
            let names = fields.map(\.responseName).joined(separator: ", ")
            throw GraphQLError("The operation selects no \"\(name)\" from \(type.name); it selects \(names).")
        }
        if path.count < 2 { return field }
        guard let selection = field.selection else {
            throw GraphQLError(
                "The path goes on after \"\(name)\". That is possible after a field whose type is an object type or a list of one, but not after an interface, a union or a scalar."
            )
        }
        return try selection.field(at: Array(path.dropFirst()))
    }
}
