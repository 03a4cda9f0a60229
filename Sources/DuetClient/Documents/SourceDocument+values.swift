import DuetGraphQLLanguage

extension SourceDocument {
    /// Converts the arguments of a field.
    func arguments(_ nodes: NodeList<Argument>) throws(ModelError) -> Arguments {
        var elements: [Arguments.Element] = []
        for node in nodes { elements.append(Arguments.Element(node.name.value, try value(node.value))) }
        return Arguments(elements)
    }

    /// Converts a literal.
    func value(_ literal: Literal) throws(ModelError) -> ArgumentValue {
        switch literal.kind {
        case .null: return .null
        case .boolean(let value): return .bool(value)
        case .string(let value, _): return .string(value)
        case .enum(let name): return .enumeration(name)
        case .int(let text):
            if let integer = Int64(text) { return .integer(integer) }
            return try double(text, literal.range)
        case .float(let text): return try double(text, literal.range)
        case .variable(let name): return .variable(name.value, type: try type(of: name))
        case .list(let literals):
            var elements: [ArgumentValue] = []
            for literal in literals { elements.append(try value(literal)) }
            return .list(elements)
        case .object(let fields):
            var elements: [Arguments.Element] = []
            for field in fields { elements.append(Arguments.Element(field.name.value, try value(field.value))) }
            return .object(Arguments(elements))
        }
    }

    private func double(_ text: String, _ range: SourceRange) throws(ModelError) -> ArgumentValue {
        guard let double = Double(text), double.isFinite else {
            throw invalid(range, "The number \(text) is too large. Pass it as a variable.")
        }
        return .double(double)
    }

    /// Returns the type of a variable for a document that declares no default values, such as the document of a
    /// ``MissingPart``. A nullable variable is valid in a non-null position only if it has a default value. If the
    /// operation declares a default value other than `null`, the method therefore returns the non-null type.
    private func type(of variable: Name) throws(ModelError) -> String {
        let definition = try definition(of: variable)
        guard let value = definition.defaultValue, !definition.type.isNonNull else { return "\(definition.type)" }
        if case .null = value.kind { return "\(definition.type)" }
        return "\(definition.type)!"
    }

    private func definition(of variable: Name) throws(ModelError) -> DuetGraphQLLanguage.VariableDefinition {
        guard let definition = operation.variableDefinitions.first(where: { $0.variable.name.value == variable.value })
        else {
            throw invalid(
                variable.range,
                "The operation does not declare the variable $\(variable.value). Declare it in the parentheses after the operation's name."
            )
        }
        return definition
    }

    /// Returns the conditions of `@include` and `@skip`.
    /// - Returns: The conditions, or `nil` if the selection is always excluded.
    func conditions(_ directives: NodeList<Directive>) throws(ModelError) -> [FieldCondition]? {
        var conditions: [FieldCondition] = []
        for directive in directives {
            let selects = directive.name.value == "include"
            guard selects || directive.name.value == "skip" else { continue }
            switch directive.arguments.first(where: { $0.name.value == "if" })?.value.kind {
            case .boolean(let value): if value != selects { return nil }
            case .variable(let name):
                let condition = FieldCondition(
                    variable: try definition(of: name).variable.name.value, selects: selects)
                if !conditions.contains(condition) { conditions.append(condition) }
            default:
                throw invalid(
                    directive.range,
                    "The directive @\(directive.name.value) requires the argument \"if\" with a Boolean or a variable.")
            }
        }
        return conditions
    }
}
