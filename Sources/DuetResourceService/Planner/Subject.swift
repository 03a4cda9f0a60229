import DuetSQLDatabase
import Foundation

/// A row that a request is about, and that may not be there.
struct Subject: Sendable, Hashable {
    /// The resource, or the relation's target, as errors call one of its rows: `employee`.
    let noun: String
    /// The fields of the key, and their values.
    let key: [Field]
    let values: [SQLValue]
    /// The entities that it is or belongs to, each with its key.
    let entities: [EntityKey]

    /// An entity.
    struct EntityKey: Sendable, Hashable {
        let type: String
        let key: [SQLValue]
    }

    /// The row in an error, if it belongs to another one.
    private var related: String?

    init(_ resource: Resource, _ values: [SQLValue]) {
        noun = resource.singular
        key = resource.keyFields
        self.values = values
        entities = resource.isEntity ? [EntityKey(type: resource.type, key: values)] : []
    }

    /// The row of another resource that belongs to a row and has these values.
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

    /// The key as arguments, by the names of the fields.
    var arguments: Arguments {
        var arguments = Arguments()
        for (field, value) in zip(key, values) { arguments[field.name] = .value(value) }
        return arguments
    }

    /// The row in the error that it is not there.
    private var description: String { related ?? "\(noun) \(values.map(\.keyText).joined(separator: ", "))" }

    /// The error that it is not there.
    var missing: ServiceError {
        ServiceError(.unknown(noun), "there is no \(description)")
    }
}

extension SQLValue {
    /// The value as a part of a key, as in a path.
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
