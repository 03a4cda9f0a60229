import ArgumentParser
import DuetAPIDescription
import DuetEmployees

/// The option `--api`, for commands that need the description of an API but no database.
struct APIOption: ParsableArguments {
    static let api = Setting<String, String?>(
        "api", "Description of the API in YAML or JSON", valueName: "file", default: nil, defaultText: "employees",
        requirement: "a file"
    ) { $0 }

    @Option(Self.api) var api: String?

    /// Reads the description from the file, or returns the description of the employees API.
    /// - Throws: `ExitCode` after a message if the file cannot be read or has errors.
    func description() throws -> APIDescription {
        guard let path = try Self.api.value(api) else { return try APIDescription.employees }
        do {
            return try ForeignDatabase.description(path)
        } catch {
            throw StartFailure.reported(error)
        }
    }
}
