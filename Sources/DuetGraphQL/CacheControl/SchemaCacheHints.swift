/// All `@cacheControl` of a schema.
struct SchemaCacheHints {
    /// Those of objects, interfaces and unions, extensions included, by name.
    private(set) var types: [String: CacheHint] = [:]
    /// Those of fields, by the name of the type and their own.
    private(set) var fields: [String: [String: CacheHint]] = [:]

    /// - Throws: all that is wrong in their arguments.
    init(_ schema: Schema) throws(GraphQLErrors) {
        var errors: [GraphQLError] = []
        for type in schema.types where type.isComposite {
            // The definition comes first, then its extensions; the directive may stand once among them.
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
