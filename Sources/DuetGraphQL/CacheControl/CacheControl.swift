/// The cache restrictions of each field of a schema: the time for which a response with the field may be stored, and
/// the caches that may store it. The restrictions are computed from the hints of the schema's fields and types
/// (``CacheHint``), which are the `@cacheControl` directives of a text in the schema definition language. The rules are
/// those of [Apollo Server](https://www.apollographql.com/docs/apollo-server/performance/caching):
///
/// - A field has the hint of its named type, if the type is an object, an interface or a union. An age or a scope in
///   the field's own hint replaces the age or the scope of the type's hint.
/// - With `inheritMaxAge`, the age of the enclosing field applies. On a field, `inheritMaxAge` has this effect only if
///   the field's type specifies no age.
/// - If no age is specified, ``defaultMaxAge`` applies to a field that returns objects (unless the field inherits the
///   age) and to every root field. Any other field without an age does not restrict the age.
/// - The response has the smallest maximum age of its fields. It is private if any of its fields is private.
///
/// A field of an interface combines the restrictions of the fields with this name in all object types that implement
/// the interface.
public struct CacheControl: Sendable {
    /// The restrictions of one field.
    struct Rule: Sendable {
        var restriction = CachePolicy.unrestricted
        /// The restriction that applies if the field is a root field.
        var rootRestriction = CachePolicy.unrestricted
        /// The object, interface or union types that the field can return; empty for a leaf type. A field of an
        /// interface can have several types, because each object type that implements the interface can specify a more
        /// specific type.
        var targets: [NamedType] = []
    }

    /// The default maximum age in seconds, for fields without a specified age.
    public let defaultMaxAge: Int
    /// True if the schema contains hints.
    let hasHints: Bool
    private let types: [String: CacheHint]
    private let rules: [String: [String: Rule]]

    /// Reads the hints of a schema.
    /// - Throws: All errors in the hints, such as a negative age.
    public init(_ schema: Schema, defaultMaxAge: Int = 0) throws(GraphQLErrors) {
        let defaultMaxAge = max(0, defaultMaxAge)
        self.defaultMaxAge = defaultMaxAge
        let errors = Self.errors(in: schema)
        if !errors.isEmpty { throw GraphQLErrors(errors) }
        var types: [String: CacheHint] = [:]
        var hasFieldHints = false
        for type in schema.types {
            if let hint = type.cacheHint { types[type.name] = hint }
            hasFieldHints = hasFieldHints || type.fields?.contains { $0.cacheHint != nil } == true
        }
        self.types = types
        hasHints = hasFieldHints || !types.isEmpty
        var rules: [String: [String: Rule]] = [:]
        for case .object(let type) in schema.types where !type.name.hasPrefix("__") {
            var own: [String: Rule] = [:]
            for field in type.fields {
                own[field.name] = Rule(field, types, in: schema, defaultMaxAge: defaultMaxAge)
            }
            rules[type.name] = own
        }
        for case .interface(let type) in schema.types {
            let objects = schema.implementations(of: type).objects
            var own: [String: Rule] = [:]
            for field in type.fields {
                own[field.name] = objects.reduce(into: Rule()) { rule, object in
                    if let other = rules[object.name]?[field.name] { rule.add(other) }
                }
            }
            rules[type.name] = own
        }
        self.rules = rules
    }

    /// Returns the errors in the hints of a schema.
    private static func errors(in schema: Schema) -> [GraphQLError] {
        var errors: [GraphQLError] = []
        func check(_ hint: CacheHint?, _ argument: @autoclosure () -> DirectiveArgument?) {
            guard let age = hint?.maxAge, age < 0 else { return }
            let argument = argument()
            errors.append(
                GraphQLError(
                    "The maxAge of @cacheControl must not be negative; it is \(argument?.text ?? String(age)).",
                    locations: [argument?.location].compactMap(\.self)))
        }
        for type in schema.types {
            check(type.cacheHint, type.definitions.argument("maxAge", of: "cacheControl"))
            for field in type.fields ?? [] {
                check(field.cacheHint, field.definition?.argument("maxAge", of: "cacheControl", in: \.directives))
            }
        }
        return errors
    }

    /// Returns the rules of a type's fields, by field name.
    func rules(of type: NamedType) -> [String: Rule] { rules[type.name] ?? [:] }

    /// Returns the restriction of a field, or ``CachePolicy/unrestricted`` if the field does not exist.
    /// - Parameters:
    ///   - field: The name of the field.
    ///   - type: The name of the field's object or interface type.
    ///   - isRoot: True if the field is a root field.
    public func restriction(ofField field: String, on type: String, isRoot: Bool = false) -> CachePolicy {
        guard let rule = rules[type]?[field] else { return .unrestricted }
        return isRoot ? rule.rootRestriction : rule.restriction
    }

    /// Returns the restriction of a root field without a hint that returns objects of the type.
    public func restriction(ofType type: String) -> CachePolicy {
        CachePolicy(maxAge: types[type]?.specifiedMaxAge ?? defaultMaxAge, scope: types[type]?.scope ?? .public)
    }
}

extension CacheControl.Rule {
    fileprivate init(
        _ field: SchemaField, _ types: [String: CacheHint], in schema: Schema, defaultMaxAge: Int
    ) {
        let own = field.cacheHint
        if let type = schema[field.type], type.isComposite { targets = [type] }
        let inherited = targets.first.flatMap { types[$0.name] }
        let maxAge = own?.specifiedMaxAge ?? inherited?.specifiedMaxAge
        let scope = own?.scope ?? inherited?.scope ?? .public
        let inheritsMaxAge = own?.inheritsMaxAge == true || inherited?.inheritsMaxAge == true
        let fallback = targets.isEmpty || inheritsMaxAge ? Int.max : defaultMaxAge
        restriction = CachePolicy(maxAge: maxAge ?? fallback, scope: scope)
        rootRestriction = CachePolicy(maxAge: maxAge ?? defaultMaxAge, scope: scope)
    }

    /// Adds the restrictions of the field with the same name in another type.
    fileprivate mutating func add(_ other: Self) {
        restriction.restrict(other.restriction)
        rootRestriction.restrict(other.rootRestriction)
        for type in other.targets where !targets.contains(where: { $0.name == type.name }) { targets.append(type) }
    }
}

extension CacheControl {
    /// `@cacheControl`, for a schema whose printed text contains the cache hints. The schema also needs
    /// ``scopeType``.
    public static let directive = SchemaDirective(
        "cacheControl", on: [.fieldDefinition, .object, .interface, .union],
        arguments: [
            SchemaInputValue("maxAge", "Int", description: "The maximum age in seconds."),
            SchemaInputValue(
                "scope", "CacheControlScope", description: "The caches that may store the response."),
            SchemaInputValue(
                "inheritMaxAge", "Boolean", description: "If true, the maximum age of the enclosing field applies."),
        ],
        description:
            "The time for which caches may store a response. It applies if the response contains the field, or an object of the type."
    )

    /// `CacheControlScope`, the type of an argument of ``directive``.
    public static let scopeType = EnumType(
        "CacheControlScope",
        values: [
            SchemaEnumValue("PUBLIC", description: "All caches, shared and private."),
            SchemaEnumValue("PRIVATE", description: "Only the cache of the client that sent the request."),
        ], description: "The caches that may store a response.")

    /// The definitions of `@cacheControl` and its scopes. Append them to a text in the schema definition language that
    /// uses the directive.
    public static let directiveDefinitions =
        SchemaPrinter(schema: .empty, format: .annotated).print([.enum(scopeType)], [directive]) + "\n"
}
