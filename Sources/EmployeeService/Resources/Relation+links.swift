/// Relations that lead from one resource to another. What is shown of them is chosen field by field.
extension Relation {
    /// Who manages the department that an employee works in, other than the employee.
    static let manager = Relation(
        name: "manager", key: "employeeNumber", foreignKey: "p.emp_no",
        from: "dept_emp AS p JOIN dept_manager AS m ON m.dept_no = p.dept_no AND m.emp_no <> p.emp_no"
            + " JOIN employees AS e ON e.emp_no = m.emp_no",
        fields: Resource.employees.fields, conditions: ["p.to_date = :openEnd", "m.to_date = :openEnd"],
        order: "m.from_date DESC, m.emp_no")

    /// The department that a period is about.
    static let department = Relation(
        name: "department", key: "departmentNumber", foreignKey: "d.dept_no", from: Resource.departments.from,
        fields: Resource.departments.fields, order: "")

    /// The employee that a period is about.
    static let employee = Relation(
        name: "employee", key: "employeeNumber", foreignKey: "e.emp_no", from: Resource.employees.from,
        fields: Resource.employees.fields, order: "")

    /// Those who work in a department now.
    static let staff = Relation(
        name: "employees", key: "departmentNumber", foreignKey: "p.dept_no",
        from: "dept_emp AS p JOIN employees AS e ON e.emp_no = p.emp_no", fields: Resource.employees.fields,
        conditions: ["p.to_date = :openEnd"], order: "p.emp_no")
}
