extension ValidationRule {
    /// Requires that the type of a variable is valid at each position where the variable is used (specification,
    /// section 5.8.5).
    public static let variablesInAllowedPosition = ValidationRule("VariablesInAllowedPositionRule") {
        visitor, context in
        let usages = DocumentUsages.shared(in: &visitor, context: context)
        usages.visitOperation.append { [unowned context] scope in
            let definitions = scope.operation.node.variableDefinitions
            var types: [GraphQLType?]?
            scope.forEachUsage { usage in
                guard let index = scope.definitionIndex(of: usage.variable), let placeType = usage.type else { return }
                let known = types ?? definitions.map { context.schema.type($0.type) }
                types = known
                guard let type = known[index] else { return }
                let ranges = [definitions[index].range, usage.range]
                if !isAllowed(type, definitions[index].defaultValue, in: usage, of: placeType, context.schema) {
                    context.report(
                        "Variable \"$\(scope.name(of: usage.variable))\" of type \"\(type)\" used in position "
                            + "expecting type \"\(placeType)\".", at: ranges, place: scope.operation.place)
                }
                if !type.isNonNull, let parent = usage.parentType,
                    case .inputObject(let input)? = context.schema[parent], input.isOneOf
                {
                    context.report(
                        "Variable \"$\(scope.name(of: usage.variable))\" is of type \"\(type)\" but must be "
                            + "non-nullable to be used for OneOf Input Object \"\(input.name)\".",
                        at: ranges, place: scope.operation.place)
                }
            }
        }
    }

    /// Returns true if a variable is valid at a position: IsVariableUsageAllowed, except for the rule about OneOf Input
    /// Objects.
    private static func isAllowed(
        _ type: GraphQLType, _ defaultValue: Literal?, in usage: DocumentUsages.VariableUsage,
        of placeType: GraphQLType, _ schema: Schema
    ) -> Bool {
        guard case .nonNull(let nullablePlaceType) = placeType, !type.isNonNull else {
            return schema.isSubtype(type, of: placeType)
        }
        var hasDefault = usage.hasDefault
        if let defaultValue, !hasDefault {
            if case .null = defaultValue.kind { hasDefault = false } else { hasDefault = true }
        }
        return hasDefault && schema.isSubtype(type, of: nullablePlaceType)
    }
}
