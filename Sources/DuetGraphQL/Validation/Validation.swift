/// Validation of executable documents (specification, section 5).
public enum Validation {
    /// The rules of the specification, in the order of the reference implementation.
    public static let specifiedRules: [ValidationRule] = [
        .executableDefinitions, .uniqueOperationNames, .loneAnonymousOperation,
        .singleFieldSubscriptions, .knownTypeNames, .fragmentsOnCompositeTypes,
        .variablesAreInputTypes, .scalarLeafs, .fieldsOnCorrectType,
        .uniqueFragmentNames, .knownFragmentNames, .noUnusedFragments,
        .possibleFragmentSpreads, .noFragmentCycles, .uniqueVariableNames,
        .noUndefinedVariables, .noUnusedVariables, .knownDirectives,
        .uniqueDirectivesPerLocation, .knownArgumentNames, .uniqueArgumentNames,
        .valuesOfCorrectType, .providedRequiredArguments, .variablesInAllowedPosition,
        .overlappingFieldsCanBeMerged, .uniqueInputFieldNames,
    ]

    /// Rules that are not part of the September 2025 edition of the specification: the rules of the incremental
    /// delivery draft for `@defer` and `@stream`, and a limit for the depth of introspection.
    public static let recommendedRules: [ValidationRule] = [
        .maxIntrospectionDepth, .deferStreamDirectiveOnRootField, .deferStreamDirectiveOnValidOperations,
        .deferStreamDirectiveLabel, .streamDirectiveOnListField,
    ]

    /// Validates an executable document against a schema.
    ///
    /// Validation takes time in proportion to the size of the document. A rule that would need more time stops at the
    /// limits of `options` and reports an error.
    /// - Returns: The errors in the order of the document. The list is empty if the document is valid.
    public static func validate(
        _ document: Document, against schema: Schema,
        rules: [ValidationRule] = specifiedRules + recommendedRules,
        options: ValidationOptions = ValidationOptions()
    ) -> [GraphQLError] {
        DocumentWalker.run(
            rules,
            in: ValidationContext(
                document: document, schema: schema, maximumErrors: options.maximumErrors,
                suggestsNames: options.suggestsNames, maximumWork: options.maximumWork))
    }
}

/// Options for the validation of executable documents.
public struct ValidationOptions: Sendable, Hashable {
    /// The maximum number of errors. One additional error reports that further errors are omitted.
    public var maximumErrors: Int
    /// True if messages suggest names of the schema for unknown names.
    public var suggestsNames: Bool
    /// The maximum number of steps for work that can grow faster than the document: following fragments from each of
    /// many operations, and merging selection sets. A document that needs more steps is rejected.
    public var maximumWork: Int

    /// Creates validation options.
    public init(maximumErrors: Int = 100, suggestsNames: Bool = true, maximumWork: Int = 5_000_000) {
        self.maximumErrors = maximumErrors
        self.suggestsNames = suggestsNames
        self.maximumWork = maximumWork
    }
}
