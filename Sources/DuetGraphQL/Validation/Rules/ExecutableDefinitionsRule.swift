extension ValidationRule {
    /// Requires that a document for execution contains only operations and fragments (specification, section 5.1.1).
    public static let executableDefinitions = ValidationRule("ExecutableDefinitionsRule") { visitor, context in
        visitor.enterDefinition.append { definition in
            guard let name = definition.typeSystemName else { return }
            context.report("The \(name) definition is not executable.", at: definition.range)
        }
    }
}

extension Definition {
    /// The name of the definition in messages; nil if the definition is executable.
    fileprivate var typeSystemName: String? {
        switch self {
        case .operation, .fragment: nil
        case .schema, .schemaExtension: "schema"
        case .type(let type), .typeExtension(let type): "\"\(type.name.value)\""
        case .directive(let directive): "\"\(directive.name.value)\""
        }
    }
}
