/// All `@cacheControl` directives of a schema.
struct SchemaCacheHints {
    /// The hints of objects, interfaces and unions, including their extensions, by type name.
    private(set) var types: [String: CacheHint] = [:]
    /// The hints of fields, by type name and field name.
    private(set) var fields: [String: [String: CacheHint]] = [:]

    /// Reads the hints of a schema.
    /// - Throws: All errors in the arguments of the directives.
    init(_ schema: Schema) throws(GraphQLErrors) {
        var errors: [GraphQLError] = []
        for type in schema.types where type.isComposite {
            // The directive may occur only once in a type's definition and extensions, so the first hint is the only
            // one.
            for definition in type.definitions where types[type.name] == nil {
                types[type.name] = CacheHint(definition.node.directives, definition.source, &errors)
            }
            for field in type.fields ?? [] {
                guard let definition = field.definition,
                    let hint = CacheHint(definition.node.directives, definition.source, &errors)
                else { continue }
                fields[type.name, default: [:]][field.name] = hint
            }
        }
        if !errors.isEmpty { throw GraphQLErrors(errors) }
    }
}
