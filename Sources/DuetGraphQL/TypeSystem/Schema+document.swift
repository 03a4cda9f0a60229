extension Schema {
    /// Creates a schema from a text in the schema definition language. Extensions are merged into the definitions.
    /// - Parameters:
    ///   - sdl: The text.
    ///   - scalars: The coercions of custom scalars, by name. The values of other custom scalars are not changed.
    ///   - directives: Additional directives for operations, such as ``SchemaDirective/incrementalDelivery``. If the
    ///     text defines a directive with the same name, the definition in the text is used.
    /// - Throws: A syntax error, or all validation errors.
    public convenience init(
        sdl: String, scalars: [String: ScalarCoercion] = [:], directives: [SchemaDirective] = []
    ) throws(GraphQLErrors) {
        try self.init(document: Self.parse(sdl), scalars: scalars, directives: directives)
    }

    /// Creates a schema from a type-system document. Extensions are merged into the definitions.
    /// - Parameters:
    ///   - document: The document.
    ///   - scalars: The coercions of custom scalars, by name. The values of other custom scalars are not changed.
    ///   - directives: Additional directives for operations, such as ``SchemaDirective/incrementalDelivery``. If the
    ///     document defines a directive with the same name, the definition in the document is used.
    /// - Throws: All validation errors.
    public convenience init(
        document: Document, scalars: [String: ScalarCoercion] = [:], directives: [SchemaDirective] = []
    ) throws(GraphQLErrors) {
        let errors = SDLValidation.validate(document)
        if !errors.isEmpty { throw GraphQLErrors(errors) }
        var parts = SchemaBuilder(document, scalars: scalars).parts()
        let defined = Set(parts.directives.map(\.name))
        parts.directives += directives.filter { !defined.contains($0.name) }
        try self.init(resolving: parts)
        let typeErrors = validate() + coercionErrors(scalars)
        if !typeErrors.isEmpty { throw GraphQLErrors(typeErrors) }
    }

    /// Creates a schema from a type-system document without validation. Call ``validate()`` to validate the schema.
    /// - Throws: Errors for references to unknown types, and for repeated type names.
    public convenience init(
        unchecked document: Document, scalars: [String: ScalarCoercion] = [:]
    ) throws(GraphQLErrors) {
        try self.init(resolving: SchemaBuilder(document, scalars: scalars).parts())
    }

    /// Returns a copy of this schema with the definitions and extensions of another document.
    /// - Throws: A syntax error, or all validation errors of the result.
    public func extended(with sdl: String, scalars: [String: ScalarCoercion] = [:]) throws(GraphQLErrors) -> Schema {
        try extended(with: Self.parse(sdl), scalars: scalars)
    }

    /// Returns a copy of this schema with the definitions and extensions of another document.
    /// - Throws: All validation errors of the result.
    public func extended(
        with document: Document, scalars: [String: ScalarCoercion] = [:]
    ) throws(GraphQLErrors) -> Schema {
        let errors = SDLValidation.validate(document, extending: self)
        if !errors.isEmpty { throw GraphQLErrors(errors) }
        let schema = try Schema(resolving: SchemaBuilder(document, scalars: scalars).parts(extending: self))
        let typeErrors = schema.validate() + schema.coercionErrors(scalars)
        if !typeErrors.isEmpty { throw GraphQLErrors(typeErrors) }
        return schema
    }

    /// Returns the errors for coercions that do not belong to a custom scalar.
    private func coercionErrors(_ scalars: [String: ScalarCoercion]) -> [GraphQLError] {
        func isCustomScalar(_ type: NamedType?) -> Bool {
            if case .scalar(let scalar)? = type { ScalarType.specified[scalar.name] == nil } else { false }
        }
        let custom = types.filter(isCustomScalar).map(\.name)
        return scalars.keys.sorted().filter { !isCustomScalar(type(named: $0)) }.map { name in
            GraphQLError(
                "A coercion is provided for \"\(name)\", which is not a custom scalar of the schema."
                    + Suggestions.didYouMean(name, among: custom))
        }
    }

    private static func parse(_ sdl: String) throws(GraphQLErrors) -> Document {
        do throws(GraphQLError) {
            return try Parser.parse(Source(sdl, name: "GraphQL schema"), limits: .schema)
        } catch {
            throw GraphQLErrors([error])
        }
    }
}
