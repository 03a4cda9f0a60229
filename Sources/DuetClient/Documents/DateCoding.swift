public import DuetJSON
public import Foundation

/// A representation of dates in JSON: decodes a `Date` from a response and encodes it for the cache.
public struct DateCoding: Sendable {
    /// Decodes a date. Returns `nil` if the value is not a date.
    public let decode: @Sendable (JSONValue) -> Date?
    /// Encodes a date.
    public let encode: @Sendable (Date) -> JSONValue

    /// Creates a representation of dates.
    /// - Parameters:
    ///   - decode: Decodes a date. Returns `nil` if the value is not a date.
    ///   - encode: Encodes a date.
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

    /// An ISO 8601 date and time with a time zone, such as `2026-01-31T08:00:00Z`, with or without fractions of a
    /// second.
    public static let iso8601 = DateCoding(
        decode: { json in
            guard case .string(let text) = json else { return nil }
            let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
            return styles.lazy.compactMap { try? $0.parse(text) }.first
        },
        encode: { .string($0.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))) })

    /// A calendar day, such as `2026-01-31`. The decoded date is the first moment of the day in UTC.
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
    /// Creates an encoder that encodes dates in the given representation.
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
