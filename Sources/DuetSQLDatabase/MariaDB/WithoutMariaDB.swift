#if !MariaDB
    /// A substitute for the connection if the package is built without the trait `MariaDB` and therefore without
    /// libmariadb. No instance can be created.
    final class MariaDBConnection {
        private let unreachable: () -> Never

        static func beginThread() {}
        static func endThread() {}

        /// - Throws: ``DatabaseError`` with the code `unavailable`, always.
        init(
            _ location: DatabaseURL.MariaDBLocation, configuration: DatabaseConfiguration, readTimeout: Duration? = nil
        ) throws {
            throw DatabaseError(
                .unavailable,
                "\(location) cannot be opened, because this program is built without MariaDB; enable the trait MariaDB "
                    + "of the package duet")
        }

        var roundTrips: Int { unreachable() }
        var threadID: UInt { unreachable() }
        var watch: ConnectionWatch { unreachable() }
        func prepare(_ sql: String) throws -> MariaDBStatement { unreachable() }
        func enqueue(_ command: String) { unreachable() }
        func enqueue(_ statement: MariaDBStatement) { unreachable() }
        func setStatementTimeout(_ timeout: UInt64?) { unreachable() }
        func abandon() { unreachable() }
        func flush() throws { unreachable() }
        func send(_ command: String) throws { unreachable() }
        func run(_ command: String) throws { unreachable() }
        func readAllAnswers() throws { unreachable() }
        func ping() throws { unreachable() }
    }

    /// A substitute for the prepared statement. No instance can be created.
    final class MariaDBStatement {
        private let unreachable: () -> Never

        private init(unreachable: @escaping () -> Never) { self.unreachable = unreachable }

        var sql: String { unreachable() }
        var columns: [Column] { unreachable() }
        var parameterCount: Int { unreachable() }
        var changes: Int { unreachable() }
        var hasOtherColumns: Bool { unreachable() }
        func bind(_ values: [SQLValue]) throws { unreachable() }
        func step() throws -> Bool { unreachable() }
        func forEachRow(
            _ columns: UnsafeBufferPointer<Int>, into values: UnsafeMutablePointer<ColumnValue>,
            counting rows: inout Int,
            _ body: () -> Bool
        ) throws -> Bool { unreachable() }
        func column(_ index: Int) -> ColumnValue { unreachable() }
        func reset() { unreachable() }
    }
#endif
