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

    /// The tags of the answers to plans.
    /// - Parameter recorder: has noted what their rows show.
    init(of plans: [ReadPlan], _ recorder: EntityRecorder) {
        for plan in plans { plan.addTags(to: &names) }
        for (label, kind) in Self.keys {
            guard let keys = recorder.keys(label) else {
                names.append(kind)
                continue
            }
            names.reserveCapacity(names.count + keys.count)
            for key in keys { names.append(Self.name(kind, key)) }
        }
        order()
    }

    /// What a write has changed: an employee, the lists they may be in, and those of departments.
    init(changing subject: Subject) {
        names.append(Self.employee)
        subject.addTags(to: &names)
        order()
    }

    /// Adds those of another part of the same response.
    mutating func formUnion(_ other: EntityTags) {
        guard !names.isEmpty else {
            self = other
            return
        }
        names += other.names
        order()
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
        case .integer(let number): "\(kind):\(number)"
        case .text(let text): "\(kind):\(text)"
        default: kind
        }
    }
}

extension Subject {
    /// The entities that it is or belongs to.
    fileprivate func addTags(to names: inout [String]) {
        switch self {
        case .employee(let number): names.append("\(EntityTags.employee):\(number)")
        case .department(let number): names.append("\(EntityTags.department):\(number)")
        case .assignment(let employee, let department):
            names.append("\(EntityTags.employee):\(employee)")
            names.append("\(EntityTags.department):\(department)")
        }
    }
}

extension ReadPlan {
    /// What its answers depend on, whatever their rows show.
    fileprivate func addTags(to names: inout [String]) {
        existence?.subject.addTags(to: &names)
        if case .object(let subject) = form { subject.addTags(to: &names) }
        if let kind = statement.lists { names.append(kind) }
        if statement.showsStaff { names.append(EntityTags.employee) }
    }
}

extension Resource {
    /// The kind of entity on which it depends which rows there are.
    var entityKind: String { name == Resource.departments.name ? EntityTags.department : EntityTags.employee }
}
