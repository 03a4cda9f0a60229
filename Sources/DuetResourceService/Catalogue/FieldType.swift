public import DuetResultSetJSON

/// The type of a field's values. It determines the JSON format, the GraphQL type and the comparisons in filters.
public enum FieldType: Sendable, Hashable {
    /// The JSON type of numbers that a 64-bit floating-point number cannot always represent exactly.
    public enum NumberForm: String, Sendable, Hashable, CaseIterable {
        /// A JSON string.
        case string
        /// A JSON number with all digits.
        case number
    }

    /// A whole number in a range within ±(2^53 − 1). The GraphQL type is `Int` if the range fits into 32 bits, and
    /// otherwise `SafeInt`.
    case integer(ClosedRange<Int64> = Self.wholeNumbers)
    /// A 64-bit whole number.
    case bigInteger(isUnsigned: Bool = false, NumberForm = .string)
    /// A floating-point number.
    case number
    /// An exact number with at least `scale` digits after the decimal point.
    case decimal(scale: Int = 0, NumberForm = .string)
    /// True or false, which the database stores as 1 or 0.
    case boolean
    /// A text of at most `maximumLength` characters; nil if the maximum is unknown.
    case text(maximumLength: Int? = nil)
    /// A date without a time.
    case date
    /// A date with a time of day. If `isUTC`, it is a point in time in UTC; otherwise it has no time zone.
    case dateTime(isUTC: Bool, DateTimeForm = .sql)
    /// A time of day or a duration: `12:34:56`.
    case time
    /// Bytes, in base64.
    case binary
    /// A JSON value.
    case json
    /// A UUID (RFC 9562).
    case uuid
    /// A value of any type, for example of a SQLite column without a type.
    case any
    /// A key of letters and digits, with at most `maximumLength` characters.
    case identifier(maximumLength: Int)
    /// One of several texts.
    case choice(Choice)

    /// The 32-bit whole numbers.
    public static let wholeNumbers = Int64(Int32.min)...Int64(Int32.max)
    /// The whole numbers that a 64-bit floating-point number represents exactly and uniquely (RFC 8259, section 6).
    public static let safeNumbers = -(Int64(1) << 53 - 1)...(Int64(1) << 53 - 1)

    /// The comparisons that a filter supports.
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

    /// True for times of SQLite whose stored values have no order: texts with different offsets from UTC, and Julian
    /// days, which are not exact. Conditions and orders compare the texts that the SQL function `duet_utc` returns.
    package var isComparedInUTC: Bool {
        switch self {
        case .dateTime(_, .offset), .dateTime(_, .julianDays): true
        default: false
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
