/// The type of a field's values. It decides the JSON form, the GraphQL type and the comparisons of a filter.
public enum FieldType: Sendable, Hashable {
    /// The JSON form of numbers that clients with 64-bit floating-point numbers cannot read exactly.
    public enum NumberForm: String, Sendable, Hashable, CaseIterable {
        /// A JSON string.
        case string
        /// A JSON number with all digits.
        case number
    }

    /// The text of a date with a time in a SQLite database. Filters compare texts, so they need the stored form.
    public enum DateTimeStorage: String, Sendable, Hashable, CaseIterable {
        /// `2024-01-31 12:34:56`, as SQL writes it. MariaDB has this form alone.
        case sql
        /// `2024-01-31T12:34:56`.
        case iso
        /// `2024-01-31T12:34:56Z`.
        case utc
    }

    /// A whole number in a range within ±2^53: a GraphQL `Int` if the range has 32 bits, else `SafeInt`.
    case integer(ClosedRange<Int64> = Self.wholeNumbers)
    /// A whole number of 64 bits.
    case bigInteger(isUnsigned: Bool = false, NumberForm = .string)
    /// A number with a fraction, in floating point.
    case number
    /// An exact number with at least `scale` digits after the point.
    case decimal(scale: Int = 0, NumberForm = .string)
    /// True or false, which the database holds as 1 or 0.
    case boolean
    /// A text of at most so many characters, as far as that is known.
    case text(maximumLength: Int? = nil)
    /// A day.
    case date
    /// A date with a time of day: a moment if `isUTC`, else without a time zone.
    case dateTime(isUTC: Bool, DateTimeStorage = .sql)
    /// A time of day or a duration: `12:34:56`.
    case time
    /// Bytes, in base64.
    case binary
    /// A JSON value.
    case json
    /// A UUID (RFC 9562).
    case uuid
    /// A value of any type, as SQLite has it in columns without a type.
    case any
    /// A key that is a text of letters and digits, of at most so many characters.
    case identifier(maximumLength: Int)
    /// One of several texts.
    case choice(Choice)

    /// The whole numbers of 32 bits.
    public static let wholeNumbers = Int64(Int32.min)...Int64(Int32.max)
    /// The whole numbers that a 64-bit floating-point number represents exactly, with all their neighbours (RFC 8259, section 6).
    public static let safeNumbers = -(Int64(1) << 53 - 1)...(Int64(1) << 53 - 1)

    /// The comparisons that a filter can make.
    var comparisons: [Comparison] {
        switch self {
        case .integer, .bigInteger, .number, .decimal, .date, .dateTime, .time:
            [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in]
        case .text, .identifier: Comparison.allCases
        case .choice, .uuid, .binary: [.equal, .notEqual, .in]
        case .boolean: [.equal, .notEqual]
        case .json, .any: []
        }
    }

    /// True if lists can be ordered by the values.
    public var isOrdered: Bool {
        switch self {
        case .json, .any: false
        default: true
        }
    }
}
