extension ValidationRule {
    /// Requires that documents do not use deprecated elements (specification, section 3.13.3). This rule is for tools.
    /// A service should execute documents that use deprecated elements.
    public static let noDeprecatedCustom = ValidationRule("NoDeprecatedCustomRule") { visitor, context in
        visitor.enterField.append { field in
            guard let definition = context.fieldDefinition, let reason = definition.deprecationReason,
                let type = context.parentType
            else { return }
            context.report("The field \(type.name).\(definition.name) is deprecated. \(reason)", at: field.range)
        }
        visitor.enterArgument.append { argument in
            guard let definition = context.argument, let reason = definition.deprecationReason else { return }
            let owner: String
            if let directive = context.directive {
                owner = "Directive \"@\(directive.name)\""
            } else if let type = context.parentType, let field = context.fieldDefinition {
                owner = "Field \"\(type.name).\(field.name)\""
            } else {
                return
            }
            context.report("\(owner) argument \"\(definition.name)\" is deprecated. \(reason)", at: argument.range)
        }
        visitor.enterLiteralField.append { field in
            guard let type = context.parentInputType, case .inputObject(let input)? = context.schema[type],
                let definition = input.fields[field.name.value], let reason = definition.deprecationReason
            else { return }
            context.report("The input field \(input.name).\(definition.name) is deprecated. \(reason)", at: field.range)
        }
        visitor.enterLiteral.append { literal in
            guard case .enum(let name) = literal.kind, let type = context.inputType,
                case .enum(let enumType)? = context.schema[type], let reason = enumType.values[name]?.deprecationReason
            else { return }
            context.report("The enum value \"\(enumType.name).\(name)\" is deprecated. \(reason)", at: literal.range)
        }
    }
}
