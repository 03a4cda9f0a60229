public import SQLDatabase

extension DatabaseSchema {
    /// Searches for a row with NULL in a column of a key, by one statement: a key that allows NULL identifies rows only
    /// as long as no row has one.
    ///
    /// The first column is searched through the key's index. The others take a scan of the index.
    /// - Parameters:
    ///   - key: the columns of a primary or unique key in its order, at least one.
    ///   - table: the name of the table.
    ///   - connection: a connection in a transaction of any kind.
    ///   - rowLimit: maximum number of rows that are scanned.
    /// - Throws: ``DatabaseError``.
    public static func searchForNull(
        in key: [String], of table: String, _ connection: Connection, rowLimit: Int = 1_000_000
    ) throws -> Occurrence {
        let columns = key.map { SQLIdentifier.quoted($0) }
        let table = SQLIdentifier.quoted(table)
        guard let first = columns.first else { return .absent }
        guard columns.count > 1 else {
            let rows = try connection.query("SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(first) IS NULL) AS found")
            defer { rows.close() }
            return try rows.next() && rows.integer(at: 0) != 0 ? .found : .absent
        }
        let rest = columns.dropFirst()
        let rows = try connection.query(
            """
            SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(first) IS NULL) OR COALESCE(MAX(r.has), 0) AS found,
            COUNT(*) AS examined
            FROM (SELECT \(rest.map { "\($0) IS NULL" }.joined(separator: " OR ")) AS has
            FROM \(table) LIMIT :limit) AS r
            """, ["limit": .integer(limit(rowLimit))])
        defer { rows.close() }
        guard try rows.next() else { return .absent }
        return occurrence(rows.integer(at: 0), examined: rows.integer(at: 1), of: rowLimit)
    }

    /// Searches columns of a MariaDB table for zero dates, such as `0000-00-00` and `2024-05-00`, by one statement.
    ///
    /// `NOT NULL` columns hold them in place of an unknown date in databases that other SQL modes have written to.
    /// - Parameters:
    ///   - columns: names of `DATE`, `DATETIME` or `TIMESTAMP` columns.
    ///   - table: the name of the table.
    ///   - connection: a connection in a transaction of any kind.
    ///   - rowLimit: maximum number of rows that are scanned.
    /// - Returns: a result for each column. On SQLite, which stores dates as it gets them, nothing is searched and all
    ///   are absent.
    /// - Throws: ``DatabaseError``.
    public static func searchForZeroDates(
        in columns: [String], of table: String, _ connection: Connection, rowLimit: Int = 10_000
    ) throws -> [Occurrence] {
        guard connection.dialect == .mariaDB, !columns.isEmpty else { return columns.map { _ in .absent } }
        let conditions = columns.enumerated().map { index, name in
            let column = SQLIdentifier.quoted(name)
            return "DAYOFMONTH(\(column)) = 0 OR MONTH(\(column)) = 0 AS c\(index)"
        }
        let maxima = columns.indices.map { ", COALESCE(MAX(r.c\($0)), 0) AS c\($0)" }.joined()
        let rows = try connection.query(
            """
            SELECT COUNT(*) AS examined\(maxima) FROM (SELECT \(conditions.joined(separator: ", "))
            FROM \(SQLIdentifier.quoted(table)) LIMIT :limit) AS r
            """, ["limit": .integer(limit(rowLimit))])
        defer { rows.close() }
        guard try rows.next() else { return columns.map { _ in .absent } }
        return columns.indices.map {
            occurrence(rows.integer(at: $0 + 1), examined: rows.integer(at: 0), of: rowLimit)
        }
    }

    /// One row more than may be examined shows that there are more.
    private static func limit(_ rowLimit: Int) -> Int { max(0, min(rowLimit, .max - 1)) + 1 }

    private static func occurrence(_ found: Int64, examined: Int64, of rowLimit: Int) -> Occurrence {
        if found != 0 { return .found }
        return examined > Int64(rowLimit) ? .undecided : .absent
    }
}
