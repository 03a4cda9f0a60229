import DuetAPIDescription
public import DuetResourceService

extension Catalogue {
    /// The catalogue of the employees sample database: the description in `employees.yaml` and the writes, whose rules
    /// are ``EmployeeHooks``.
    public static let employees = Result {
        let described = try APIDescription.ofEmployees.get().catalogue
        return try Catalogue(
            described.resources, writes: Write.ofEmployees(described), description: described.description)
    }
}

extension APIDescription {
    /// The description in the file `employees.yaml`, which is compiled into the program.
    static let ofEmployees = Result {
        try APIDescription(
            reading: String(decoding: PackageResources.employees_yaml, as: UTF8.self), file: "employees.yaml")
    }
}
