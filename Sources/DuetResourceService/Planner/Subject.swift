import DuetSQLDatabase
import Foundation

/// The row that a request identifies. A row of a resource is identified by its key. A related row is identified by the
/// key of its parent row and the values of some of its own fields. The row need not exist.
struct Subject: Sendable, Hashable {
    /// The singular name of the row's resource, such as `employee`, for errors.
    let noun: String
    /// The fields of the row's key or, for a related row, of the parent row's key.
    let key: [Field]
    let values: [SQLValue]
    /// The keys of the entities that the request identifies: the row itself and, for a related row, its parent row.
    let entities: [EntityKey]

    /// The type and the key of an entity.
    struct EntityKey: Sendable, Hashable {
        let type: String
        let key: [SQLValue]
    }

    /// The description of a related row in an error; nil for a row of the resource itself.
    private var related: String?

    init(_ resource: Resource, _ values: [SQLValue]) {
        noun = resource.singular
        key = resource.keyFields
        self.values = values
        entities = resource.isEntity ? [EntityKey(type: resource.type, key: values)] : []
    }

    /// Creates a subject for a related row that the given values of its fields identify.
    init(_ target: Resource, of parent: Subject, with values: [(field: String, value: SQLValue)]) {
        noun = target.singular
        key = parent.key
        self.values = parent.values
        let named = values.map(\.field)
        entities =
            parent.entities
            + target.entities.filter { $0.fields.allSatisfy(named.contains) }.map { entity in
                EntityKey(
                    type: entity.type,
                    key: entity.fields.compactMap { name in values.first { $0.field == name }?.value })
            }
        let rest = values.map { "\($0.field) \($0.value.keyText)" }.joined(separator: ", ")
        related = "\(noun) of \(parent.description) with \(rest)"
    }

    /// Returns the arguments of a statement that selects the row. The parameters of the key have the names of the key
    /// fields.
    /// - Parameter arguments: The other arguments of the statement.
    func arguments(adding arguments: Arguments) -> Arguments {
        var arguments = arguments
        for (field, value) in zip(key, values) { arguments[field.name] = .value(field.bound(value)) }
        return arguments
    }

    /// The description of the row in the error ``missing``.
    private var description: String { related ?? "\(noun) \(values.map(\.keyText).joined(separator: ", "))" }

    /// The error for a row that does not exist.
    var missing: ServiceError {
        ServiceError(.unknown(noun), "there is no \(description)")
    }
}

extension SQLValue {
    /// The text of the value as a part of a key, for example in a path.
    package var keyText: String {
        switch self {
        case .null: ""
        case .integer(let value): String(value)
        case .double(let value): String(value)
        case .unsigned(let value): String(value)
        case .text(let value), .decimal(let value): value
        case .date(let value): value.description
        case .blob(let value): Data(value).base64EncodedString()
        }
    }
}
