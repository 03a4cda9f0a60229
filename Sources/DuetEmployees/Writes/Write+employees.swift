import DuetResourceService

extension Write {
    /// The writes of the employees database.
    /// - Parameter catalogue: The resources of `employees.yaml`.
    /// - Throws: `CatalogueError` for a resource or field that is not in the catalogue.
    static func ofEmployees(_ catalogue: Catalogue) throws(CatalogueError) -> [Write] {
        try EmployeeWriteList(catalogue).writes
    }
}

/// The writes with their inputs. The members of the inputs are fields of the resources.
private struct EmployeeWriteList {
    private let employees: Resource
    private let titles: Resource
    private let salaries: Resource

    init(_ catalogue: Catalogue) throws(CatalogueError) {
        employees = try catalogue.required("employees")
        titles = try catalogue.required("titles")
        salaries = try catalogue.required("salaries")
    }

    var writes: [Write] {
        get throws(CatalogueError) {
            [
                try createEmployee, try updateEmployee, deleteEmployee, try addTitle, try addSalary,
                try assignDepartment,
            ]
        }
    }

    private let id = Write.KeyArgument("id", "The employee number.")
    private let employeeID = Write.KeyArgument("employeeId", "The employee number.")

    private func input(
        _ resource: Resource, _ name: String, required: Bool, _ description: String
    ) throws(CatalogueError) -> Write.Input {
        Write.Input(try resource.requiredField(name), required: required, description)
    }

    /// The fields of an employee that can be written.
    private func person(required: Bool) throws(CatalogueError) -> [Write.Input] {
        [
            try input(employees, "firstName", required: required, "The first name, 1 to 14 characters."),
            try input(employees, "lastName", required: required, "The last name, 1 to 16 characters."),
            try input(employees, "birthDate", required: required, "The day of birth."),
            try input(employees, "gender", required: required, "The gender, as it is recorded."),
            try input(
                employees, "hireDate", required: required, "The first day at work, later than the day of birth."),
        ]
    }

    private var period: [Write.Input] {
        get throws(CatalogueError) {
            [
                try input(salaries, "fromDate", required: true, "The first day."),
                try input(
                    salaries, "toDate", required: false, "The day after the last day; omit it for a current period."),
            ]
        }
    }

    private var createEmployee: Write {
        get throws(CatalogueError) {
            Write(
                "createEmployee", .insert, on: "employees", at: .list,
                input: [
                    try input(
                        employees, "employeeNumber", required: false,
                        "The employee number; the next free number if it is omitted.")
                ] + (try person(required: true)),
                description: "Creates an employee.")
        }
    }

    private var updateEmployee: Write {
        get throws(CatalogueError) {
            Write(
                "updateEmployee", .update, on: "employees", at: .item, keyArguments: [id],
                input: try person(required: false), description: "Changes the given fields of an employee.")
        }
    }

    private var deleteEmployee: Write {
        Write(
            "deleteEmployee", .delete, on: "employees", at: .item, keyArguments: [id],
            description: "Removes an employee and all related records.")
    }

    private var addTitle: Write {
        get throws(CatalogueError) {
            Write(
                "addTitle", .insert, on: "employees", at: .related("titles"), keyArguments: [employeeID],
                input: [try input(titles, "title", required: true, "The title, 1 to 50 characters.")] + (try period),
                description:
                    "Adds a title. If the new title has no end date, the current title ends on the start date of the new title."
            )
        }
    }

    private var addSalary: Write {
        get throws(CatalogueError) {
            Write(
                "addSalary", .insert, on: "employees", at: .related("salaries"), keyArguments: [employeeID],
                input: [try input(salaries, "salary", required: true, "The amount a year, 1 or more.")] + (try period),
                description:
                    "Adds a salary. If the new salary has no end date, the current salary ends on the start date of the new salary."
            )
        }
    }

    private var assignDepartment: Write {
        get throws(CatalogueError) {
            Write(
                "assignDepartment", .upsert, on: "employees",
                at: .relatedItem("departments", by: ["departmentNumber"]),
                keyArguments: [employeeID, Write.KeyArgument("departmentId", "The department number.")],
                input: try period,
                description:
                    "Assigns an employee to a department, or changes the period. If the new period has no end date, the current period ends on the start date of the new period."
            )
        }
    }
}
