import DuetJSON
package import DuetSQLDatabase

/// The declared type of a column, which determines the JSON format of its values. Values are never converted to the
/// declared type: a value that does not have this type is an error, ``ValueMismatch``.
public struct ValueFormat: Sendable, Hashable {
    /// The type of the values and their format in JSON.
    public enum Kind: UInt8, Sendable, Hashable {
        /// Values of any type, each in the format of ``ValueEncoding`` for its own type. For a column that the database
        /// declares as Boolean, the adapter uses ``declaredBoolean`` instead.
        case any
        /// The integers 0 and 1 as `false` and `true` if ``ValueEncoding/writesBooleans`` is true. Other values are
        /// written as in ``any``.
        case declaredBoolean
        /// Whole numbers as JSON numbers.
        case integer
        /// Whole numbers within ±(2^53 - 1) as JSON numbers. Every client can represent these numbers exactly (RFC
        /// 8259, section 6).
        case safeInteger
        /// Whole numbers as JSON strings, for clients that parse numbers as doubles.
        case integerText
        /// Floating-point numbers as JSON numbers.
        case number
        /// Exact decimal numbers as JSON strings: `"12.50"`.
        case decimalText
        /// Exact decimal numbers as JSON numbers with all their digits: `12.50`.
        case decimal
        /// The integers 0 and 1 as `false` and `true`.
        case boolean
        /// Texts.
        case text
        /// Texts from a list of valid texts (``ObjectShape/Member/column(name:_:_:choices:)``).
        case choice
        /// UUIDs in the text format of the database: `"123e4567-e89b-12d3-a456-426614174000"` (RFC 9562, section 4).
        case uuid
        /// Dates in the format of ``ValueEncoding/dates``.
        case date
        /// Dates with a time of day and without a time zone: `"2024-01-31T12:34:56"`. RFC 9557 calls this a local time.
        case dateTime
        /// Moments in UTC: `"2024-01-31T12:34:56Z"` (RFC 3339).
        case timestamp
        /// Times of day or durations in the text format of the database: `"12:34:56"`.
        case time
        /// Bytes as JSON strings in base64 (RFC 4648, section 4).
        case binary
        /// JSON values, without insignificant white space.
        case json
    }

    /// The type of the values and their format in JSON.
    public var kind: Kind
    /// True if a value may be NULL.
    public var isNullable: Bool
    /// The minimum number of digits after the decimal point of decimal numbers.
    public var scale: UInt8

    /// True to omit zeros at the end of decimal numbers that ``scale`` does not require: 210.00 for 210.000000.
    package var omitsZeros = false

    /// True if a zero date is not null, but does not have this type, although NULL is valid.
    package var rejectsZeroDates = false

    /// The format of dates with a time in the database.
    public var dateTimeForm: DateTimeForm

    /// True for a text, a choice or JSON that the database stores as bytes in UTF-8, in a column such as `VARBINARY` or
    /// `BLOB`. Any other stored value does not have this type.
    public var isStoredAsBytes: Bool

    /// True to write null instead of a value that does not have this type. The number of these values is reported with
    /// `Connection.nullifiedValues`. If the property is false, such a value is an error, ``ValueMismatch``.
    public var nullifiesMismatches: Bool

    /// Creates a format.
    /// - Parameters:
    ///   - kind: The kind of the values.
    ///   - isNullable: True if NULL is valid.
    ///   - scale: The minimum number of digits after the decimal point of decimal numbers.
    ///   - dateTimeForm: The format of dates with a time in the database.
    ///   - isStoredAsBytes: True for a text that the database stores as bytes in UTF-8.
    ///   - nullifiesMismatches: True to write null instead of a value that does not have this type.
    public init(
        _ kind: Kind, isNullable: Bool = true, scale: UInt8 = 0, dateTimeForm: DateTimeForm = .sql,
        isStoredAsBytes: Bool = false, nullifiesMismatches: Bool = false
    ) {
        self.isStoredAsBytes = isStoredAsBytes
        self.nullifiesMismatches = nullifiesMismatches
        self.kind = kind
        self.isNullable = isNullable
        self.scale = scale
        self.dateTimeForm = dateTimeForm
    }

    /// Values of any type, which may be NULL.
    public static let any = ValueFormat(.any)

    /// The number of bytes that a value may need in addition to ``ValueEncoding/longestJSON(_:)``.
    var additionalRoom: Int {
        switch kind {
        case .any: 0
        case .timestamp where dateTimeForm.isConverted: UTCInstant.maximumSize + 3
        // A double has up to 309 digits before the decimal point, or many zeros after it.
        case .decimal, .decimalText: 352 + Int(scale)
        // Quotes are added to a number, or a time of day is added to a date.
        default: 16
        }
    }

    /// True for types that contain a date. On MariaDB such a value can be a zero date.
    package var isDate: Bool { kind == .date || kind == .dateTime || kind == .timestamp }

    /// A description of the valid values, for errors: `a whole number`.
    var expectation: String {
        switch kind {
        case .any, .declaredBoolean: "any value"
        case .integer, .integerText: "a whole number"
        case .safeInteger: "a whole number from -9007199254740991 to 9007199254740991"
        case .number: "a finite number"
        case .decimalText, .decimal: "a decimal number"
        case .boolean: "0 or 1"
        case .text: isStoredAsBytes ? "a text that is stored as bytes in UTF-8" : "a text"
        case .choice: "a value of its enumeration" + (isStoredAsBytes ? " that is stored as bytes in UTF-8" : "")
        case .uuid: "a UUID"
        case .date: "a date (YYYY-MM-DD)"
        case .dateTime: "a date and time (\(dateTimeForm.pattern))"
        case .timestamp where dateTimeForm.isConverted: "a point in time (\(dateTimeForm.pattern))"
        case .timestamp: "a date and time in UTC (\(dateTimeForm.pattern))"
        case .time: "a time (HH:MM:SS)"
        case .binary: "bytes"
        case .json: isStoredAsBytes ? "JSON that is stored as bytes in UTF-8" : "JSON"
        }
    }
}

extension ValueFormat {
    /// Returns true if a value that is not NULL has the declared type, so that a response can contain it. For
    /// ``Kind/choice``, every text has the type.
    package func accepts(_ value: ColumnValue) -> Bool {
        switch (kind, value) {
        case (.any, .text(let bytes)), (.text, .text(let bytes)), (.choice, .text(let bytes)):
            return UTF8Sequence.firstInvalidByte(in: bytes) == nil
        case (.any, .double(let double)): return double.isFinite
        case (.any, _): return true
        // The texts of all types except JSON are short.
        case (_, .text(let bytes)) where kind != .json && bytes.count > Self.longestText: return false
        case (.binary, _):
            if case .blob = value { return true }
            return false
        default: break
        }
        let encoding = ValueEncoding(dates: .iso)
        return withUnsafeTemporaryAllocation(
            byteCount: encoding.longestJSON(value) + additionalRoom, alignment: 1
        ) { buffer in
            buffer.baseAddress.map { encoding.writeJSON(value, as: self, to: $0) != nil } ?? false
        }
    }

    /// Returns true for bytes that are a text in UTF-8 without control characters other than white space.
    package static func canBeText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
            && UTF8Sequence.firstInvalidByte(in: bytes) == nil
    }

    /// The maximum number of bytes of a text that is a number, a date, a time or a UUID. It is greater than that of any
    /// such text of a usual program.
    private static let longestText = 400
}
