/// Validation of executable documents (specification, section 5).
public enum Validation {
    /// The specification's rules, in the order in which the reference implementation runs them.
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

    /// Rules that are not in the specification's September 2025 edition: those of the incremental delivery draft, about `@defer` and
    /// `@stream`, and what does well for any service.
    public static let recommendedRules: [ValidationRule] = [
        .maxIntrospectionDepth, .deferStreamDirectiveOnRootField, .deferStreamDirectiveOnValidOperations,
        .deferStreamDirectiveLabel, .streamDirectiveOnListField,
    ]

    /// What is wrong with a document that is to be executed against a schema; nothing if it may be executed.
    ///
    /// It takes time in proportion to the document. Where a rule would need more, it does no more than `options` allow and reports
    /// that as an error.
    /// - Returns: the errors in the order of the document.
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

/// How much validation of an executable document says and does.
public struct ValidationOptions: Sendable, Hashable {
    /// The most errors; one more says that there would be others.
    public var maximumErrors: Int
    /// Whether messages suggest names of the schema for unknown ones.
    public var suggestsNames: Bool
    /// How many steps are done of those whose number can grow faster than the document: following fragments from each of many
    /// operations, and merging selection sets. A document that needs more is refused.
    public var maximumWork: Int

    /// Options.
    public init(maximumErrors: Int = 100, suggestsNames: Bool = true, maximumWork: Int = 5_000_000) {
        self.maximumErrors = maximumErrors
        self.suggestsNames = suggestsNames
        self.maximumWork = maximumWork
    }
}
