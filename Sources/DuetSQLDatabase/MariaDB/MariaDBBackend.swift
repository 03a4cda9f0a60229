/// A database on a MariaDB server.
struct MariaDBBackend: Backend {
    let location: DatabaseURL.MariaDBLocation
    var dialect: Dialect { .mariaDB }

    /// Any account may read the two positions: that of the binary log, and that of a replica. Both are empty for a
    /// server without a binary log that is not a replica.
    var commitDetection: CommitDetection {
        .statement(
            "SELECT CONCAT(@@gtid_binlog_pos, ' ', @@gtid_slave_pos)",
            own: "SELECT CONCAT(@@last_gtid, ' ', @@gtid_binlog_pos)")
    }

    #if MariaDB
        func connect(
            _ configuration: DatabaseConfiguration, _ interrupt: Interrupt, waitsForLocks: Bool
        ) throws -> any BackendConnection {
            try MariaDBConnection(location, configuration: configuration)
        }

        func commitLogReader(
            _ configuration: DatabaseConfiguration, _ definitions: DefinitionChanges,
            _ onCommit: @escaping @Sendable () -> Void
        ) -> (any CommitLogReader)? { BinaryLogReader(location, configuration, definitions, onCommit) }

        /// Sends `KILL`. The server closes the connection and stops its current statement.
        func kill(_ thread: UInt, _ configuration: DatabaseConfiguration) throws {
            do {
                let connection = try MariaDBConnection(
                    location, configuration: configuration, readTimeout: configuration.connectTimeout)
                try connection.run("KILL \(thread)")
            } catch let error as DatabaseError where error.backendCode?.hasSuffix("/1094") == true {
                // The connection has already ended.
            }
        }

        func beginThread() { MariaDBConnection.beginThread() }
        func endThread() { MariaDBConnection.endThread() }
    #else
        /// Without the trait `MariaDB`, the package is built without libmariadb.
        /// - Throws: ``DatabaseError`` with the code `unavailable`, always.
        func connect(
            _ configuration: DatabaseConfiguration, _ interrupt: Interrupt, waitsForLocks: Bool
        ) throws -> any BackendConnection {
            throw DatabaseError(
                .unavailable,
                "\(location) cannot be opened, because this program is built without MariaDB; enable the trait MariaDB "
                    + "of the package duet")
        }
    #endif
}

extension Dialect {
    /// The dialect of MariaDB. The database is on a server.
    ///
    /// - `CROSS JOIN` is a synonym of `JOIN`, whose order the optimizer chooses.
    /// - An alias in a `DELETE` is permitted only in the form for several tables.
    /// - `ORDER BY` compares the indices of `ENUM` and `SET` values, and at most `max_sort_length` bytes of a text.
    /// - With a lock wait timeout of 0, a statement does not wait for the lock of a row, as with `NOWAIT`.
    /// - A lock applies to the whole server, and its name has at most 64 characters. Therefore the name contains a hash
    ///   of the name of the database.
    public static let mariaDB = Dialect(
        "mariadb", title: "MariaDB", commitsDefinitions: true,
        namedLock: NamedLock(
            acquire: { "SELECT GET_LOCK(\(Dialect.lockName($0)), \($1))" },
            release: { "DO RELEASE_LOCK(\(Dialect.lockName($0)))" }),
        numbersFirstRows: true, orderedJoin: "STRAIGHT_JOIN", emptyRow: " () VALUES ()", deletesByAlias: true,
        upsert: Upsert(
            clause: { _ in "ON DUPLICATE KEY UPDATE" }, newValue: { "VALUES(\($0))" }, greatest: "GREATEST"),
        insertIfAbsent: { "SET STATEMENT innodb_lock_wait_timeout = 0 FOR INSERT IGNORE \($0)" },
        comparesNumbersByType: true, hasZeroDates: true,
        ordersChoicesByIndex: true, ordersLongTexts: false, indexesBeginnings: true, hasCharacterSets: true,
        aggregates: MariaDBAggregates.spellings,
        tableNames: """
            SELECT table_name, table_type = 'BASE TABLE' FROM information_schema.tables
            WHERE table_schema = DATABASE()
            """)

    private static func lockName(_ prefix: String) -> String { "CONCAT('\(prefix).', MD5(DATABASE()))" }
}
