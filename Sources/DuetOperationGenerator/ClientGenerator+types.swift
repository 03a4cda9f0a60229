import DuetGraphQL

extension ClientGenerator {
    /// Returns the enumerations and input objects that the documents use, sorted by name. If
    /// ``GeneratorOptions/listsFields`` is true, returns all enumerations and input objects of the schema. Enumerations
    /// in ``GeneratorOptions/scalars`` are omitted.
    func usedInputTypes() -> [NamedType] {
        var names: Set<String> = []
        var open: [String] = []
        if options.listsFields {
            open = schema.types.filter { !$0.name.hasPrefix("__") && !$0.isComposite }.map(\.name)
        }
        for (_, operation) in documents.operations {
            open += operation.variableDefinitions.map(\.type.name.value)
            if let root = schema.rootType(for: operation.operation) {
                open += leafTypes(operation.selectionSet, on: .object(root))
            }
        }
        for (_, fragment) in documents.fragmentDefinitions {
            guard let type = schema.type(named: fragment.typeCondition.value) else { continue }
            open += leafTypes(fragment.selectionSet, on: type)
        }
        while let name = open.popLast() {
            guard names.insert(name).inserted, case .inputObject(let object)? = schema.type(named: name) else {
                continue
            }
            open += object.fields.map(\.type.typeName.name)
        }
        return names.sorted().compactMap { name in
            switch schema.type(named: name) {
            case .enum(let type) where options.scalars[name] == nil: .enum(type)
            case .inputObject(let type): .inputObject(type)
            default: nil
            }
        }
    }

    /// Returns the names of the types of all leaf fields in a selection set. Fragment spreads are not followed.
    private func leafTypes(_ set: SelectionSet, on type: NamedType) -> [String] {
        set.selections.flatMap { selection -> [String] in
            switch selection {
            case .field(let field):
                guard let definition = schema.field(named: field.name.value, on: type) else { return [] }
                guard let inner = field.selectionSet, let innerType = schema[definition.type] else {
                    return [definition.type.typeName.name]
                }
                return leafTypes(inner, on: innerType)
            case .inlineFragment(let fragment):
                guard let inner = fragment.typeCondition.map({ schema.type(named: $0.value) }) ?? type else {
                    return []
                }
                return leafTypes(fragment.selectionSet, on: inner)
            case .fragmentSpread: return []
            }
        }
    }

    /// Returns the object and interface types of the schema, sorted by name.
    func fieldListTypes() -> [NamedType] {
        schema.types.filter { $0.fields != nil && !$0.name.hasPrefix("__") }.sorted { $0.name < $1.name }
    }

    /// Returns the interfaces and unions that are type conditions of fragments, sorted by name.
    func abstractConditions() -> [NamedType] {
        var names: Set<String> = []
        for (_, fragment) in documents.fragmentDefinitions {
            names.insert(fragment.typeCondition.value)
            fragment.selectionSet.addTypeConditions(to: &names)
        }
        for (_, operation) in documents.operations { operation.selectionSet.addTypeConditions(to: &names) }
        return names.sorted().compactMap { schema.type(named: $0) }.filter(\.isAbstract)
    }
}

extension SelectionSet {
    fileprivate func addTypeConditions(to names: inout Set<String>) {
        for selection in selections {
            switch selection {
            case .field(let field): field.selectionSet?.addTypeConditions(to: &names)
            case .inlineFragment(let fragment):
                if let condition = fragment.typeCondition { names.insert(condition.value) }
                fragment.selectionSet.addTypeConditions(to: &names)
            case .fragmentSpread: continue
            }
        }
    }
}
