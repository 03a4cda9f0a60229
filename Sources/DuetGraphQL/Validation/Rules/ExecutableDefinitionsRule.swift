extension ValidationRule {
    /// A document that is executed contains operations and fragments only (specification, section 5.1.1).
    public static let executableDefinitions = ValidationRule("ExecutableDefinitionsRule") { visitor, context in
        visitor.enterDefinition.append { definition in
            guard let name = definition.typeSystemName else { return }
            context.report("The \(name) definition is not executable.", at: definition.range)
        }
    }
}

extension Definition {
    /// How a message calls it, if it is not executable.
    fileprivate var typeSystemName: String? {
        switch self {
        case .operation, .fragment: nil
        case .schema, .schemaExtension: "schema"
        case .type(let type), .typeExtension(let type): "\"\(type.name.value)\""
        case .directive(let directive): "\"\(directive.name.value)\""
        }
    }
}
