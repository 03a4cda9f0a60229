public import APIDescription
public import ArgumentParser
import DuetResultSetJSON
import Foundation

extension APIDescription.Dates: ExpressibleByArgument {}

/// The options about the form of values. They take precedence over a description.
struct EncodingOptions: Sendable {
    var dates: APIDescription.Dates?
    var timeZone: String?
    /// The option or variable that the name of the time zone comes from, for errors.
    let source: String

    /// The encoding of values of an API.
    /// - Throws: `ValidationError` for a time zone that is not known.
    func encoding(of api: APIDescription) throws -> ValueEncoding {
        guard (dates ?? api.dates) == .milliseconds else { return ValueEncoding(dates: .iso) }
        let name = timeZone ?? api.timeZone
        // The list of names makes the linker include Foundation's time zones in a statically linked program.
        guard !TimeZone.knownTimeZoneIdentifiers.isEmpty, let zone = TimeZone(identifier: name) else {
            throw ValidationError(
                """
                \(source) is a name from the system's time zone data (tzdata), such as America/New_York, Europe/Berlin \
                or UTC, not "\(name)"
                """)
        }
        return ValueEncoding(dates: .epochMilliseconds(in: zone))
    }
}
