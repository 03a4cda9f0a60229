/// Checks that an object or interface type implements its interfaces: IsValidImplementation (specification, section
/// 3.6).
extension SchemaValidation {
    mutating func validateInterfaces(of type: NamedType) {
        var seen: Set<TypeName> = []
        for name in type.interfaces {
            var locations: [SourceLocation] { type.definitions.locations(of: name.name, in: \.interfaces) }
            guard case .interface(let interface)? = schema[name] else {
                report(
                    "Type \(type.name) must only implement Interface types, it cannot implement \(name).",
                    at: locations)
                continue
            }
            if interface.name == type.name {
                report(
                    "Type \(type.name) cannot implement itself because it would create a circular reference.",
                    at: locations)
            } else if !seen.insert(name).inserted {
                report("Type \(type.name) can only implement \(name) once.", at: locations)
            } else {
                validateAncestors(of: interface, implementedBy: type)
                validateFields(of: interface, implementedBy: type)
            }
        }
    }

    private mutating func validateAncestors(of interface: InterfaceType, implementedBy type: NamedType) {
        for ancestor in interface.interfaces where !type.interfaces.contains(ancestor) {
            report(
                ancestor.name == type.name
                    ? "Type \(type.name) cannot implement \(interface.name) because it would create a circular reference."
                    : "Type \(type.name) must implement \(ancestor) because it is implemented by \(interface.name).",
                at: interface.definitions.locations(of: ancestor.name, in: \.interfaces)
                    + type.definitions.locations(of: interface.name, in: \.interfaces))
        }
    }

    private mutating func validateFields(of interface: InterfaceType, implementedBy type: NamedType) {
        for expected in interface.fields {
            let coordinate = "\(interface.name).\(expected.name)"
            guard let field = type.fields?[expected.name] else {
                report(
                    "Interface field \(coordinate) expected but \(type.name) does not provide it.",
                    at: [expected.definition?.location(\.range)] + type.definitions.map { $0.location(\.range) })
                continue
            }
            if !schema.isSubtype(field.type, of: expected.type) {
                report(
                    "Interface field \(coordinate) expects type \(expected.type) "
                        + "but \(type.name).\(field.name) is type \(field.type).",
                    at: [expected.definition?.location(\.type.range), field.definition?.location(\.type.range)])
            }
            validateArguments(of: field, as: expected, coordinate, "\(type.name).\(field.name)")
            if field.deprecationReason != nil, expected.deprecationReason == nil {
                report(
                    "Interface field \(coordinate) is not deprecated, "
                        + "so implementation field \(type.name).\(field.name) must not be deprecated.",
                    at: [
                        field.definition?.location(of: "deprecated", in: \.directives),
                        field.definition?.location(\.type.range),
                    ])
            }
        }
    }

    private mutating func validateArguments(
        of field: SchemaField, as expected: SchemaField, _ interfaceField: String, _ typeField: String
    ) {
        for argument in expected.arguments {
            let coordinate = "\(interfaceField)(\(argument.name):)"
            guard let own = field.arguments[argument.name] else {
                report(
                    "Interface field argument \(coordinate) expected but \(typeField) does not provide it.",
                    at: [argument.definition?.location(\.range), field.definition?.location(\.range)])
                continue
            }
            if own.type != argument.type {
                report(
                    "Interface field argument \(coordinate) expects type \(argument.type) "
                        + "but \(typeField)(\(argument.name):) is type \(own.type).",
                    at: [argument.definition?.location(\.type.range), own.definition?.location(\.type.range)])
            }
        }
        for argument in field.arguments where argument.isRequired && expected.arguments[argument.name] == nil {
            report(
                "Object field \(typeField) includes required argument \(argument.name) "
                    + "that is missing from the Interface field \(interfaceField).",
                at: [argument.definition?.location(\.range), expected.definition?.location(\.range)])
        }
    }
}
