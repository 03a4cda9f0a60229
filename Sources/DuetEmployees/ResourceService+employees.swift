public import DuetAPIDescription
public import DuetResourceService
public import DuetResultSetJSON
public import DuetSQLDatabase

extension ResourceService {
    /// Creates the service of the employees sample database, with ``EmployeeHooks``.
    /// - Throws: `DescriptionError` or `CatalogueError` for an error in the catalogue of this module. The tests ensure
    ///   that the catalogue has no such error.
    public static func employees(
        database: Database, encoding: ValueEncoding,
        maximumAnswerSize: Int = Self.defaultMaximumAnswerSize,
        requestTimeout: Duration = Self.defaultRequestTimeout
    ) throws -> Self {
        Self(
            try Catalogue.employees.get(), database: database, encoding: encoding,
            maximumAnswerSize: maximumAnswerSize, requestTimeout: requestTimeout, hooks: EmployeeHooks.all)
    }
}

extension GraphQLStyle {
    /// The GraphQL schema of the employees sample database in the schema definition language.
    public static var employeesSDL: String { get throws { try sdl(of: Catalogue.employees.get()) } }
}

extension APIDescription {
    /// The description of the employees sample database, with its writes.
    public static var employees: APIDescription {
        get throws {
            var description = try ofEmployees.get()
            description.catalogue = try Catalogue.employees.get()
            return description
        }
    }
}

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
