extension ValidationRule {
    /// Requires that each literal is valid for the type of its position (specification, section 5.6.1, and sections
    /// 5.6.2 and 5.6.4 for input objects).
    public static let valuesOfCorrectType = ValidationRule("ValuesOfCorrectTypeRule") { visitor, context in
        /// The number of enclosing lists and objects whose content needs no check, because the list or object is
        /// invalid as a whole, or because a custom scalar has checked it.
        var skipped = 0
        /// The number of enclosing lists and objects.
        var depth = 0
        visitor.enterLiteral.append { literal in
            switch literal.kind {
            case .variable: return
            case .list, .object:
                depth += 1
                // The content of a literal that is too deep is not checked, because the checks can recurse.
                if depth == 1, literal.isTooDeep {
                    context.report(Literal.tooDeep, at: literal.range)
                    skipped += 1
                    return
                }
            default: break
            }
            switch literal.kind {
            case .variable: return
            case .list:
                if skipped == 0, case .list? = context.inputType?.nullable { return }
                if skipped == 0 { context.checkLeaf(literal, type: context.inputType?.nullable) }
                skipped += 1
            case .object(let fields):
                if skipped == 0, let type = context.inputType, case .inputObject(let input)? = context.schema[type] {
                    context.checkObject(literal, fields, type: input)
                    return
                }
                if skipped == 0 { context.checkLeaf(literal, type: context.inputType) }
                skipped += 1
            case .null:
                guard skipped == 0, let type = context.inputType, type.isNonNull else { return }
                context.report("Expected value of type \"\(type)\", found null.", at: literal.range)
            case .int, .float, .string, .boolean, .enum:
                if skipped == 0 { context.checkLeaf(literal, type: context.inputType) }
            }
        }
        visitor.leaveLiteral.append { literal in
            switch literal.kind {
            case .list, .object:
                depth -= 1
                if skipped > 0 { skipped -= 1 }
            default: return
            }
        }
        visitor.enterLiteralField.append { field in
            guard skipped == 0, context.inputType == nil, let parent = context.parentInputType,
                case .inputObject(let input)? = context.schema[parent], input.fields[field.name.value] == nil
            else { return }
            context.report(
                "Field \"\(field.name.value)\" is not defined by type \"\(input.name)\"."
                    + context.didYouMean(field.name.value, among: input.fields.map(\.name)), at: field.range)
        }
    }
}

extension ValidationContext {
    /// Checks that a literal is valid for a scalar or enum type. Any other type is an error. If the type is nil or
    /// unknown, nothing is checked.
    fileprivate func checkLeaf(_ literal: Literal, type: GraphQLType?) {
        guard let type, let named = schema[type] else { return }
        switch named {
        case .scalar(let scalar):
            if scalar.plainlyAccepts(literal) { return }
            do {
                _ = try scalar.coercion.parseLiteral(literal, [:])
            } catch let error as GraphQLError {
                report(error.message, at: literal.range)
            } catch {
                report(
                    "Expected value of type \"\(type)\", found \(Printer.print(literal)); \(error)", at: literal.range)
            }
        case .enum(let enumType): checkEnum(literal, type: enumType)
        default: report("Expected value of type \"\(type)\", found \(Printer.print(literal)).", at: literal.range)
        }
    }

    private func checkEnum(_ literal: Literal, type: EnumType) {
        func didYouMean(_ text: String) -> String {
            self.didYouMean(text, among: type.values.map(\.name), prefix: "the enum value")
        }
        if case .enum(let name) = literal.kind {
            if type.values[name] != nil { return }
            report(
                "Value \"\(name)\" does not exist in \"\(type.name)\" enum." + didYouMean(name), at: literal.range)
        } else {
            let text = Printer.print(literal)
            report(
                "Enum \"\(type.name)\" cannot represent non-enum value: \(text)." + didYouMean(text),
                at: literal.range)
        }
    }

    fileprivate func checkObject(_ literal: Literal, _ fields: [LiteralField], type: InputObjectType) {
        let given = fields.count > 8 ? Set(fields.map(\.name.value)) : nil
        for field in type.fields where field.isRequired {
            if given?.contains(field.name) ?? fields.contains(where: { $0.name.value == field.name }) { continue }
            report(
                "Field \"\(type.name).\(field.name)\" of required type \"\(field.type)\" was not provided.",
                at: literal.range)
        }
        guard type.isOneOf else { return }
        guard let first = fields.first, fields.allSatisfy({ $0.name.value == first.name.value }) else {
            report("OneOf Input Object \"\(type.name)\" must specify exactly one key.", at: literal.range)
            return
        }
        if case .null? = fields.last?.value.kind {
            report("Field \"\(type.name).\(first.name.value)\" must be non-null.", at: literal.range)
        }
    }
}

extension ScalarType {
    /// Returns true if the scalar is a built-in scalar and the literal has the scalar's most common form. In this case,
    /// the literal is valid and need not be converted.
    fileprivate func plainlyAccepts(_ literal: Literal) -> Bool {
        switch literal.kind {
        case .string: self === ScalarType.string || self === ScalarType.id
        case .boolean: self === ScalarType.boolean
        case .int(let digits): digits.utf8.count <= 9 && (self === ScalarType.int || self === ScalarType.id)
        default: false
        }
    }
}
