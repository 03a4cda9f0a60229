/// The text format of rows.
public enum RowFormat: Sendable, Hashable, CaseIterable {
    /// An array of objects (RFC 8259).
    case json
    /// One object per line. Each line ends with a line feed.
    case ndjson
    /// A header line and a line for each row, in UTF-8 with CRLF (RFC 4180). NULL is an empty field.
    case csv
}
