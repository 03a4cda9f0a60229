/// Validation of type-system documents, before a schema is made of them.
public enum SDLValidation {
    /// The rules that every type-system document is checked by.
    public static let rules: [ValidationRule] = [
        .loneSchemaDefinition, .uniqueOperationTypes, .uniqueTypeNames,
        .uniqueEnumValueNames, .uniqueFieldDefinitionNames, .uniqueArgumentDefinitionNames,
        .uniqueDirectiveNames, .knownTypeNames, .knownDirectives,
        .uniqueDirectivesPerLocation, .possibleTypeExtensions, .knownArgumentNamesOnDirectives,
        .uniqueArgumentNames, .uniqueInputFieldNames, .providedRequiredArgumentsOnDirectives,
    ]

    /// What is wrong with a type-system document, or with how it extends a schema.
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
