public import ResourceService
import SQLDatabase

extension Catalogue {
    /// The employees sample database.
    public static let employees = Result { () throws(CatalogueError) in
        try Catalogue(
            [.employees, .departments, .titles, .salaries, .assignments, .managers], writes: Write.ofEmployees,
            description:
                "The employees sample database: who works where, under which title and for which salary, now and before."
        )
    }
}

extension Resource {
    static let employees = Resource(
        "employees", singular: "employee", type: "Employee", table: "employees",
        description: "A person who works for the company, or did.",
        fields: [.employeeNumber, .firstName, .lastName, .birthDate, .gender, .hireDate], key: ["employeeNumber"],
        defaultFields: ["employeeNumber", "firstName", "lastName"],
        sortFields: ["employeeNumber", "lastName", "hireDate", "birthDate"],
        filters: [
            NamedFilter(
                "name", .compare(["firstName", "lastName"], .like),
                description: "The first or the last name; `*` matches any characters, as in `Geo*`. Case matters."),
            NamedFilter("hiredAfter", .compare(["hireDate"], .greater), description: "Hired later than on that day."),
            NamedFilter("hiredBefore", .compare(["hireDate"], .less), description: "Hired earlier than on that day."),
            NamedFilter(
                "department",
                .some(relation: "departments", field: "departmentNumber", and: .compare("toDate", .equal, [.openEnd])),
                description: "Works in the department of that number now."),
        ],
        relations: [
            Relation(
                "titles", to: "titles", .few(typical: 5), on: [.init("emp_no", "emp_no")],
                order: [.field("fromDate", descending: true), .field("title")],
                description: "The titles held, newest first."),
            Relation(
                "salaries", to: "salaries", .few(typical: 20), on: [.init("emp_no", "emp_no")],
                order: [.field("fromDate", descending: true)], description: "The salaries paid, newest first."),
            Relation(
                "departments", to: "assignments", .few(typical: 3), on: [.init("emp_no", "emp_no")],
                order: [.field("fromDate", descending: true), .field("departmentNumber")],
                description: "The departments worked in, newest first."),
            Relation(
                "manager", to: "employees", .one(isOptional: true),
                through: [
                    .init("dept_emp", on: [.init("emp_no", "emp_no")], where: [.equal("to_date", .openEnd)]),
                    .init(
                        "dept_manager", on: [.init("dept_no", "dept_no")],
                        where: [.equal("to_date", .openEnd), .differs("emp_no", fromPrevious: "emp_no")]),
                ],
                on: [.init("emp_no", "emp_no")],
                order: [.join(1, column: "from_date", descending: true), .join(1, column: "emp_no")],
                description: "The manager of the department that they work in now, if that is another employee; null otherwise."),
        ],
        maxAge: 60)

    static let departments = Resource(
        "departments", singular: "department", type: "Department", table: "departments",
        description: "A part of the company.",
        fields: [
            .departmentNumber,
            Field(
                "departmentName", .text(maximumLength: 40), column: "dept_name",
                description: "The name of the department.", example: "Development"),
        ],
        key: ["departmentNumber"],
        sortFields: ["departmentNumber", "departmentName"],
        relations: [
            Relation(
                "managers", to: "managers", .few(typical: 5), on: [.init("dept_no", "dept_no")],
                order: [.field("fromDate", descending: true), .field("employeeNumber")],
                description: "Those who have managed it, newest first."),
            Relation(
                "employees", to: "employees", .many(pageSize: 100),
                through: [.init("dept_emp", on: [.init("dept_no", "dept_no")], where: [.equal("to_date", .openEnd)])],
                on: [.init("emp_no", "emp_no")], description: "Those who work in it now, by number."),
        ],
        collection: .few(typical: 10), maxAge: 300)

    static let titles = Resource(
        "titles", singular: "title", type: "Title", table: "titles", description: "A title, and when it is held.",
        fields: [.employeeNumber, .title] + Field.period("it is held", isOpenAsNull: true),
        key: ["employeeNumber", "fromDate", "title"],
        order: [SortField("employeeNumber"), SortField("fromDate", descending: true), SortField("title")],
        sortFields: ["title", "fromDate", "toDate"],
        filters: [
            .current(
                "the title held now",
                .any([.compare("toDate", .equal, [.openEnd]), .isNull("toDate", true)]))
        ],
        hasItems: false, entities: [.employee], maxAge: 60)

    static let salaries = Resource(
        "salaries", singular: "salary", type: "Salary", table: "salaries",
        description: "A salary, and when it is paid.",
        fields: [.employeeNumber, .salary] + Field.period("it is paid"), key: ["employeeNumber", "fromDate"],
        order: [SortField("employeeNumber"), SortField("fromDate", descending: true)],
        sortFields: ["salary", "fromDate", "toDate"],
        filters: [.current("the salary paid now", .compare("toDate", .equal, [.openEnd]))], hasItems: false,
        entities: [.employee], maxAge: 60)

    static let assignments = Resource(
        "assignments", singular: "assignment", type: "DepartmentAssignment", table: "dept_emp",
        description: "A department that an employee works in, and when.",
        fields: [
            .employeeNumber, .departmentNumber,
            Field(
                "departmentName", .text(maximumLength: 40), column: "dept_name", of: "department",
                description: "The name of the department.", example: "Development"),
        ] + Field.period("they work there"), key: ["employeeNumber", "departmentNumber"],
        sortFields: ["departmentNumber", "fromDate", "toDate"],
        filters: [.current("the departments worked in now", .compare("toDate", .equal, [.openEnd]))],
        relations: [
            Relation(
                "department", to: "departments", .one(isOptional: false), on: [.init("dept_no", "dept_no")],
                description: "The department itself.")
        ],
        collection: .none, hasItems: false, entities: [.employee, .department], maxAge: 60)

    static let managers = Resource(
        "managers", singular: "manager", type: "DepartmentManager", table: "dept_manager",
        description: "A person who manages a department, and when.",
        fields: [
            .departmentNumber, .employeeNumber,
            Field(
                "firstName", .text(maximumLength: 14), column: "first_name", of: "employee",
                description: "The first name.",
                example: "Vishwani"),
            Field(
                "lastName", .text(maximumLength: 16), column: "last_name", of: "employee",
                description: "The last name.",
                example: "Minakawa"),
        ] + Field.period("they manage it"), key: ["departmentNumber", "employeeNumber"],
        sortFields: ["employeeNumber", "fromDate", "toDate"],
        filters: [.current("who manages it now", .compare("toDate", .equal, [.openEnd]))],
        relations: [
            Relation(
                "employee", to: "employees", .one(isOptional: false), on: [.init("emp_no", "emp_no")],
                description: "The manager as an employee.")
        ],
        collection: .none, hasItems: false, entities: [.department, .employee], maxAge: 60)
}

extension Resource.Entity {
    fileprivate static let employee = Self("Employee", ["employeeNumber"])
    fileprivate static let department = Self("Department", ["departmentNumber"])
}

extension NamedFilter {
    fileprivate static func current(_ now: String, _ isOpen: Filter) -> NamedFilter {
        NamedFilter(
            "current", .flag(whenTrue: isOpen, whenFalse: .compare("toDate", .notEqual, [.openEnd])),
            description: "True: only \(now); false: only the others.")
    }
}

extension SQLValue {
    /// 9999-01-01, the end of a period that goes on.
    static let openEnd = SQLValue.date(.openEnd)
}
