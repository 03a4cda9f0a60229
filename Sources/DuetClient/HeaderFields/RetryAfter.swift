import DuetHTTPSemantics
import Foundation

/// The value of the `Retry-After` field: a number of seconds or a date (RFC 9110, section 10.2.3).
enum RetryAfter: Hashable {
    case seconds(Int)
    case date(Date)

    /// - Returns: `nil` if the value is missing, or is neither a number nor a date.
    init?(_ value: String?) {
        guard let value = value?.trimmingCharacters(in: .whitespaces), !value.isEmpty else { return nil }
        if value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            // A number that overflows is replaced by the maximum, which is longer than any practical pause.
            self = .seconds(Int(value) ?? .max)
        } else if let date = HTTPDate.date(of: value) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Returns the duration of a pause that begins at the given time.
    func pause(from now: Date) -> Duration {
        switch self {
        case .seconds(let seconds): .seconds(seconds)
        case .date(let date): .seconds(max(0, date.timeIntervalSince(now)))
        }
    }
}
