import DuetSQLDatabase
import Foundation

/// The row that a request identifies. It may not exist.
struct Subject: Sendable, Hashable {
    /// The singular name of the resource or of the relation's target in errors, such as `employee`.
    let noun: String
    /// The fields of the key.
    let key: [Field]
    let values: [SQLValue]
    /// The entities of the row: the row itself or its parent, each with its key.
    let entities: [EntityKey]

    /// The type and the key of an entity.
    struct EntityKey: Sendable, Hashable {
        let type: String
        let key: [SQLValue]
    }

    /// The description of the row in an error, if it is a related row.
    private var related: String?

    init(_ resource: Resource, _ values: [SQLValue]) {
        noun = resource.singular
        key = resource.keyFields
        self.values = values
        entities = resource.isEntity ? [EntityKey(type: resource.type, key: values)] : []
    }

    /// Creates a subject that is the related row of a row with these values.
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

    /// The key as arguments, with the names of the fields.
    var arguments: Arguments {
        var arguments = Arguments()
        for (field, value) in zip(key, values) { arguments[field.name] = .value(value) }
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
    /// The value as a part of a key in a path.
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
