public import DuetResourceService

/// The rules for changes of the employees database, as hooks of a `ResourceService`.
public enum EmployeeHooks {
    /// The hooks, by the names of the resources in `employees.yaml`.
    public static let all: ChangeHooks = [
        "employees": EmployeeRules(),
        "titles": PeriodRules(
            table: .titles, identity: [("title", "title"), ("fromDate", "from_date")], conflict: "title and fromDate"),
        "salaries": PeriodRules(table: .salaries, identity: [("fromDate", "from_date")], conflict: "fromDate"),
        "assignments": PeriodRules(
            table: .departmentEmployees, identity: [("departmentNumber", "dept_no")], conflict: "departmentNumber"),
    ]
}

extension ServiceError {
    /// Returns the error for a row whose key already exists.
    static func taken(_ key: String) -> ServiceError {
        ServiceError(.conflict, "a row with the same \(key) already exists", key: key)
    }
}
