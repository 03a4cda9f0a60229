/// How much one operation may ask for, on servers that are open to strangers. What is allowed is executed as usual, what is not is
/// refused before anything is executed.
///
/// An operation is measured with its fragments expanded, but measuring takes no longer than reading the document, whatever the
/// fragments lead to.
public struct OperationLimits: Sendable, Hashable {
    /// How deep fields may be nested in one another.
    public var depth: Int
    /// How deep fields may be nested in `__schema` and `__type`, these included. Tools ask for types of types of types, so it
    /// is more than for other fields.
    public var introspectionDepth: Int
    /// The most fields, those of fragments as often as these are spread. It bounds the time that planning takes.
    public var fields: Int
    /// The most fields with an alias, and fields that stand twice in the same braces.
    public var aliases: Int
    /// The most directives.
    public var directives: Int
    /// The most fields of the root type.
    public var rootFields: Int
    /// The most an operation may cost; see ``CostModel``.
    public var cost: Int

    /// Limits for operations that strangers send.
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

    /// No limits: for operations that are known, and for tests.
    public static let unlimited = OperationLimits(
        depth: .max, introspectionDepth: .max, fields: .max, aliases: .max, directives: .max, rootFields: .max,
        cost: .max)

    /// Whether anything but the cost is limited.
    var limitsExtent: Bool {
        min(depth, introspectionDepth, fields, aliases, directives, rootFields) < .max
    }
}

// MARK: - Errors

extension OperationLimits {
    /// What an operation is too large in.
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
            "The operation nests fields \($0) levels deep, \($1) are allowed. Ask for the inner ones in an operation of their own."
        }
        check(extent.introspectionDepth, introspectionDepth, "DEPTH_LIMIT_EXCEEDED", "depth") {
            "The operation nests fields \($0) levels deep in a question about the schema, \($1) are allowed. Ask for fewer types of types."
        }
        check(extent.fields, fields, "FIELD_LIMIT_EXCEEDED", "fields") {
            "The operation has \($0) fields with those of its fragments, \($1) are allowed. Ask for fewer at once."
        }
        check(extent.aliases, aliases, "ALIAS_LIMIT_EXCEEDED", "aliases") {
            "The operation has \($0) aliases and repeated fields, \($1) are allowed. Ask for a list, or in several operations."
        }
        check(extent.directives, directives, "DIRECTIVE_LIMIT_EXCEEDED", "directives") {
            "The operation has \($0) directives, \($1) are allowed. Leave out those that are not needed."
        }
        check(extent.rootFields, rootFields, "ROOT_FIELD_LIMIT_EXCEEDED", "rootFields") {
            "The operation selects \($0) fields of the root type, \($1) are allowed. Ask in several operations."
        }
        return errors
    }

    /// The error for an operation that costs too much; nil if it does not.
    func error(forCost found: Int, at location: SourceLocation) -> GraphQLError? {
        guard found > cost else { return nil }
        return GraphQLError(
            "The operation could cost \(found), \(cost) are allowed. Ask for shorter lists, or for fewer lists in lists.",
            locations: [location],
            extensions: [
                "code": "COST_LIMIT_EXCEEDED", "cost": .int(Int64(found)), "limit": .int(Int64(cost)),
            ])
    }
}
