import APIDescription
public import DuetResourceService

extension Catalogue {
    /// The employees sample database: what `employees.yaml` describes, and the writes.
    public static let employees = Result {
        let described = try APIDescription.ofEmployees.get().catalogue
        return try Catalogue(
            described.resources, writes: Write.ofEmployees(described), description: described.description)
    }
}

extension APIDescription {
    /// The file `employees.yaml`, which is compiled in.
    static let ofEmployees = Result {
        try APIDescription(
            reading: String(decoding: PackageResources.employees_yaml, as: UTF8.self), file: "employees.yaml")
    }
}
