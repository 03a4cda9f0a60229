/// Validation of type-system documents, before a schema is created from them.
public enum SDLValidation {
    /// The rules for every type-system document.
    public static let rules: [ValidationRule] = [
        .loneSchemaDefinition, .uniqueOperationTypes, .uniqueTypeNames,
        .uniqueEnumValueNames, .uniqueFieldDefinitionNames, .uniqueArgumentDefinitionNames,
        .uniqueDirectiveNames, .knownTypeNames, .knownDirectives,
        .uniqueDirectivesPerLocation, .possibleTypeExtensions, .knownArgumentNamesOnDirectives,
        .uniqueArgumentNames, .uniqueInputFieldNames, .providedRequiredArgumentsOnDirectives,
    ]

    /// Returns the validation errors of a type-system document. If `schema` is not nil, the document is validated as an
    /// extension of this schema.
    public static func validate(
        _ document: Document, extending schema: Schema? = nil, rules: [ValidationRule] = rules,
        maximumErrors: Int = 1_000, suggestsNames: Bool = true
    ) -> [GraphQLError] {
        DocumentWalker.run(
            rules,
            in: ValidationContext(
                typeSystem: document, extending: schema, maximumErrors: maximumErrors, suggestsNames: suggestsNames))
    }
}
