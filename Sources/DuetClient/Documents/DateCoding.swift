public import DuetJSON
public import Foundation

/// The form of a custom scalar that is a date: how a `Date` is read from a response and written into the cache.
public struct DateCoding: Sendable {
    /// Reads a date; `nil` if the value is none.
    public let decode: @Sendable (JSONValue) -> Date?
    /// Writes a date.
    public let encode: @Sendable (Date) -> JSONValue

    /// A form of dates.
    /// - Parameters:
    ///   - decode: reads a date; `nil` if the value is none.
    ///   - encode: writes a date.
    public init(decode: @escaping @Sendable (JSONValue) -> Date?, encode: @escaping @Sendable (Date) -> JSONValue) {
        self.decode = decode
        self.encode = encode
    }

    /// Milliseconds since 1970-01-01T00:00:00Z, without a fraction.
    public static let epochMilliseconds = DateCoding(
        decode: { $0.number.map(Date.init(epochMilliseconds:)) }, encode: { .integer($0.epochMilliseconds) })

    /// Seconds since 1970-01-01T00:00:00Z, with or without a fraction.
    public static let epochSeconds = DateCoding(
        decode: { $0.number.map(Date.init(timeIntervalSince1970:)) }, encode: { .double($0.timeIntervalSince1970) })

    /// Date and time of ISO 8601 with a time zone, such as `2026-01-31T08:00:00Z`, with or without fractions of a second.
    public static let iso8601 = DateCoding(
        decode: { json in
            guard case .string(let text) = json else { return nil }
            let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
            return styles.lazy.compactMap { try? $0.parse(text) }.first
        },
        encode: { .string($0.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))) })

    /// Days, such as `2026-01-31`. The date is the first moment of the day in UTC.
    public static let day = DateCoding(
        decode: { json in
            guard case .string(let text) = json else { return nil }
            return try? Date.ISO8601FormatStyle().year().month().day().parse(text)
        },
        encode: { .string($0.formatted(Date.ISO8601FormatStyle().year().month().day())) })
}

extension JSONValue {
    fileprivate var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .double(let double): double
        default: nil
        }
    }
}

extension JSONEncoder {
    /// An encoder that writes dates in that form.
    convenience init(dates: DateCoding) {
        self.init()
        dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            switch dates.encode(date) {
            case .integer(let integer): try container.encode(integer)
            case .double(let double): try container.encode(double)
            case .string(let string): try container.encode(string)
            default:
                throw EncodingError.invalidValue(
                    date,
                    EncodingError.Context(
                        codingPath: encoder.codingPath, debugDescription: "A date must be a number or a string."))
            }
        }
    }
}
