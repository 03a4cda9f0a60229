public import ArgumentParser
public import DuetAPIDescription
import DuetResultSetJSON
import Foundation

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
