import DuetGraphQLLanguage

/// Creates the ``ObjectMap`` of a GraphQL document.
struct DocumentMapper {
    private let document: SourceDocument
    /// The names of the fragments that are being mapped, outermost first.
    private var openFragments: [String] = []
    /// The maps of the fragments, by name. Each fragment is mapped once.
    private var fragments: [String: ObjectMap] = [:]

    init(_ document: SourceDocument) { self.document = document }

    /// Returns the map of the operation's root object.
    mutating func map() throws(ModelError) -> ObjectMap {
        let set = document.operation.selectionSet
        let map = try map(set)
        var root = ObjectMap()
        try mergeOfRoot(map, at: set.range, into: &root)
        return root
    }

    /// Adds all fields of a map to the root. Type conditions are ignored: a fragment on the root type applies to every
    /// root object, regardless of the name of the root type.
    private func mergeOfRoot(_ part: ObjectMap, at range: SourceRange, into root: inout ObjectMap) throws(ModelError) {
        for field in part.fields { try add(field, at: range, to: &root) }
        for typeCase in part.typeCases { try mergeOfRoot(typeCase.object, at: range, into: &root) }
    }

    private mutating func map(_ set: SelectionSet) throws(ModelError) -> ObjectMap {
        var map = ObjectMap()
        for selection in set.selections {
            guard let conditions = try document.conditions(selection.directives) else { continue }
            switch selection {
            case .field(let node):
                var field = FieldMap(
                    node.name.value, alias: node.alias?.value, arguments: try document.arguments(node.arguments),
                    conditions: conditions)
                if field.alias == field.name { field.alias = nil }
                if let set = node.selectionSet { field.object = try self.map(set) }
                try add(field, at: node.range, to: &map)
            case .inlineFragment(let node):
                let part = try self.map(node.selectionSet)
                try add(part.adding(conditions), on: node.typeCondition?.value, at: node.range, to: &map)
            case .fragmentSpread(let node):
                let (type, part) = try fragment(node)
                try add(part.adding(conditions), on: type, at: node.range, to: &map)
            }
        }
        return map
    }

    private mutating func fragment(_ spread: FragmentSpread) throws(ModelError) -> (type: String, map: ObjectMap) {
        let name = spread.name.value
        guard let fragment = document.fragments[name] else {
            throw document.invalid(
                spread.range, "The document has no fragment \(name). Add it, or correct the name.")
        }
        let type = fragment.typeCondition.value
        if let map = fragments[name] { return (type, map) }
        guard !openFragments.contains(name) else {
            let cycle = (openFragments.drop { $0 != name } + [name]).joined(separator: " → ")
            throw document.invalid(
                spread.range, "The fragment \(name) contains itself (\(cycle)). Remove one of the spreads.")
        }
        openFragments.append(name)
        defer { openFragments.removeLast() }
        let map = try map(fragment.selectionSet)
        fragments[name] = map
        return (type, map)
    }

    /// Adds the selections of a fragment to a map.
    /// - Parameter type: The type condition; `nil` for none.
    private func add(
        _ part: ObjectMap, on type: String?, at range: SourceRange, to map: inout ObjectMap
    ) throws(ModelError) {
        guard let type else { return try merge(part, at: range, into: &map) }
        if let index = map.typeCases.firstIndex(where: { $0.typeName == type }) {
            try merge(part, at: range, into: &map.typeCases[index].object)
        } else {
            map.typeCases.append(TypeCase(on: type, part))
        }
    }

    private func merge(_ part: ObjectMap, at range: SourceRange, into map: inout ObjectMap) throws(ModelError) {
        for field in part.fields { try add(field, at: range, to: &map) }
        for typeCase in part.typeCases { try add(typeCase.object, on: typeCase.typeName, at: range, to: &map) }
    }

    /// Adds a field. If the map has a field with the same response name and the same conditions (`@skip`, `@include`),
    /// the two fields are merged. Fields with different conditions remain separate, because their subfields can differ.
    private func add(_ field: FieldMap, at range: SourceRange, to map: inout ObjectMap) throws(ModelError) {
        let same = map.fields.indices.filter { map.fields[$0].responseName == field.responseName }
        if let first = same.first,
            map.fields[first].name != field.name || map.fields[first].arguments != field.arguments
        {
            throw document.invalid(
                range,
                "Two fields have the response name \(field.responseName), but different names or arguments. Give one of the fields an alias."
            )
        }
        guard let index = same.first(where: { map.fields[$0].conditions == field.conditions }) else {
            map.fields.append(field)
            return
        }
        guard let object = field.object else { return }
        guard var merged = map.fields[index].object else {
            map.fields[index].object = object
            return
        }
        try merge(object, at: range, into: &merged)
        map.fields[index].object = merged
    }
}
