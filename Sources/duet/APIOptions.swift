public import ArgumentParser
public import DuetAPIDescription
import DuetEmployees
import DuetResultSetJSON
import Foundation

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

extension APIDescription.Dates: ExpressibleByArgument {}

/// The options for the format of values. They take precedence over the formats in a description.
struct EncodingOptions: Sendable {
    var dates: APIDescription.Dates?
    var timeZone: String?
    /// The option or variable that contains the name of the time zone, for error messages.
    let source: String

    /// Returns the encoding of the values of an API.
    /// - Throws: `ValidationError` for an unknown time zone.
    func encoding(of api: APIDescription) throws -> ValueEncoding {
        guard (dates ?? api.dates) == .milliseconds else { return ValueEncoding(dates: .iso) }
        let name = timeZone ?? api.timeZone
        // The list of names makes the linker include Foundation's time zones in a statically linked program.
        guard !TimeZone.knownTimeZoneIdentifiers.isEmpty, let zone = TimeZone(identifier: name) else {
            throw ValidationError(
                """
                \(source) must be a name from the system's time zone data (tzdata), such as America/New_York, Europe/Berlin \
                or UTC, not "\(name)"
                """)
        }
        return ValueEncoding(dates: .epochMilliseconds(in: zone))
    }
}
