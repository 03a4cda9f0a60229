extension Definition {
    /// The type definition or extension; nil for other definitions.
    var typeDefinition: TypeDefinition? {
        switch self {
        case .type(let type), .typeExtension(let type): type
        default: nil
        }
    }

    /// The schema definition or extension; nil for other definitions.
    var schemaDefinition: SchemaDefinition? {
        switch self {
        case .schema(let schema), .schemaExtension(let schema): schema
        default: nil
        }
    }
}

extension [Definition] {
    /// The names of the defined types.
    var definedTypeNames: Set<String> {
        Set(compactMap { if case .type(let type) = $0 { type.name.value } else { nil } })
    }
}

extension [Name] {
    /// Returns all occurrences of each name that occurs more than once. The names are in the order of their first
    /// occurrences.
    func repeated() -> [[Name]] {
        guard count > 1 else { return [] }
        var groups: [[Name]] = []
        var places: [String: Int] = [:]
        for name in self {
            if let place = places[name.value] {
                groups[place].append(name)
            } else {
                places[name.value] = groups.count
                groups.append([name])
            }
        }
        return groups.filter { $0.count > 1 }
    }
}

extension [Definition] {
    /// Returns a property of each directive that the document defines, by name; nil if the document defines no
    /// directive.
    func definedDirectives<Property>(_ property: (DirectiveDefinition) -> Property) -> [String: Property]? {
        var properties: [String: Property]?
        for case .directive(let directive) in self {
            properties = properties ?? [:]
            properties?[directive.name.value] = property(directive)
        }
        return properties
    }
}
