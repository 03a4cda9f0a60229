/// A column of a result set.
public struct Column: Sendable, Hashable {
    /// The type that the backend reports for the values of a column.
    public enum Kind: Sendable, Hashable {
        /// Unknown, or values of several types: for example a SQLite expression.
        case any
        /// Integers. On SQLite, the declared type of the column contains `INT`. On MariaDB, `YEAR` and `BIT` are
        /// included.
        case integer
        /// Floating-point numbers. On SQLite, the declared type contains `REAL`, `DOUB` or `FLOA`.
        case double
        /// Texts. On SQLite, the declared type contains `CHAR`, `CLOB` or `TEXT`. On MariaDB, decimal numbers, times,
        /// and dates with times are included; the values are texts.
        case text
        /// Dates without a time. The declared type is `DATE`.
        case date
        /// Bytes. On SQLite, the declared type contains `BLOB`. On MariaDB, the column has the character set `binary`.
        case blob
        /// A column that is declared as `BOOLEAN` or `BOOL`; on MariaDB these are aliases of `TINYINT(1)`. The values
        /// are the integers 0 and 1, or other integers if a program has written them.
        case boolean
    }

    /// The label of the column: the `AS` name if the statement has one.
    public let name: String
    /// The kind of the column's values.
    public let kind: Kind
}
