extension ValidationRule {
    /// Requires that streamed fields are lists (incremental delivery draft, "Stream Directives Are Used On List
    /// Fields").
    public static let streamDirectiveOnListField = ValidationRule("StreamDirectiveOnListFieldRule") {
        visitor, context in
        visitor.enterDirective.append { directive, location in
            guard location == .field, directive.name.value == "stream", let field = context.fieldDefinition,
                let parent = context.parentType
            else { return }
            if case .list = field.type.nullable { return }
            context.report(
                "Stream directive cannot be used on non-list field \"\(field.name)\" on type \"\(parent.name)\".",
                at: directive.range)
        }
    }
}
