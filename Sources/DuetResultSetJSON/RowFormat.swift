/// The text format of rows.
public enum RowFormat: Sendable, Hashable, CaseIterable {
    /// An array of objects (RFC 8259).
    case json
    /// One object per line. Each line ends with a line feed.
    case ndjson
    /// A header line and a record for each row, in UTF-8 with CRLF (RFC 4180). NULL is an unquoted empty field, and the
    /// empty text is `""`. In a record with only one field, NULL is `""`, too, because many readers skip blank lines.
    case csv
}
