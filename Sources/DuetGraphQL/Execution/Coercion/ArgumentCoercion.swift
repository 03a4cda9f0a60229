/// Coerces the arguments of a field (CoerceArgumentValues; specification, section 6.4.1).
enum ArgumentCoercion {
    /// Returns the coerced values of a field's arguments, without the arguments that have no value.
    /// - Throws: An error with the location of the argument or the field.
    static func coerce(
        _ definitions: NamedList<SchemaInputValue>, of node: Field, variables: ObjectValue, schema: Schema,
        source: Source
    ) throws(GraphQLError) -> ObjectValue {
        var values = ObjectValue()
        values.reserveCapacity(definitions.count)
        for definition in definitions {
            guard let argument = node.arguments.first(where: { $0.name.value == definition.name }) else {
                if definition.defaultLiteral != nil {
                    values[definition.name] = definition.defaultValue
                } else if definition.type.isNonNull {
                    throw GraphQLError(
                        "Argument \"\(definition.name)\" of required type \"\(definition.type)\" was not provided.",
                        locations: [source.location(of: node.range)])
                }
                continue
            }
            let location = source.location(of: argument.value.range)
            var isNull = false
            if case .null = argument.value.kind { isNull = true }
            if case .variable(let name) = argument.value.kind {
                guard let value = variables[name.value] else {
                    if definition.defaultLiteral != nil {
                        values[definition.name] = definition.defaultValue
                    } else if definition.type.isNonNull {
                        throw GraphQLError(
                            "Argument \"\(definition.name)\" of required type \"\(definition.type)\" was provided the variable \"$\(name.value)\" which was not provided a runtime value.",
                            locations: [location])
                    }
                    continue
                }
                isNull = value == .null
            }
            if isNull, definition.type.isNonNull {
                throw GraphQLError(
                    "Argument \"\(definition.name)\" of non-null type \"\(definition.type)\" must not be null.",
                    locations: [location])
            }
            do throws(GraphQLError) {
                values[definition.name] = try schema.coerce(
                    argument.value, to: definition.type, variables: variables)
            } catch {
                throw GraphQLError(
                    "Argument \"\(definition.name)\" has invalid value \(Printer.print(argument.value)).",
                    locations: [location], underlyingError: error)
            }
        }
        return values
    }
}
