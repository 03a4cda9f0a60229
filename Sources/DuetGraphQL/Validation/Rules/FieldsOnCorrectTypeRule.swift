extension ValidationRule {
    /// Requires that selected fields exist on their parent types (specification, section 5.3.1).
    public static let fieldsOnCorrectType = ValidationRule("FieldsOnCorrectTypeRule") { visitor, context in
        visitor.enterField.append { field in
            guard context.fieldDefinition == nil, let type = context.parentType else { return }
            let name = field.name.value
            var suggestion = ""
            if context.suggestsNames {
                suggestion = Suggestions.didYouMean(
                    typesWithField(name, of: type, in: context.schema), prefix: "to use an inline fragment on")
            }
            if suggestion.isEmpty {
                suggestion = context.didYouMean(name, among: type.fields?.map(\.name) ?? [])
            }
            context.report(
                "Cannot query field \"\(name)\" on type \"\(type.name)\"." + suggestion, at: field.range)
        }
    }

    /// Returns the names of types that have the field: the possible object types of an abstract type, and the
    /// interfaces of these object types. Types that apply to more object types precede other types, and an interface
    /// precedes its implementations. The result contains at most five names, the maximum number in a message.
    private static func typesWithField(_ name: String, of type: NamedType, in schema: Schema) -> [String] {
        guard type.isAbstract else { return [] }
        var candidates: [String: (type: NamedType, count: Int)] = [:]
        for object in schema.possibleTypes(of: type) where object.fields[name] != nil {
            candidates[object.name] = (.object(object), 1)
            for interfaceName in object.interfaces {
                guard let interface = schema[interfaceName], interface.fields?[name] != nil else { continue }
                candidates[interface.name, default: (interface, 0)].count += 1
            }
        }
        var found: [String] = []
        while found.count < 5 {
            let next = candidates.values
                .filter { $0.type.interfaces.allSatisfy { candidates[$0.name] == nil } }
                .min { left, right in
                    left.count != right.count
                        ? left.count > right.count
                        : Suggestions.naturallyPrecedes(left.type.name, right.type.name)
                }
            guard let next else { break }
            found.append(next.type.name)
            candidates[next.type.name] = nil
        }
        return found
    }
}
