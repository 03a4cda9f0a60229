import DuetResultSetJSON
import Foundation

/// Converts stored times with Foundation to the texts of responses, independently of the code that the tests check.
enum StoredTime {
    /// Returns the time that a number represents.
    /// - Parameter digits: The decimal digits of the number.
    static func text(of digits: String, _ form: DateTimeForm) -> String {
        switch form {
        case .unixSeconds: text(digits, epoch: 0)
        case .cocoaSeconds: text(digits, epoch: 978_307_200)
        case .unixMilliseconds: text(shifted(digits, 3), epoch: 0)
        case .unixMicroseconds: text(shifted(digits, 6), epoch: 0)
        case .webKitMicroseconds: text(shifted(digits, 6), epoch: -11_644_473_600)
        case .julianDays:
            text(shifted("\(Int64(((Double(digits) ?? 0) - 2_440_587.5) * 86_400_000 + 0.5))", 3), epoch: 0)
        case .sql, .iso, .utc, .offset: digits
        }
    }

    /// Returns the time in UTC that a text with an offset from UTC represents.
    static func text(withOffset text: String) -> String {
        guard
            let match = text.wholeMatch(
                of: /(\d+-\d+-\d+)[ T](\d+:\d+)(:\d+)?(\.\d+)?\ ?(?:Z|([+-])(\d\d):?(\d\d)?)/)
        else { return text }
        let local = "\(match.1)T\(match.2)\(match.3 ?? ":00")Z"
        guard let date = try? Date(local, strategy: .iso8601) else { return text }
        let minutes = (Int(match.6 ?? "") ?? 0) * 60 + (Int(match.7 ?? "") ?? 0)
        let seconds = Double(match.5 == "-" ? minutes : -minutes) * 60
        return withFraction(date.addingTimeInterval(seconds), match.4?.dropFirst() ?? "")
    }

    /// Moves the point of a whole number to the left.
    private static func shifted(_ digits: String, _ count: Int) -> String {
        let isNegative = digits.hasPrefix("-")
        let digits = digits.drop { $0 == "-" }
        let padded = String(repeating: "0", count: max(0, count + 1 - digits.count)) + digits
        return (isNegative ? "-" : "") + padded.dropLast(count) + "." + padded.suffix(count)
    }

    private static func text(_ number: String, epoch: Double) -> String {
        let parts = number.split(separator: ".")
        return withFraction(Date(timeIntervalSince1970: epoch + (Double(parts[0]) ?? 0)), parts.dropFirst().first ?? "")
    }

    private static func withFraction(_ date: Date, _ digits: Substring) -> String {
        let whole = date.formatted(.iso8601)
        let zeros = digits.reversed().prefix { $0 == "0" }.count
        let fraction = digits.dropLast(zeros)
        return fraction.isEmpty ? whole : "\(whole.dropLast()).\(fraction)Z"
    }
}
