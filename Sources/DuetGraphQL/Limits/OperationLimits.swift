/// The limits for one operation, for servers with untrusted clients. An operation that exceeds a limit is rejected
/// before execution.
///
/// An operation is measured with its fragments expanded. The measurement takes time in proportion to the size of the
/// document, even if the expanded operation is much larger.
public struct OperationLimits: Sendable, Hashable {
    /// The maximum nesting depth of fields.
    public var depth: Int
    /// The maximum nesting depth of fields inside `__schema` and `__type`. These two fields count as the first level.
    /// The default is greater than the default of ``depth``, because introspection queries of tools nest types deeply.
    public var introspectionDepth: Int
    /// The maximum number of fields. The fields of a fragment count once for each spread. This limit bounds the time
    /// for planning.
    public var fields: Int
    /// The maximum number of fields that have an alias, or the response name of an earlier field in the same selection
    /// set.
    public var aliases: Int
    /// The maximum number of directives.
    public var directives: Int
    /// The maximum number of root fields.
    public var rootFields: Int
    /// The maximum cost; see ``CostModel``.
    public var cost: Int

    /// Creates limits for operations from untrusted clients.
    public init(
        depth: Int = 15, introspectionDepth: Int = 25, fields: Int = 5_000, aliases: Int = 100,
        directives: Int = 100, rootFields: Int = 20, cost: Int = 100_000
    ) {
        self.depth = depth
        self.introspectionDepth = introspectionDepth
        self.fields = fields
        self.aliases = aliases
        self.directives = directives
        self.rootFields = rootFields
        self.cost = cost
    }

    /// No limits, for trusted operations and for tests.
    public static let unlimited = OperationLimits(
        depth: .max, introspectionDepth: .max, fields: .max, aliases: .max, directives: .max, rootFields: .max,
        cost: .max)

    /// True if there is a limit other than the cost.
    var limitsExtent: Bool {
        min(depth, introspectionDepth, fields, aliases, directives, rootFields) < .max
    }
}

// MARK: - Errors

extension OperationLimits {
    /// Returns an error for each limit that an operation exceeds.
    func errors(for extent: OperationExtent, at location: SourceLocation) -> [GraphQLError] {
        var errors: [GraphQLError] = []
        func check(_ found: Int, _ limit: Int, _ code: String, _ name: String, _ message: (Int, Int) -> String) {
            guard found > limit else { return }
            errors.append(
                GraphQLError(
                    message(found, limit), locations: [location],
                    extensions: [
                        "code": .string(code), name: .int(Int64(found)), "limit": .int(Int64(limit)),
                    ]))
        }
        check(extent.depth, depth, "DEPTH_LIMIT_EXCEEDED", "depth") {
            "The operation nests fields \($0) levels deep; the limit is \($1). "
                + "Request the inner fields in a separate operation."
        }
        check(extent.introspectionDepth, introspectionDepth, "DEPTH_LIMIT_EXCEEDED", "depth") {
            "The operation nests introspection fields \($0) levels deep; the limit is \($1). "
                + "Request fewer levels of nested types."
        }
        check(extent.fields, fields, "FIELD_LIMIT_EXCEEDED", "fields") {
            "The operation has \($0) fields, including those of its fragments; the limit is \($1). "
                + "Request fewer fields."
        }
        check(extent.aliases, aliases, "ALIAS_LIMIT_EXCEEDED", "aliases") {
            "The operation has \($0) aliases and repeated fields; the limit is \($1). "
                + "Request a list, or use several operations."
        }
        check(extent.directives, directives, "DIRECTIVE_LIMIT_EXCEEDED", "directives") {
            "The operation has \($0) directives; the limit is \($1). Remove unnecessary directives."
        }
        check(extent.rootFields, rootFields, "ROOT_FIELD_LIMIT_EXCEEDED", "rootFields") {
            "The operation selects \($0) root fields; the limit is \($1). Use several operations."
        }
        return errors
    }

    /// Returns the error for an operation that exceeds the maximum cost, otherwise nil.
    func error(forCost found: Int, at location: SourceLocation) -> GraphQLError? {
        guard found > cost else { return nil }
        return GraphQLError(
            "The operation could cost \(found); the limit is \(cost). Request shorter lists, or fewer nested lists.",
            locations: [location],
            extensions: [
                "code": "COST_LIMIT_EXCEEDED", "cost": .int(Int64(found)), "limit": .int(Int64(cost)),
            ])
    }
}

extension PlannedOperation {
    /// Returns the maximum cost of the operation (see ``CostModel``), from 0 to 10^15.
    ///
    /// The part of the cost that does not depend on variables is computed once for each plan.
    /// - Parameter variables: The request's variables before coercion.
    /// - Throws: Request errors, such as variables of a wrong type.
    package func cost(variables: ObjectValue) throws(GraphQLErrors) -> Int {
        let coerced = try coerce(variables)
        do {
            return try plan(variables: coerced).costFormula(resolvedSchema, document.source).cost(coerced)
        } catch {
            throw GraphQLErrors([error])
        }
    }

    /// Throws request errors if an operation exceeds the limits of its ``OperationExtent``, which does not depend on
    /// variables.
    static func checkExtent(
        of operation: OperationDefinition, in document: Document, _ limits: OperationLimits
    ) throws(GraphQLErrors) {
        guard limits.limitsExtent else { return }
        let errors = limits.errors(
            for: OperationExtent(of: operation, in: document), at: document.source.location(of: operation.range))
        if !errors.isEmpty { throw GraphQLErrors(errors) }
    }

    /// Throws a request error if the cost of the operation with these variables exceeds the limit.
    func checkCost(of plan: OperationPlan, _ variables: ObjectValue) throws(GraphQLError) {
        let limits = resolvedSchema.options.operationLimits
        guard limits.cost < .max else { return }
        let cost = try plan.costFormula(resolvedSchema, document.source).cost(variables)
        if cost > limits.cost,
            let error = limits.error(forCost: cost, at: document.source.location(of: definition.range))
        {
            throw error
        }
    }
}
