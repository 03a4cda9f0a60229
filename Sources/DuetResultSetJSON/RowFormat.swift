/// The form of rows as a text.
public enum RowFormat: Sendable, Hashable, CaseIterable {
    /// One array of objects (RFC 8259).
    case json
    /// One object a line, with a line feed after each.
    case ndjson
    /// A header line and a line for each row, in UTF-8 with CRLF (RFC 4180); NULL is an empty field.
    case csv
}
