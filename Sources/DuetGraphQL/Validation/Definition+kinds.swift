extension Definition {
    /// The type's definition or extension, if it is one.
    var typeDefinition: TypeDefinition? {
        switch self {
        case .type(let type), .typeExtension(let type): type
        default: nil
        }
    }

    /// The schema's definition or extension, if it is one.
    var schemaDefinition: SchemaDefinition? {
        switch self {
        case .schema(let schema), .schemaExtension(let schema): schema
        default: nil
        }
    }
}

extension [Definition] {
    /// The names of the types that are defined here.
    var definedTypeNames: Set<String> {
        Set(compactMap { if case .type(let type) = $0 { type.name.value } else { nil } })
    }
}

extension [Name] {
    /// The names that stand here more than once, each with all its places, in the order of their first places.
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
    /// What is asked of the directives that are defined here, by name; nil if there are none.
    func definedDirectives<Property>(_ property: (DirectiveDefinition) -> Property) -> [String: Property]? {
        var properties: [String: Property]?
        for case .directive(let directive) in self {
            properties = properties ?? [:]
            properties?[directive.name.value] = property(directive)
        }
        return properties
    }
}
