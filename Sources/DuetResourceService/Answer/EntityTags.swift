import DuetResultSetJSON
import DuetSQLDatabase

/// The names of entities that a response depends on, or that a write has changed. An entity is a row with its parts,
/// such as an employee with the employee's titles. The names are the cache tags of the response: a cache removes the
/// response when one of these entities changes.
///
/// The name of an entity has the form `Employee:10004`. The name of a type, such as `Employee`, occurs in two cases:
///
/// - The response depends on the set of all employees, for example because it contains a list of employees.
/// - The response contains too many employees for separate names: more than 100, or so many that the names of all
///   entities together exceed 16 KiB.
public struct EntityTags: Sendable, Hashable {
    /// The maximum number of entities of a type that have separate names. The limit is at least the default page size.
    static let limit = 100
    /// The maximum size in bytes of all names, including one separator for each name. Fastly accepts a header field of
    /// this size. Varnish and nginx accept it with the configurations of this project.
    private static let maximumSize = 16 << 10

    /// The unique names in a deterministic order, without commas and spaces.
    public private(set) var names: [String] = []

    /// Creates an empty set of entities.
    public init() {}

    /// Creates the names of a recorded write.
    init(names: [String]) { self.names = names }

    /// Adds the names that the answer has even if it contains no row: those of the parent row, of the requested row,
    /// and of the entity types that determine which rows the lists contain.
    mutating func add(_ plan: Plan, _ catalogue: Catalogue) {
        if let existence = plan.existence { append(existence.subject) }
        if case .item(let subject) = plan.form { append(subject) }
        for kind in plan.statement.kinds { append(catalogue.entityTypes[kind]) }
    }

    /// Adds an entity.
    mutating func add(_ entity: Subject.EntityKey) { append(Self.name(entity.type, entity.key)) }

    /// Adds the names of the entities whose data the rows contain.
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

    /// Creates the names for a write: the names of the changed entities, and the entity types in `lists`, which are
    /// cache tags of the lists that may contain these entities.
    init(changing entities: [Subject.EntityKey], lists: [String]) {
        for type in lists { append(type) }
        for entity in entities { append(Self.name(entity.type, entity.key)) }
        order()
    }

    /// Adds the names of another part of the same response.
    public mutating func formUnion(_ other: EntityTags) {
        if other.names.isEmpty { return }
        guard !names.isEmpty else {
            self = other
            return
        }
        names += other.names
        order()
    }

    /// Limits the total size of the names to the maximum size. While the names exceed this size, the function replaces
    /// all names of one type's entities by the name of the type. It begins with the type whose names take the most
    /// bytes. After a write of very many rows, a cache therefore finds the responses with lists, but not those that
    /// contain only one of the rows.
    package mutating func limitSize() {
        func type(of name: String) -> String { name.firstIndex(of: ":").map { String(name[..<$0]) } ?? name }
        var size = names.reduce(0) { $0 + $1.utf8.count + 1 }
        guard size > Self.maximumSize else { return }
        let sizes = Dictionary(names.map { (type(of: $0), $0.utf8.count + 1) }, uniquingKeysWith: +)
        var replaced: Set<String> = []
        for (type, bytes) in sizes.sorted(by: { ($0.value, $0.key) > ($1.value, $1.key) }) where size > Self.maximumSize
        {
            replaced.insert(type)
            size -= bytes - type.utf8.count - 1
        }
        names = names.map { name in replaced.contains(type(of: name)) ? type(of: name) : name }
        order()
    }

    private mutating func append(_ subject: Subject) {
        for entity in subject.entities { append(Self.name(entity.type, entity.key)) }
    }

    /// Adds a name, unless it equals the last name. Consecutive rows often contain the same entity, so this check
    /// removes most duplicates early.
    private mutating func append(_ name: String) {
        if name != names.last { names.append(name) }
    }

    private mutating func order() {
        guard names.count > 1 else { return }
        // Sorting is fast because the names are usually already sorted.
        names.sort()
        var last: String?
        names.removeAll { name in
            defer { last = name }
            return name == last
        }
    }

    /// Returns a name such as `Employee:10004`. A slash separates the parts of a composite key. Each part is
    /// percent-encoded, because spaces separate the names in the header field.
    private static func name(_ type: String, _ key: [SQLValue]) -> String {
        if key.count == 1 { return type + ":" + part(key[0]) }
        return type + ":" + key.map(part).joined(separator: "/")
    }

    private static func part(_ value: SQLValue) -> String {
        if case .integer(let integer) = value { return String(integer) }
        return KeySegment.encoded(value.keyText)
    }
}
