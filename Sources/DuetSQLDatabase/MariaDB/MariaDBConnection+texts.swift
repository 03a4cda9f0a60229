#if MariaDB
    internal import CDuetMariaDB

    extension MariaDBConnection {
        /// Runs a query outside the queue of requests. No answer may be outstanding.
        /// - Returns: The first column of each row, with an empty text for NULL.
        /// - Throws: ``DatabaseError``.
        static func texts(_ query: String, _ handle: Handle) throws -> [String] {
            guard mysql_real_query(handle, query, UInt(query.utf8.count)) == 0,
                let result = mysql_store_result(handle)
            else {
                throw DatabaseError.mariaDB(
                    mysql_errno(handle), state: mysql_sqlstate(handle), message: mysql_error(handle))
            }
            defer { mysql_free_result(result) }
            var texts: [String] = []
            while let row = mysql_fetch_row(result) { texts.append(row[0].map { String(cString: $0) } ?? "") }
            return texts
        }
    }
#endif
