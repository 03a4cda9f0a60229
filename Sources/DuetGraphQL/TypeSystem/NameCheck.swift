/// Checks the names of elements that are defined in code (specification, section 2.1.8). The parser checks the names in
/// a document.
enum NameCheck {
    static func errors(in types: [NamedType], _ directives: [SchemaDirective]) -> [GraphQLError] {
        var errors: [GraphQLError] = []
        func check(_ name: String) {
            if let message = problem(with: name) { errors.append(GraphQLError(message)) }
        }
        for type in types {
            check(type.name)
            unique(type.fields?.map(\.name) ?? []) { "Field \"\(type.name).\($0)\" can only be defined once." }
            for field in type.fields ?? [] {
                check(field.name)
                for argument in field.arguments { check(argument.name) }
                unique(field.arguments.map(\.name)) {
                    "Argument \"\(type.name).\(field.name)(\($0):)\" can only be defined once."
                }
            }
            if case .inputObject(let input) = type {
                for field in input.fields { check(field.name) }
                unique(input.fields.map(\.name)) { "Field \"\(type.name).\($0)\" can only be defined once." }
            }
            if case .enum(let type) = type {
                for value in type.values {
                    check(value.name)
                    if ["true", "false", "null"].contains(value.name) {
                        errors.append(GraphQLError("Enum values cannot be named: \(value.name)"))
                    }
                }
                unique(type.values.map(\.name)) { "Enum value \"\(type.name).\($0)\" can only be defined once." }
            }
        }
        for directive in directives {
            check(directive.name)
            for argument in directive.arguments { check(argument.name) }
            unique(directive.arguments.map(\.name)) {
                "Argument \"@\(directive.name)(\($0):)\" can only be defined once."
            }
        }
        unique(directives.map(\.name)) { "There can be only one directive named \"@\($0)\"." }
        return errors

        func unique(_ names: [String], _ message: (String) -> String) {
            guard names.count > 1 else { return }
            var seen: Set<String> = []
            for name in names where !seen.insert(name).inserted { errors.append(GraphQLError(message(name))) }
        }
    }

    private static func problem(with name: String) -> String? {
        guard let first = name.utf8.first else { return "Expected name to be a non-empty string." }
        if !name.utf8.allSatisfy(Lexer.isNameContinue) {
            return "Names must only contain [_a-zA-Z0-9] but \"\(name)\" does not."
        }
        return Lexer.isNameStart(first) ? nil : "Names must start with [_a-zA-Z] but \"\(name)\" does not."
    }
}
