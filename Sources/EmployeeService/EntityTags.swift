import ResultSetJSON
import SQLDatabase

/// Names what an answer shows, so that caches can be told to forget it when that changes: `Employee:10004` for each entity, and
/// `Employee` where the answer depends on which employees there are, or shows more of them than are named.
public struct EntityTags: Sendable, Hashable {
    /// The names, without commas or spaces, in an order that is the same for the same answer.
    public private(set) var names: [String] = []

    /// Of so many entities of a kind each is named: what a header field has room for, and more than a page of the usual size.
    static let limit = 100

    static let employee = "Employee"
    static let department = "Department"
    private static let kinds = ["employeeNumber": employee, "departmentNumber": department]

    init() {}

    /// What notes the entities of the rows of an answer.
    static func recorder() -> EntityRecorder { EntityRecorder(kinds: kinds, limit: limit) }

    /// The tags of the answers to plans.
    /// - Parameter recorder: has noted what their rows show.
    init(of plans: [ReadPlan], _ recorder: EntityRecorder) {
        var fixed: Set<String> = []
        for plan in plans { plan.addTags(to: &fixed) }
        var keys: Set<EntityRecorder.Entity> = []
        for kind in [Self.department, Self.employee] {
            guard let entities = recorder.entities(of: kind) else {
                fixed.insert(kind)
                continue
            }
            keys.formUnion(entities)
        }
        names = fixed.union(keys.map { "\($0.kind):\(Self.text($0.key))" }).sorted()
    }

    /// What a write has changed: an employee, the lists they may be in, and those of departments.
    init(changing subject: Subject) {
        var names: Set<String> = [Self.employee]
        subject.addTags(to: &names)
        self.names = names.sorted()
    }

    /// Adds those of another part of the same response.
    mutating func formUnion(_ other: EntityTags) {
        names = Set(names).union(other.names).sorted()
    }

    private static func text(_ key: SQLValue) -> String {
        switch key {
        case .integer(let number): String(number)
        case .text(let text): text
        default: ""
        }
    }
}

extension Subject {
    /// The entities that it is or belongs to.
    fileprivate func addTags(to tags: inout Set<String>) {
        switch self {
        case .employee(let number): tags.insert("\(EntityTags.employee):\(number)")
        case .department(let number): tags.insert("\(EntityTags.department):\(number)")
        case .assignment(let employee, let department):
            tags.insert("\(EntityTags.employee):\(employee)")
            tags.insert("\(EntityTags.department):\(department)")
        }
    }
}

extension ReadPlan {
    /// What its answers depend on, whatever their rows show.
    fileprivate func addTags(to tags: inout Set<String>) {
        existence?.subject.addTags(to: &tags)
        if case .object(let subject) = form { subject.addTags(to: &tags) }
        if let kind = statement.lists { tags.insert(kind) }
        if statement.showsStaff { tags.insert(EntityTags.employee) }
    }
}

extension Resource {
    /// The kind of entity on which it depends which rows there are.
    var entityKind: String { name == Resource.departments.name ? EntityTags.department : EntityTags.employee }
}
