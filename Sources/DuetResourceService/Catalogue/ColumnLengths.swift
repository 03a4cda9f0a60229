/// The maximum lengths of the texts and bytes in the columns of a MariaDB database. They are read from the database,
/// not from the description of the API.
///
/// If MariaDB sorts rows, it compares only the beginning of each value (`max_sort_length`). An order by a long column
/// therefore consists of the beginning of the value and a digest of the whole value; see ``OrderColumn``.
public struct ColumnLengths: Sendable {
    private var lengths: [String: [String: Int]] = [:]

    /// Creates an empty list.
    public init() {}

    /// Adds a column.
    /// - Parameter length: The maximum number of characters of a text, or of bytes; `Int.max` if it is unknown.
    public mutating func add(_ column: String, of table: String, length: Int) {
        lengths[table, default: [:]][column.lowercased()] = length
    }

    /// Returns the maximum length of a column's values; nil for a column that is not in the list, because its values
    /// are short.
    func length(_ column: String, of table: String) -> Int? { lengths[table]?[column.lowercased()] }
}
