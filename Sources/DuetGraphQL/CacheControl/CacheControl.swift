/// The cache restrictions of each field of a schema: the time for which a response with the field may be stored, and
/// the caches that may store it. The restrictions are read from the `@cacheControl` directives (*hints*) of the schema.
/// The rules are those of [Apollo Server](https://www.apollographql.com/docs/apollo-server/performance/caching):
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
    /// True if the schema contains `@cacheControl` directives.
    let hasHints: Bool
    private let types: [String: CacheHint]
    private let rules: [String: [String: Rule]]

    /// Reads the hints of a schema.
    /// - Throws: All errors in the hints, such as a negative age.
    public init(_ schema: Schema, defaultMaxAge: Int = 0) throws(GraphQLErrors) {
        let defaultMaxAge = max(0, defaultMaxAge)
        self.defaultMaxAge = defaultMaxAge
        let hints = try SchemaCacheHints(schema)
        types = hints.types
        hasHints = !hints.types.isEmpty || !hints.fields.isEmpty
        var rules: [String: [String: Rule]] = [:]
        for case .object(let type) in schema.types where !type.name.hasPrefix("__") {
            var own: [String: Rule] = [:]
            for field in type.fields {
                own[field.name] = Rule(
                    field, hints.fields[type.name]?[field.name], hints.types, in: schema, defaultMaxAge: defaultMaxAge)
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

    /// Returns the restriction of a root field without `@cacheControl` that returns objects of the type.
    public func restriction(ofType type: String) -> CachePolicy {
        CachePolicy(maxAge: types[type]?.maxAge ?? defaultMaxAge, scope: types[type]?.scope ?? .public)
    }
}

extension CacheControl.Rule {
    fileprivate init(
        _ field: SchemaField, _ own: CacheHint?, _ types: [String: CacheHint], in schema: Schema, defaultMaxAge: Int
    ) {
        if let type = schema[field.type], type.isComposite { targets = [type] }
        let inherited = targets.first.flatMap { types[$0.name] }
        let maxAge = own?.maxAge ?? inherited?.maxAge
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
