extension ValidationRule {
    /// Requires that a schema has at most one root type for each type of operation.
    public static let uniqueOperationTypes = ValidationRule("UniqueOperationTypesRule") { visitor, context in
        var known: [OperationType: SourceRange] = [:]
        visitor.enterDefinition.append { definition in
            guard let schema = definition.schemaDefinition else { return }
            for type in schema.operationTypes {
                let operation = type.operation
                if context.schema.rootTypes[operation] != nil {
                    context.report(
                        "Type for \(operation) already defined in the schema. It cannot be redefined.", at: type.range)
                } else if let first = known[operation] {
                    context.report("There can be only one \(operation) type in schema.", at: first, type.range)
                } else {
                    known[operation] = type.range
                }
            }
        }
    }
}
