import DuetResultSetJSON
import DuetSQLDatabase

/// Names of the entities that an answer shows, so that caches can remove it when one of them changes: `Employee:10004` for each
/// entity, and `Employee` where the answer depends on which employees there are, or shows more of them than are named.
public struct EntityTags: Sendable, Hashable {
    /// The maximum number of named entities of a kind: as many as a header field has room for, and more than a page of the default
    /// size.
    static let limit = 100

    /// The names, without commas or spaces, each once, in an order that is the same for the same answer.
    public private(set) var names: [String] = []

    /// No entities.
    public init() {}

    /// Adds the entities on which the answer to a plan depends, whatever its rows show.
    mutating func add(_ plan: Plan, _ catalogue: Catalogue) {
        if let existence = plan.existence { append(existence.subject) }
        if case .item(let subject) = plan.form { append(subject) }
        for kind in plan.statement.kinds { append(catalogue.entityTypes[kind]) }
    }

    /// Adds the entities that rows show.
    mutating func add(_ recorder: KeyRecorder, _ catalogue: Catalogue) {
        for (kind, type) in catalogue.entityTypes.enumerated() {
            guard let keys = recorder.keys(kind) else {
                append(type)
                continue
            }
            if keys.count > 1 { names.reserveCapacity(names.count + keys.count) }
            for key in keys { append(Self.name(type, key)) }
        }
        order()
    }

    /// The entities that a write has changed, and the lists that they may be in.
    init(changing entities: [(type: String, key: [SQLValue])], lists: [String]) {
        for type in lists { append(type) }
        for entity in entities { append(Self.name(entity.type, entity.key)) }
        order()
    }

    /// Adds the entities of another part of the same response.
    public mutating func formUnion(_ other: EntityTags) {
        if other.names.isEmpty { return }
        guard !names.isEmpty else {
            self = other
            return
        }
        names += other.names
        order()
    }

    private mutating func append(_ subject: Subject) {
        for entity in subject.entities { append(Self.name(entity.type, entity.key)) }
    }

    /// A row mostly shows the entity that was asked for: the name added last need not be put in order to be there once.
    private mutating func append(_ name: String) {
        if name != names.last { names.append(name) }
    }

    private mutating func order() {
        guard names.count > 1 else { return }
        // Names mostly come in order, and then this costs no more than a look.
        names.sort()
        var last: String?
        names.removeAll { name in
            defer { last = name }
            return name == last
        }
    }

    /// `Employee:10004`; the parts of a key with several fields have slashes between them. Names are separated by spaces, so a part is
    /// percent-encoded.
    private static func name(_ type: String, _ key: [SQLValue]) -> String {
        if key.count == 1 { return type + ":" + part(key[0]) }
        return type + ":" + key.map(part).joined(separator: "/")
    }

    private static func part(_ value: SQLValue) -> String {
        if case .integer(let integer) = value { return String(integer) }
        return KeySegment.encoded(value.keyText)
    }
}
