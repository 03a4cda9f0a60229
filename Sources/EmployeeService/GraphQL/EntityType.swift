/// How the objects of a GraphQL type are read: which columns its fields are, and which relations lead to other types.
struct EntityType: Sendable {
    /// A field with a value of its own.
    struct Column: Sendable {
        let field: Resource.Field
        /// Whether it is a number shown as a string, as an ID is.
        var isQuoted = false
    }

    /// A field that leads to other objects.
    struct Link: Sendable {
        enum Form: Sendable {
            /// The rows of a period each, newest first, with the arguments `current` and `first`.
            case history
            /// One row, or none.
            case object
            /// A page of employees, with the arguments `first` and `after`.
            case staff
        }

        let form: Form
        let relation: Relation
        /// The name of the type it leads to.
        let target: String
    }

    let name: String
    let columns: [String: Column]
    let links: [String: Link]

    init(_ name: String, _ fields: [Resource.Field], id: String? = nil, links: [String: Link] = [:]) {
        self.name = name
        var columns = Dictionary(
            fields.map { ($0.name, Column(field: $0)) }, uniquingKeysWith: { first, _ in first })
        if let id, let column = columns[id] {
            columns["id"] = Column(field: column.field, isQuoted: id == "employeeNumber")
        }
        self.columns = columns
        self.links = links
    }
}

extension EntityType {
    static let employee = EntityType(
        "Employee", Resource.employees.fields, id: "employeeNumber",
        links: [
            "titles": Link(form: .history, relation: .titles, target: "Title"),
            "salaries": Link(form: .history, relation: .salaries, target: "Salary"),
            "departments": Link(form: .history, relation: .departments, target: "DepartmentAssignment"),
            "manager": Link(form: .object, relation: .manager, target: "Employee"),
        ])

    static let department = EntityType(
        "Department", Resource.departments.fields, id: "departmentNumber",
        links: [
            "managers": Link(form: .history, relation: .managers, target: "DepartmentManager"),
            "employees": Link(form: .staff, relation: .staff, target: "Employee"),
        ])

    private static let title = EntityType("Title", Relation.titles.fields)

    private static let salary = EntityType("Salary", Relation.salaries.fields)

    private static let assignment = EntityType(
        "DepartmentAssignment", Relation.departments.fields,
        links: ["department": Link(form: .object, relation: .department, target: "Department")])

    private static let manager = EntityType(
        "DepartmentManager", Relation.managers.fields,
        links: ["employee": Link(form: .object, relation: .employee, target: "Employee")])

    /// All of them, by name.
    static let all: [String: EntityType] = Dictionary(
        [
            employee, department, assignment, manager, title, salary,
        ].map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// What the rows of a resource are, by the resource's name.
    static let ofResource: [String: EntityType] = [
        Resource.employees.name: employee, Resource.departments.name: department, Resource.titles.name: title,
        Resource.salaries.name: salary,
    ]
}
