extension Resource {
    private static let period = [
        Field(name: "fromDate", column: "p.from_date"), Field(name: "toDate", column: "p.to_date"),
    ]

    /// Employees, in the order of their numbers.
    public static let employees = Resource(
        name: "employees", from: "employees AS e",
        fields: [
            Field(name: "employeeNumber", column: "e.emp_no"), Field(name: "firstName", column: "e.first_name"),
            Field(name: "lastName", column: "e.last_name"), Field(name: "birthDate", column: "e.birth_date"),
            Field(name: "gender", column: "e.gender"), Field(name: "hireDate", column: "e.hire_date"),
        ],
        defaultFields: ["employeeNumber", "firstName", "lastName"],
        relations: [.titles, .salaries, .departments],
        sortColumns: [
            SortColumn(column: "e.emp_no", label: "employeeNumber", kind: .integer),
            SortColumn(column: "e.last_name", label: "lastName", kind: .text),
            SortColumn(column: "e.hire_date", label: "hireDate", kind: .date),
            SortColumn(column: "e.birth_date", label: "birthDate", kind: .date),
        ],
        key: [SortColumn(column: "e.emp_no", label: "employeeNumber", kind: .integer)])

    /// Departments, in the order of their numbers.
    public static let departments = Resource(
        name: "departments", from: "departments AS d",
        fields: [
            Field(name: "departmentNumber", column: "d.dept_no"), Field(name: "departmentName", column: "d.dept_name"),
        ],
        defaultFields: ["departmentNumber", "departmentName"],
        relations: [.managers],
        sortColumns: [],
        key: [SortColumn(column: "d.dept_no", label: "departmentNumber", kind: .text)])

    /// Every title anyone has had: by employee, newest first.
    public static let titles = Resource(
        name: "titles", from: "titles AS p",
        fields: [Field(name: "employeeNumber", column: "p.emp_no"), Field(name: "title", column: "p.title")] + period,
        defaultFields: ["employeeNumber", "title", "fromDate", "toDate"],
        relations: [], sortColumns: [],
        key: [
            SortColumn(column: "p.emp_no", label: "employeeNumber", kind: .integer),
            SortColumn(column: "p.from_date", label: "fromDate", kind: .date, descending: true),
            SortColumn(column: "p.title", label: "title", kind: .text),
        ])

    /// Every salary anyone has had: by employee, newest first.
    public static let salaries = Resource(
        name: "salaries", from: "salaries AS p",
        fields: [Field(name: "employeeNumber", column: "p.emp_no"), Field(name: "salary", column: "p.salary")] + period,
        defaultFields: ["employeeNumber", "salary", "fromDate", "toDate"],
        relations: [], sortColumns: [],
        key: [
            SortColumn(column: "p.emp_no", label: "employeeNumber", kind: .integer),
            SortColumn(column: "p.from_date", label: "fromDate", kind: .date, descending: true),
        ])

    /// The resources that are collections of their own.
    public static let all = [employees, departments, titles, salaries]

    /// The names of the keys whose values are whole numbers: `employeeNumber`.
    public static let integerKeys = Set(all.flatMap(\.key).filter { $0.kind == .integer }.map(\.label))
}

extension Relation {
    private static let period = [
        Resource.Field(name: "fromDate", column: "p.from_date"), Resource.Field(name: "toDate", column: "p.to_date"),
    ]

    /// An employee's titles, newest first.
    public static let titles = Relation(
        name: "titles", key: "employeeNumber", foreignKey: "p.emp_no", from: "titles AS p",
        fields: [Resource.Field(name: "title", column: "p.title")] + period, order: "p.from_date DESC, p.title")

    /// An employee's salaries, newest first.
    public static let salaries = Relation(
        name: "salaries", key: "employeeNumber", foreignKey: "p.emp_no", from: "salaries AS p",
        fields: [Resource.Field(name: "salary", column: "p.salary")] + period, order: "p.from_date DESC")

    /// The departments an employee has been in, newest first.
    public static let departments = Relation(
        name: "departments", key: "employeeNumber", foreignKey: "p.emp_no",
        from: "dept_emp AS p JOIN departments AS d ON d.dept_no = p.dept_no",
        fields: [
            Resource.Field(name: "departmentNumber", column: "p.dept_no"),
            Resource.Field(name: "departmentName", column: "d.dept_name"),
        ] + period, order: "p.from_date DESC, p.dept_no")

    /// The managers a department has had, newest first.
    public static let managers = Relation(
        name: "managers", key: "departmentNumber", foreignKey: "p.dept_no",
        from: "dept_manager AS p JOIN employees AS e ON e.emp_no = p.emp_no",
        fields: [
            Resource.Field(name: "employeeNumber", column: "p.emp_no"),
            Resource.Field(name: "firstName", column: "e.first_name"),
            Resource.Field(name: "lastName", column: "e.last_name"),
        ] + period, order: "p.from_date DESC, p.emp_no")
}
