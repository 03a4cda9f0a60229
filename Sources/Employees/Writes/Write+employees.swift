import ResourceService
import SQLDatabase

extension Write {
    static let ofEmployees = [createEmployee, updateEmployee, deleteEmployee, addTitle, addSalary, assignDepartment]

    private static let id = KeyArgument("id", "The employee number.")
    private static let employeeID = KeyArgument("employeeId", "The employee number.")

    /// The fields of an employee that can be written.
    private static func person(required: Bool) -> [Input] {
        [
            Input(.firstName, required: required, "The first name, 1 to 14 characters."),
            Input(.lastName, required: required, "The last name, 1 to 16 characters."),
            Input(.birthDate, required: required, "The day of birth."),
            Input(.gender, required: required, "The gender, as it is recorded."),
            Input(.hireDate, required: required, "The first day at work, later than the day of birth."),
        ]
    }

    private static let period = [
        Input(Field.period("it goes on")[0], required: true, "The first day."),
        Input(Field.period("it goes on")[1], required: false, "The last day; without it, it goes on."),
    ]

    private static let createEmployee = Write(
        "createEmployee", on: "employees", .newItem,
        input: [Input(.employeeNumber, required: false, "The employee number; the next free one without it.")]
            + person(required: true),
        description: "Makes an employee.", isRepeatable: true, validate: EmployeeWrites.checkDates,
        perform: EmployeeWrites.create)

    private static let updateEmployee = Write(
        "updateEmployee", on: "employees", .item, keyArguments: [id], input: person(required: false),
        description: "Changes some of an employee's fields; what is absent stays.", validate: EmployeeWrites.checkDates,
        perform: EmployeeWrites.update)

    private static let deleteEmployee = Write(
        "deleteEmployee", on: "employees", .removal, keyArguments: [id],
        description: "Removes an employee, with all that belongs to them.", perform: EmployeeWrites.delete)

    private static let addTitle = Write(
        "addTitle", on: "employees", .newRelated("titles"), keyArguments: [employeeID],
        input: [Input(.title, required: true, "The title, 1 to 50 characters.")] + period,
        description: "Adds a title. If it goes on, the one held before ends where it begins.",
        validate: PeriodWrites.checkDates,
        perform: { try PeriodWrites.add($0, to: .titles, key: "title and fromDate") })

    private static let addSalary = Write(
        "addSalary", on: "employees", .newRelated("salaries"), keyArguments: [employeeID],
        input: [Input(.salary, required: true, "The amount a year, 1 or more.")] + period,
        description: "Adds a salary. If it goes on, the one paid before ends where it begins.",
        validate: PeriodWrites.checkDates, perform: { try PeriodWrites.add($0, to: .salaries, key: "fromDate") })

    private static let assignDepartment = Write(
        "assignDepartment", on: "employees", .relatedItem("departments", by: ["departmentNumber"]),
        keyArguments: [employeeID, KeyArgument("departmentId", "The department number.")], input: period,
        description:
            "Puts an employee into a department, or changes when they are in it. If it goes on, the one before ends where it begins.",
        validate: PeriodWrites.checkDates, check: PeriodWrites.checkDepartment, perform: PeriodWrites.assign)
}
