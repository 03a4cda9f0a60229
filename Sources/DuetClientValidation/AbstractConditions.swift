import DuetClient
import DuetGraphQL

/// Finds the fragments on an interface or a union for which the client's ``TypeConditions`` and the schema have
/// different object types. If an object type is missing from the `TypeConditions`, the cache omits the fields of the
/// fragment for objects of this type.
struct AbstractConditions {
    private let schema: Schema
    private let types: TypeConditions
    private let source: Source
    private(set) var errors: [GraphQLError] = []

    init(_ document: Document, schema: Schema, types: TypeConditions) {
        self.schema = schema
        self.types = types
        source = document.source
        for definition in document.definitions {
            switch definition {
            case .operation(let operation): check(operation.selectionSet)
            case .fragment(let fragment):
                check(fragment.typeCondition)
                check(fragment.selectionSet)
            default: break
            }
        }
    }

    private mutating func check(_ set: SelectionSet) {
        for selection in set.selections {
            switch selection {
            case .field(let field): if let set = field.selectionSet { check(set) }
            case .inlineFragment(let fragment):
                if let condition = fragment.typeCondition { check(condition) }
                check(fragment.selectionSet)
            case .fragmentSpread: break
            }
        }
    }

    private mutating func check(_ condition: Name) {
        guard let type = schema.type(named: condition.value), type.isAbstract else { return }
        let names = Set(schema.possibleTypes(of: type).map(\.name))
        guard types.possibleTypes[type.name] != names else { return }
        let list = names.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        errors.append(
            GraphQLError(
                "The fragment has the type condition \(type.name). The client needs the object types of this type to cache the fields. Add \"\(type.name)\": [\(list)] to the types of CachePolicies.",
                locations: [source.location(of: condition.range)]))
    }
}
