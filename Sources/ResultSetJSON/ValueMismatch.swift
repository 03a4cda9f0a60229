import SQLDatabase

/// A value in the database that does not have the type that its field declares.
public struct ValueMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// The member of the response that the value is for.
    public let member: String
    /// The table or resource of the row, if the shape of the rows names it.
    public let source: String?
    /// The valid values: `a whole number`.
    public let expectation: String
    /// The value that was found: `the text "abc"`.
    public let found: String

    init(_ value: SQLValue, of member: String, in source: String?, _ format: ValueFormat) {
        self.member = member
        self.source = source
        expectation = format.expectation
        found = Self.describe(value)
    }

    /// The maximum number of characters of a text that the description repeats.
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

    /// One sentence that names the member and the value.
    public var description: String {
        "\(source.map { "\($0)." } ?? "")\(member) is declared as \(expectation), but a row has \(found)"
    }
}
