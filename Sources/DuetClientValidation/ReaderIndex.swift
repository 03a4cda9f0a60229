import DuetClient
import DuetGraphQL

/// Finds the model that reads the field at the location of an error in a printed document.
struct ReaderIndex {
    /// A range of the text, and the model that reads it.
    private struct Entry {
        let range: Range<SourceLocation>
        let model: String
        let property: String?
        let place: SourcePlace?
        let variables: Set<String>
    }

    private let source: Source
    private let root: String
    private var entries: [Entry] = []
    private var fragments: [String: FragmentDefinition] = [:]
    private var openFragments: Set<String> = []
    /// The ranges and names of the variable definitions.
    private var variables: [(range: Range<SourceLocation>, name: String)] = []
    /// The ranges of the type conditions of fragments.
    private var fragmentTypes: [Range<SourceLocation>] = []

    init(_ document: Document, _ map: ObjectMap) {
        source = document.source
        root = map.modelName
        for fragment in document.fragments {
            fragments[fragment.name.value] = fragment
            fragmentTypes.append(range(fragment.typeCondition.range))
        }
        for operation in document.operations {
            variables += operation.variableDefinitions.map { (range($0.range), $0.variable.name.value) }
            add(operation.selectionSet, map)
        }
    }

    private func range(_ range: SourceRange) -> Range<SourceLocation> {
        let start = source.location(at: Int(range.start))
        return start..<max(start, source.location(at: Int(range.end)))
    }

    private mutating func add(_ set: SelectionSet, _ map: ObjectMap) {
        for selection in set.selections {
            switch selection {
            case .field(let node):
                guard let field = map[node.responseName] else { continue }
                let reader = field.readers.first
                entries.append(
                    Entry(
                        range: range(node.range), model: reader.map { "\($0.model)" } ?? map.modelName,
                        property: field.responseName, place: reader?.place, variables: field.variables))
                if let set = node.selectionSet, let object = field.object { add(set, object) }
            case .inlineFragment(let node):
                guard let type = node.typeCondition?.value,
                    let typeCase = map.typeCases.first(where: { $0.typeName == type })
                else { continue }
                entries.append(
                    Entry(
                        range: range(node.range), model: typeCase.object.modelName, property: nil,
                        place: typeCase.object.firstPlace, variables: []))
                add(node.selectionSet, typeCase.object)
            case .fragmentSpread(let node):
                // ``QueryBuilder`` prints a fragment spread in place of a whole selection set. The fragment therefore
                // has the fields of `map`.
                guard let fragment = fragments[node.name.value], openFragments.insert(node.name.value).inserted
                else { continue }
                add(fragment.selectionSet, map)
            }
        }
    }

    /// Returns true if the error is located at the type condition of a fragment. Such a type condition is the
    /// `typeName` of a model, which ``ModelCheck`` checks.
    func isFragmentType(_ locations: [SourceLocation]) -> Bool {
        locations.contains { location in fragmentTypes.contains { $0.contains(location) } }
    }

    /// Converts an error of the validation into an error with the model and the property.
    func error(_ error: GraphQLError, operation: String) -> ValidationError {
        let entry = error.locations.lazy.compactMap { self.entry(at: $0) }.first
        return ValidationError(
            error.message, operation: operation, model: entry?.model ?? root, property: entry?.property,
            place: entry?.place)
    }

    /// Returns the innermost entry that contains the location. For a variable definition, returns the first field that
    /// uses the variable.
    private func entry(at location: SourceLocation) -> Entry? {
        if let variable = variables.first(where: { $0.range.contains(location) }) {
            return entries.first { $0.variables.contains(variable.name) }
        }
        return entries.filter { $0.range.contains(location) }.max { $0.range.lowerBound < $1.range.lowerBound }
    }
}

extension ObjectMap {
    /// The location of the Swift code that reads the first field.
    fileprivate var firstPlace: SourcePlace? {
        fields.lazy.compactMap(\.place).first ?? typeCases.lazy.compactMap(\.object.firstPlace).first
    }
}

extension FieldMap {
    /// The names of the variables in the arguments and conditions.
    fileprivate var variables: Set<String> {
        arguments.variables.union(conditions.map(\.variable))
    }
}

extension Arguments {
    fileprivate var variables: Set<String> {
        elements.reduce(into: []) { $0.formUnion($1.value.variables) }
    }
}

extension ArgumentValue {
    fileprivate var variables: Set<String> {
        switch self {
        case .variable(let name, _): [name]
        case .list(let elements): elements.reduce(into: []) { $0.formUnion($1.variables) }
        case .object(let fields): fields.variables
        default: []
        }
    }
}
