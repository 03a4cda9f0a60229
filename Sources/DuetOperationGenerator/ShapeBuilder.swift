import DuetGraphQL

/// Creates the structure for a selection set. Fields with equal response names are merged, as in a response
/// (CollectFields, specification, section 6.3.2). Each fragment has a separate structure.
struct ShapeBuilder {
    let types: SwiftTypes
    /// The names of types that the generated code refers to. A nested type with one of these names would hide the type.
    let globalNames: Set<String>
    let fragments: [String: FragmentDefinition]
    /// The types of the variables by name.
    let variableTypes: [String: String]
    let source: Source
    /// The errors for selections that a structure cannot represent.
    private(set) var findings: [DocumentFinding] = []

    private var schema: Schema { types.schema }

    init(
        types: SwiftTypes, globalNames: Set<String>, fragments: [String: FragmentDefinition],
        variableTypes: [String: String], source: Source
    ) {
        self.types = types
        self.globalNames = globalNames
        self.fragments = fragments
        self.variableTypes = variableTypes
        self.source = source
    }

    /// A selection set with the conditions of the enclosing selections.
    typealias Part = (set: SelectionSet, conditions: [InclusionCondition])

    /// Returns the structure of an object.
    /// - Parameters:
    ///   - name: The name of the structure.
    ///   - parts: The selection sets to merge.
    ///   - type: The type of the object.
    ///   - isRoot: True for the root object of an operation.
    mutating func shape(
        _ name: String, _ parts: [Part], on type: NamedType, isRoot: Bool = false
    ) -> GeneratedObject {
        var collected = CollectedSelections()
        for part in parts { collect(part.set, part.conditions, on: type, into: &collected) }
        var shape = GeneratedObject(
            name: name, typeName: isRoot || type.isAbstract ? nil : type.name, description: type.description)
        var taken = globalNames
        var properties: Set<String> = []
        for entry in collected.entries {
            var member: GeneratedObject.Member
            switch entry.kind {
            case .field(let field, let definition): member = self.member(field, definition, entry, &taken)
            case .spread(let fragment, let on):
                let conditions = InclusionCondition.argument(entry.conditions)
                let arguments = [on.map { "on: \(SwiftLiteral.string($0))" }, conditions].compactMap { $0 }
                let isOptional = !arguments.isEmpty
                member = GeneratedObject.Member(
                    property: SwiftName.property(SwiftName.lowerCamel(fragment)),
                    swiftType: SwiftName.type(fragment) + (isOptional ? "?" : ""),
                    read: "decoder.value(\(arguments.joined(separator: ", ")))", content: .fragment,
                    description: "The fields of the fragment `\(fragment)`.")
            case .typeCase(let caseType):
                let name = unusedName("As" + SwiftName.type(caseType.name), &taken)
                let inner = self.shape(name, entry.parts, on: caseType)
                let arguments = [
                    "on: \(SwiftLiteral.string(caseType.name))", InclusionCondition.argument(entry.conditions),
                ].compactMap { $0 }
                member = GeneratedObject.Member(
                    property: SwiftName.lowerCamel(name), swiftType: name + "?",
                    read: "decoder.value(\(arguments.joined(separator: ", ")))", content: .typeCase(inner),
                    description: "The fields of an object of the type `\(caseType.name)`.")
            }
            while !properties.insert(member.property).inserted {
                member.property += member.responseName == nil ? "Fragment" : "Value"
            }
            shape.members.append(member)
        }
        return shape
    }

    private mutating func member(
        _ field: Field, _ definition: SchemaField, _ entry: CollectedSelections.Entry, _ taken: inout Set<String>
    ) -> GeneratedObject.Member {
        let responseName = (field.alias ?? field.name).value
        var content = GeneratedObject.Member.Content.leaf
        var base = types.named(definition.type.typeName.name)
        if let inner = schema[definition.type], inner.isComposite {
            let shape = shape(unusedName(SwiftName.type(responseName), &taken), entry.parts, on: inner)
            base = shape.name
            content = .object(shape)
        }
        var swiftType = SwiftTypes.wrapped(definition.type, base)
        if !entry.conditions.isEmpty, definition.type.isNonNull { swiftType += "?" }
        var arguments = [SwiftLiteral.string(field.name.value)]
        if let alias = field.alias, alias.value != field.name.value {
            arguments.append("alias: \(SwiftLiteral.string(alias.value))")
        }
        if !field.arguments.isEmpty {
            let list = field.arguments.map { argument in
                "\(SwiftLiteral.string(argument.name.value)): \(SwiftLiteral.argument(argument.value, types: variableTypes))"
            }
            arguments.append("arguments: [\(list.joined(separator: ", "))]")
        }
        if let conditions = InclusionCondition.argument(entry.conditions) { arguments.append(conditions) }
        return GeneratedObject.Member(
            property: SwiftName.property(responseName), swiftType: swiftType,
            read: "decoder.value(\(arguments.joined(separator: ", ")))", responseName: responseName, content: content,
            description: definition.description, deprecationReason: definition.deprecationReason)
    }

    /// Returns a name that no other nested type has, based on the given name.
    private func unusedName(_ name: String, _ taken: inout Set<String>) -> String {
        var result = taken.contains(name) ? name + "Object" : name
        while !taken.insert(result).inserted { result += "_" }
        return result
    }

    // MARK: CollectFields

    private mutating func collect(
        _ set: SelectionSet, _ outer: [InclusionCondition], on type: NamedType,
        into collected: inout CollectedSelections
    ) {
        for selection in set.selections {
            guard let own = InclusionCondition.conditions(of: selection.directives) else { continue }
            let conditions = outer + own.filter { !outer.contains($0) }
            switch selection {
            case .field(let field):
                // Every field exists, because the documents are valid.
                guard let definition = schema.field(named: field.name.value, on: type) else { continue }
                add(
                    .field(field, definition), key: "field \((field.alias ?? field.name).value)", conditions,
                    field.selectionSet, at: field.range, to: &collected)
            case .inlineFragment(let fragment):
                guard let condition = fragment.typeCondition.map({ schema.type(named: $0.value) }) ?? type else {
                    continue
                }
                if isAlways(type, condition) {
                    collect(fragment.selectionSet, conditions, on: type, into: &collected)
                } else {
                    add(
                        .typeCase(condition), key: "type \(condition.name)", conditions, fragment.selectionSet,
                        at: fragment.range, to: &collected)
                }
            case .fragmentSpread(let spread):
                guard let fragment = fragments[spread.name.value],
                    let condition = schema.type(named: fragment.typeCondition.value)
                else { continue }
                add(
                    .spread(spread.name.value, on: isAlways(type, condition) ? nil : condition.name),
                    key: "fragment \(spread.name.value)", conditions, nil, at: spread.range, to: &collected)
            }
        }
    }

    /// Returns true if every object of the type satisfies the type condition.
    private func isAlways(_ type: NamedType, _ condition: NamedType) -> Bool {
        type.name == condition.name || schema.isSubtype(type, of: condition)
    }

    private mutating func add(
        _ kind: CollectedSelections.Kind, key: String, _ conditions: [InclusionCondition], _ set: SelectionSet?,
        at range: SourceRange, to collected: inout CollectedSelections
    ) {
        guard collected.add(kind, key: key, conditions, set) else {
            findings.append(
                DocumentFinding(
                    "The \(key) is selected under different conditions. Select it once, or without conditions.",
                    at: [source.location(of: range)], in: source))
            return
        }
    }
}

/// The selections of an object, merged by response name.
struct CollectedSelections {
    enum Kind {
        case field(Field, SchemaField)
        /// A fragment spread. `on` is the type condition; it is `nil` if every object of the type satisfies it.
        case spread(String, on: String?)
        case typeCase(NamedType)
    }

    struct Entry {
        let kind: Kind
        var conditions: [InclusionCondition]
        /// The nested selection sets. Each has only those conditions that are not in `conditions`.
        var parts: [ShapeBuilder.Part]
    }

    private(set) var entries: [Entry] = []
    private var places: [String: Int] = [:]

    /// - Returns: False if the entry exists and has conditions that cannot be combined with the new conditions.
    mutating func add(_ kind: Kind, key: String, _ conditions: [InclusionCondition], _ set: SelectionSet?) -> Bool {
        guard let place = places[key] else {
            places[key] = entries.count
            entries.append(Entry(kind: kind, conditions: conditions, parts: set.map { [($0, [])] } ?? []))
            return true
        }
        let own = entries[place].conditions
        if own == conditions {
            if let set { entries[place].parts.append((set, [])) }
            return true
        }
        guard own.isEmpty || conditions.isEmpty else { return false }
        // One of the selections is unconditional, so the merged field is always selected. The conditions of the other
        // selection apply to its nested fields.
        for part in entries[place].parts.indices where entries[place].parts[part].conditions.isEmpty {
            entries[place].parts[part].conditions = own
        }
        entries[place].conditions = []
        if let set { entries[place].parts.append((set, conditions)) }
        return true
    }
}
