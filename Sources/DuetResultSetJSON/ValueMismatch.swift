import DuetSQLDatabase

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
