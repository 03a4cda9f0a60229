public import DuetSQLDatabase

/// An error: a value in the database does not have the declared type of its field.
public struct ValueMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// The member of the response that would contain the value.
    public let member: String
    /// The table or resource of the row, if it is specified in the shape of the rows.
    public let source: String?
    /// A description of the valid values: `a whole number`.
    public let expectation: String
    /// A description of the value: `the text "abc"`.
    public let found: String
    /// The change of the field's declaration that would make the value valid, such as `stored: iso`; nil if no such
    /// change is known.
    public let remedy: String?
    /// True if the value is NULL.
    public let isNull: Bool
    /// The type of the value, without the value: `a text`.
    private let foundType: String

    /// - Parameter isUTF8: False for a text of SQLite with bytes that are not UTF-8.
    init(_ value: SQLValue, of member: String, in source: String?, _ format: ValueFormat, isUTF8: Bool = true) {
        self.member = member
        self.source = source
        expectation = format.expectation
        let encoding = isUTF8 ? "" : ", which is not UTF-8"
        found = Self.describe(value) + encoding
        foundType = Self.type(of: value) + encoding
        isNull = value == .null
        remedy = isUTF8 ? Self.remedy(value, format) : format.isStoredAsBytes ? "type: binary" : nil
    }

    /// Creates the error for a value that a statement does not accept.
    /// - Parameter found: A description of the value: `the text "abc"`.
    package init(_ found: String, of member: String, in source: String?, _ format: ValueFormat) {
        self.member = member
        self.source = source
        expectation = format.expectation
        self.found = found
        foundType = "another value"
        isNull = false
        remedy = nil
    }

    /// Creates the error for a parent row that lacks its required attached row.
    init(withoutRow member: String, in source: String) {
        self.member = member
        self.source = source
        expectation = "a required row"
        found = "none"
        foundType = found
        isNull = true
        remedy = "one: optional"
    }

    /// The maximum number of characters of a text in the description.
    private static let longestText = 40

    private static func describe(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let value): "the integer \(value)"
        case .unsigned(let value): "the integer \(value)"
        case .double(let value): "the floating-point number \(value)"
        case .text(let text), .decimal(let text):
            "the text \"\(text.prefix(longestText))\(text.count > longestText ? "…" : "")\""
        case .date(let date): "the date \(date)"
        case .blob(let bytes): "\(bytes.count) bytes of binary data"
        }
    }

    private static func type(of value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer, .unsigned: "an integer"
        case .double: "a floating-point number"
        case .text, .decimal: "a text"
        case .date: "a date"
        case .blob: "binary data"
        }
    }

    /// A message with the name of the member, the declared type and the value.
    public var description: String { description(found) }

    private func description(_ found: String) -> String {
        "\(source.map { "\($0)." } ?? "")\(member) is declared as \(expectation), but a row has \(found)"
    }
}

extension ValueMismatch: ValueBearingError {
    /// A message with the name of the member, the declared type and the type of the value.
    package var descriptionWithoutValues: String { description(foundType) }
}

/// The descriptions of a field for which a value would be valid.
extension ValueMismatch {
    /// Returns the change of the declaration that would make the value valid; nil if there is none.
    static func remedy(_ value: SQLValue, _ format: ValueFormat) -> String? {
        if case .double(let number) = value, !number.isFinite { return nil }
        switch (format.kind, value) {
        case (_, .null): return "nullable: true"
        case (.text, .blob(let bytes)), (.choice, .blob(let bytes)), (.json, .blob(let bytes)):
            return bytes.withUnsafeBytes(ValueFormat.canBeText) ? "charset: utf8" : "type: any"
        case (.date, _), (.dateTime, _), (.timestamp, _): return remedy(time: value, format) ?? "type: any"
        case (.safeInteger, .integer): return "type: bigInteger"
        case (.safeInteger, .unsigned): return "type: unsignedBigInteger"
        case (.boolean, .integer(let number)):
            return number.magnitude < 1 << 53 ? "type: integer" : "type: bigInteger"
        case (.safeInteger, .double), (.integer, .double), (.integerText, .double), (.boolean, .double):
            return "type: number"
        case (.uuid, .text), (.time, .text), (.json, .text), (.choice, .text): return "type: text"
        default: return "type: any"
        }
    }

    /// Returns the change for a date or a time; nil if only the type `any` makes it valid.
    private static func remedy(time value: SQLValue, _ format: ValueFormat) -> String? {
        switch value {
        case .text(let text) where SQLDateTime.isZeroDate(text) && !format.dateTimeForm.isConverted: "nullable: true"
        case .text(let text): remedy(text, format) ?? "type: text"
        case .date: "type: date"
        case .integer(let number): remedy(number: Double(number), format)
        case .double(let number): remedy(number: number, format)
        default: nil
        }
    }

    /// Returns the forms in which the number is a time of our years; nil if there is none.
    private static func remedy(number: Double, _ format: ValueFormat) -> String? {
        let forms = DateTimeForm.likelyForms(number)
        guard let first = forms.first else { return nil }
        let others = forms.dropFirst().map { " or stored: \($0.rawValue)" }.joined()
        return stored(first, as: .timestamp, format) + others
    }

    private static func remedy(_ text: String, _ format: ValueFormat) -> String? {
        if CalendarDate(iso: text) != nil { return "type: date" }
        let kind: ValueFormat.Kind = format.kind == .timestamp ? .timestamp : .dateTime
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            for form in [DateTimeForm.sql, .iso] where SQLDateTime.isValid(bytes, form) {
                return stored(form, as: kind, format)
            }
            if SQLDateTime.isValid(bytes, .utc) { return stored(.utc, as: .timestamp, format) }
            return UTCInstant(text: bytes) == nil ? nil : stored(.offset, as: .timestamp, format)
        }
    }

    private static func stored(_ form: DateTimeForm, as kind: ValueFormat.Kind, _ format: ValueFormat) -> String {
        let type = kind == format.kind ? nil : "type: \(kind == .timestamp ? "timestamp" : "dateTime")"
        return [type, "stored: \(form.rawValue)"].compactMap(\.self).joined(separator: ", ")
    }
}

/// The values of one column that do not have the declared type of their field.
public struct ValueMismatches: Sendable {
    /// The first of these values.
    public let first: ValueMismatch
    /// The key of the first value's row; empty if the rows have no key.
    public let key: [SQLValue]
    /// The number of these values.
    public internal(set) var count = 0

    init(first: ValueMismatch, key: [SQLValue]) {
        self.first = first
        self.key = key
    }

    /// Reads all rows of a result set, checks their values in the same way as for a response, and returns the
    /// mismatches of each column.
    /// - Parameters:
    ///   - resultSet: The rows.
    ///   - shape: The columns with their types.
    ///   - keyCount: The number of columns at the beginning that are the key of a row.
    /// - Throws: `DatabaseError`.
    public static func all(in resultSet: ResultSet, as shape: ObjectShape, keyCount: Int) throws -> [ValueMismatches] {
        try RowWriter(shapes: [shape], keyCount: keyCount, of: resultSet)
            .mismatches(in: resultSet, ValueEncoding(dates: .iso))
    }
}
