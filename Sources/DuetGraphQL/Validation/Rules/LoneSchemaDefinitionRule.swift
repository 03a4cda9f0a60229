extension ValidationRule {
    /// Requires that a document has at most one schema definition. If the document extends a schema that already has a
    /// schema definition or root types, it must not contain a schema definition.
    public static let loneSchemaDefinition = ValidationRule("LoneSchemaDefinitionRule") { visitor, context in
        let isDefined = !context.schema.definitions.isEmpty || !context.schema.rootTypes.isEmpty
        var count = 0
        visitor.enterDefinition.append { definition in
            guard case .schema(let schema) = definition else { return }
            if isDefined {
                context.report("Cannot define a new schema within a schema extension.", at: schema.range)
                return
            }
            if count > 0 { context.report("Must provide only one schema definition.", at: schema.range) }
            count += 1
        }
    }
}
