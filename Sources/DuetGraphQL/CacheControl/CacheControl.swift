/// What the fields of a schema say of how long responses may be kept, read from its directives `@cacheControl`, by the rules of
/// [Apollo Server](https://www.apollographql.com/docs/apollo-server/performance/caching):
///
/// - A field has the hint of its named type, if that is an object, an interface or a union. What the field's own hint says of
///   age or scope counts instead.
/// - `inheritMaxAge` leaves the age to what is around the field. At a field it does so if the type says no age.
/// - Where nothing says an age, a field that leads to objects has ``defaultMaxAge`` unless it inherits, and a field at the root in any
///   case. Other fields restrict nothing.
/// - The response is as strict as the strictest of its fields, and public if none of them is private.
///
/// A field of an interface says what the fields of the object types say that answer for it.
public struct CacheControl: Sendable {
    /// What one field restricts.
    struct Rule: Sendable {
        var restriction = CachePolicy.unrestricted
        /// The same at the root.
        var rootRestriction = CachePolicy.unrestricted
        /// The composite types it gives: one, but for the field of an interface whose object types are more exact.
        var targets: [NamedType] = []
    }

    /// In seconds: how long what nothing is said of may be kept.
    public let defaultMaxAge: Int
    /// Whether there is any `@cacheControl`.
    let hasHints: Bool
    private let types: [String: CacheHint]
    private let rules: [String: [String: Rule]]

    /// The hints of a schema.
    /// - Throws: all that is wrong in them: a negative age.
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

    /// The rules of a type's fields, by name.
    func rules(of type: NamedType) -> [String: Rule] { rules[type.name] ?? [:] }

    /// What a field restricts; nothing if there is none of that name.
    /// - Parameters:
    ///   - type: the name of its object or interface type.
    ///   - isRoot: whether an operation begins with it.
    public func restriction(ofField field: String, on type: String, isRoot: Bool = false) -> CachePolicy {
        guard let rule = rules[type]?[field] else { return .unrestricted }
        return isRoot ? rule.rootRestriction : rule.restriction
    }

    /// What a field at the root restricts that gives objects of a type and has no hint of its own.
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

    /// Adds what the same field of another type restricts.
    fileprivate mutating func add(_ other: Self) {
        restriction.restrict(other.restriction)
        rootRestriction.restrict(other.rootRestriction)
        for type in other.targets where !targets.contains(where: { $0.name == type.name }) { targets.append(type) }
    }
}
