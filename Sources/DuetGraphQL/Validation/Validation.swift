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

/// A validation rule. Each rule is a static property in its own file.
public struct ValidationRule: Sendable {
    /// The rule's name in the reference implementation, such as `KnownDirectivesRule`.
    public let name: String
    /// Registers the functions of the rule for one walk. The functions capture the state of the rule.
    let register: @Sendable (inout DocumentVisitor, ValidationContext) -> Void

    /// Creates a rule with the name.
    public init(_ name: String, register: @escaping @Sendable (inout DocumentVisitor, ValidationContext) -> Void) {
        self.name = name
        self.register = register
    }
}
