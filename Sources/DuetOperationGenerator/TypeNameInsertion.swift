import DuetGraphQL

/// Adds `__typename` to each selection set on an interface or a union. The client needs the field to determine the type
/// of the object. A selection set that already contains the field does not change.
struct TypeNameInsertion {
    let schema: Schema

    func operation(_ definition: OperationDefinition) -> OperationDefinition {
        guard let root = schema.rootType(for: definition.operation) else { return definition }
        var definition = definition
        definition.selectionSet = selectionSet(definition.selectionSet, on: .object(root))
        return definition
    }

    func fragment(_ definition: FragmentDefinition) -> FragmentDefinition {
        guard let type = schema.type(named: definition.typeCondition.value) else { return definition }
        var definition = definition
        definition.selectionSet = selectionSet(definition.selectionSet, on: type)
        return definition
    }

    /// - Parameter isPart: True for an inline fragment. The selection set that encloses the fragment already selects
    ///   the field.
    private func selectionSet(_ set: SelectionSet, on type: NamedType, isPart: Bool = false) -> SelectionSet {
        var selections = set.selections.map { selection -> Selection in
            switch selection {
            case .field(var field):
                if let inner = field.selectionSet,
                    let definition = schema.field(named: field.name.value, on: type),
                    let innerType = schema[definition.type]
                {
                    field.selectionSet = selectionSet(inner, on: innerType)
                }
                return .field(field)
            case .inlineFragment(var fragment):
                let inner = fragment.typeCondition.map { schema.type(named: $0.value) } ?? type
                if let inner { fragment.selectionSet = selectionSet(fragment.selectionSet, on: inner, isPart: true) }
                return .inlineFragment(fragment)
            case .fragmentSpread: return selection
            }
        }
        if !isPart, type.isAbstract, !selections.contains(where: Self.isTypeName) {
            selections.insert(.field(Field(name: Name("__typename"))), at: 0)
        }
        return SelectionSet(selections: NodeList(selections), range: set.range)
    }

    private static func isTypeName(_ selection: Selection) -> Bool {
        guard case .field(let field) = selection else { return false }
        return field.name.value == "__typename" && field.alias == nil && field.directives.isEmpty
    }
}
