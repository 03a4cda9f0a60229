extension ValidationRule {
    private static let standardTypeNames = ScalarType.specified.map(\.name) + IntrospectionTypes.all.map(\.name)

    /// Requires that referenced types exist (specification, section 5.5.1.2 for fragments and section 3 for
    /// definitions).
    public static let knownTypeNames = ValidationRule("KnownTypeNamesRule") { visitor, context in
        let defined = context.document.definitions.definedTypeNames
        visitor.enterTypeName.append { name, isTypeSystem in
            if context.schema.type(named: name.value) != nil || defined.contains(name.value) { return }
            if isTypeSystem, standardTypeNames.contains(name.value) { return }
            let didYouMean = context.didYouMean(
                name.value, among: (isTypeSystem ? standardTypeNames : []) + context.schema.types.map(\.name) + defined)
            context.report("Unknown type \"\(name.value)\"." + didYouMean, at: name.range)
        }
    }
}
