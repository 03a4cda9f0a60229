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
