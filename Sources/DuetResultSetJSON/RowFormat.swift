/// How rows become a body.
public enum RowFormat: Sendable, Hashable, CaseIterable {
    /// One array of objects (RFC 8259).
    case json
    /// One object a line.
    case ndjson
    /// A header line and a line for each row, in UTF-8 with CRLF (RFC 4180); NULL is an empty field.
    case csv
}
