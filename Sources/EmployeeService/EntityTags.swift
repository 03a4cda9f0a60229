import ResultSetJSON
import SQLDatabase

/// Names what an answer shows, so that caches can be told to forget it when that changes: `Employee:10004` for each entity, and
/// `Employee` where the answer depends on which employees there are, or shows more of them than are named.
public struct EntityTags: Sendable, Hashable {
    /// Of so many entities of a kind each is named: what a header field has room for, and more than a page of the usual size.
    static let limit = 100

    static let employee = "Employee"
    static let department = "Department"
    private static let keys = [
        (label: "departmentNumber", kind: department), (label: "employeeNumber", kind: employee),
    ]

    /// What the columns are called that have the keys of entities.
    static let keyLabels = keys.map(\.label)

    /// The names, without commas or spaces, each once, in an order that is the same for the same answer.
    public private(set) var names: [String] = []

    init() {}

    /// What notes the entities of the rows of an answer.
    static func recorder() -> EntityRecorder { EntityRecorder(labels: keyLabels, limit: limit) }

    /// The tags of the answer to a plan.
    /// - Parameter recorder: has noted what its rows show.
    init(of plan: ReadPlan, _ recorder: EntityRecorder) {
        add(plan)
        add(recorder)
    }

    /// Adds what the answer to a plan depends on, whatever its rows show.
    mutating func add(_ plan: ReadPlan) {
        plan.addTags(to: &self)
    }

    /// Adds what rows show.
    mutating func add(_ recorder: EntityRecorder) {
        for (label, kind) in Self.keys {
            guard let keys = recorder.keys(label) else {
                append(kind)
                continue
            }
            if keys.count > 1 { names.reserveCapacity(names.count + keys.count) }
            for key in keys { append(Self.name(kind, key)) }
        }
        order()
    }

    /// What a write has changed: an employee, the lists they may be in, and those of departments.
    init(changing subject: Subject) {
        append(Self.employee)
        subject.addTags(to: &self)
        order()
    }

    /// Adds those of another part of the same response.
    mutating func formUnion(_ other: EntityTags) {
        if other.names.isEmpty { return }
        guard !names.isEmpty else {
            self = other
            return
        }
        names += other.names
        order()
    }

    /// A row mostly shows the entity that was asked for: what was named last need not be put in order to be named once.
    fileprivate mutating func append(_ name: String) {
        if name != names.last { names.append(name) }
    }

    private mutating func order() {
        guard names.count > 1 else { return }
        // What comes in order already, as it mostly does, costs no more than looking.
        names.sort()
        var last: String?
        names.removeAll { name in
            defer { last = name }
            return name == last
        }
    }

    private static func name(_ kind: String, _ key: SQLValue) -> String {
        switch key {
        case .integer(let number): name(kind, String(number))
        case .text(let text): name(kind, text)
        default: kind
        }
    }

    fileprivate static func name(_ kind: String, _ key: String) -> String { kind + ":" + key }
}

extension Subject {
    /// The entities that it is or belongs to.
    fileprivate func addTags(to tags: inout EntityTags) {
        switch self {
        case .employee(let number): tags.append(EntityTags.name(EntityTags.employee, String(number)))
        case .department(let number): tags.append(EntityTags.name(EntityTags.department, number))
        case .assignment(let employee, let department):
            Subject.employee(employee).addTags(to: &tags)
            Subject.department(department).addTags(to: &tags)
        }
    }
}

extension ReadPlan {
    /// What its answers depend on, whatever their rows show.
    fileprivate func addTags(to tags: inout EntityTags) {
        existence?.subject.addTags(to: &tags)
        if case .object(let subject) = form { subject.addTags(to: &tags) }
        if let kind = statement.lists { tags.append(kind) }
        if statement.showsStaff { tags.append(EntityTags.employee) }
    }
}

extension Resource {
    /// The kind of entity on which it depends which rows there are.
    var entityKind: String { name == Resource.departments.name ? EntityTags.department : EntityTags.employee }
}
