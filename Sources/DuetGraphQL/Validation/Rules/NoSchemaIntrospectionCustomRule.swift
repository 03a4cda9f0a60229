extension ValidationRule {
    /// Requires that operations do not query the schema (specification, section 4). This rule is for services that
    /// disable introspection.
    public static let noSchemaIntrospectionCustom = ValidationRule("NoSchemaIntrospectionCustomRule") {
        visitor, context in
        visitor.enterField.append { field in
            guard let name = context.namedType?.name, name.utf8.starts(with: "__".utf8),
                IntrospectionTypes.all[name] != nil
            else { return }
            context.report(
                "GraphQL introspection has been disabled, but the requested query contained the field "
                    + "\"\(field.name.value)\".", at: field.range)
        }
    }
}
