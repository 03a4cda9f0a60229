#if MariaDB
    internal import CDuetMariaDB
    import Dispatch
    import Synchronization

    /// Reads the binary log of a MariaDB server as a replica does, to know which tables a commit has changed. The
    /// account needs the privilege `REPLICATION SLAVE`.
    ///
    /// Source: mariadb.com/kb/en/replication-protocol.
    final class BinaryLogReader: CommitLogReader {
        private struct State {
            var isStopped = false
            /// The socket of the current connection.
            var socket: ConnectionWatch?
        }

        private enum End {
            /// The server does not permit this account to read the log, has none, or compresses it.
            case refused
            /// The connection is lost, or the server cannot be reached.
            case lost
        }

        let commits = CommitTables()
        private let location: DatabaseURL.MariaDBLocation
        private let configuration: DatabaseConfiguration
        private let definitions: DefinitionChanges
        private let onCommit: @Sendable () -> Void
        private let state = Mutex(State())
        private let stopped = DispatchSemaphore(value: 0)

        /// The interval at which the server sends an event if there are no commits.
        private static let heartbeat = Duration.seconds(10)
        /// The pause before the next attempt after a failure.
        private static let pause = DispatchTimeInterval.seconds(5)

        /// - Parameters:
        ///   - definitions: The object that receives the changes of definitions in the database.
        ///   - onCommit: Called on the reader's thread when a commit has been read that may have changed tables of the
        ///     database. It must not block.
        init(
            _ location: DatabaseURL.MariaDBLocation, _ configuration: DatabaseConfiguration,
            _ definitions: DefinitionChanges, _ onCommit: @escaping @Sendable () -> Void
        ) {
            self.location = location
            var configuration = configuration
            configuration.statementTimeout = nil
            self.configuration = configuration
            self.definitions = definitions
            self.onCommit = onCommit
        }

        func run() {
            MariaDBConnection.beginThread()
            defer { MariaDBConnection.endThread() }
            while !state.withLock({ $0.isStopped }) {
                let end = readLog()
                commits.end()
                guard end == .lost else { return }
                if stopped.wait(timeout: .now() + Self.pause) == .success { return }
            }
        }

        func stop() {
            state.withLock { state in
                state.isStopped = true
                state.socket?.breakOff()
            }
            stopped.signal()
        }

        private func readLog() -> End {
            // Without the log, any table counts as changed, so a failure needs no report. A server that cannot be
            // reached is reported by the requests.
            guard
                let connection = try? MariaDBConnection(
                    location, configuration: configuration, readTimeout: Self.heartbeat * 3)
            else { return .lost }
            let isStopped = state.withLock { state in
                state.socket = connection.socketWatch
                return state.isStopped
            }
            defer { state.withLock { $0.socket = nil } }
            guard !isStopped, let (hasLog, position, tables) = try? begin(connection) else { return .lost }
            guard hasLog else { return .refused }
            guard let log = mariadb_rpl_init_ex(connection.handle, UInt32(MARIADB_RPL_VERSION)) else { return .lost }
            defer { mariadb_rpl_close(log) }
            // A server ends the connection of another reader with the same number.
            log.pointee.server_id = .random(in: 1 << 31...UInt32.max)
            guard mariadb_rpl_open(log) == 0 else { return end(connection, log) }
            commits.begin(after: position)
            var transactions = BinaryLogTransactions(
                database: location.database, tables: tables, definitions: definitions)
            while let event = mariadb_rpl_fetch(log, nil) {
                defer { mariadb_free_rpl_event(event) }
                guard let known = BinaryLogTransactions.Event(event.pointee),
                    let transaction = transactions.add(known)
                else { continue }
                commits.record(transaction.id, tables: transaction.tables)
                if transaction.tables != [] { onCommit() }
            }
            return end(connection, log)
        }

        private func end(_ connection: MariaDBConnection, _ log: UnsafeMutablePointer<MARIADB_RPL>) -> End {
            let accessDenied: UInt32 = 1227
            return [mysql_errno(connection.handle), log.pointee.error_no].contains(accessDenied) ? .refused : .lost
        }

        /// Prepares the session for the log, from the current position on.
        private func begin(
            _ connection: MariaDBConnection
        ) throws -> (hasLog: Bool, position: Set<GlobalTransactionID>, tables: Set<String>) {
            let tables = try MariaDBConnection.texts(
                """
                SELECT table_name FROM information_schema.tables
                WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')
                """, connection.handle)
            // The client library writes beyond a variable when it decompresses an event.
            let hasLog =
                try MariaDBConnection.texts("SELECT @@log_bin AND NOT @@GLOBAL.log_bin_compress", connection.handle)
                == ["1"]
            let position = try MariaDBConnection.texts("SELECT @@gtid_binlog_pos", connection.handle).first ?? ""
            // With the capability 4, the server accepts a position as global transaction IDs, and sends these IDs.
            try connection.run(
                """
                SET @mariadb_slave_capability = 4, @master_binlog_checksum = @@GLOBAL.binlog_checksum,
                @slave_connect_state = '\(position)', @master_heartbeat_period = \(Self.heartbeat.nanoseconds)
                """)
            return (
                hasLog, Set(position.split(separator: ",").compactMap { GlobalTransactionID($0) }), Set(tables)
            )
        }
    }

    extension BinaryLogTransactions.Event {
        /// Reads an event of the client library.
        /// - Returns: nil for an event that has no effect on tables.
        fileprivate init?(_ event: MARIADB_RPL_EVENT) {
            switch event.event_type {
            case GTID_EVENT:
                let gtid = event.event.gtid
                self = .begin(
                    GlobalTransactionID(domain: gtid.domain_id, number: gtid.sequence_nr),
                    isStandalone: gtid.flags & UInt8(FL_STANDALONE) != 0, isDefinition: gtid.flags & UInt8(FL_DDL) != 0)
            case TABLE_MAP_EVENT:
                let map = event.event.table_map
                self = .rows(database: Self.text(map.database), table: Self.text(map.table))
            case QUERY_EVENT:
                let query = event.event.query
                self = .statement(Self.text(query.statement), database: Self.text(query.database))
            case XID_EVENT, XA_PREPARE_LOG_EVENT: self = .end
            // The rows follow the event of their table.
            case WRITE_ROWS_EVENT_V1, UPDATE_ROWS_EVENT_V1, DELETE_ROWS_EVENT_V1, WRITE_ROWS_EVENT, UPDATE_ROWS_EVENT,
                DELETE_ROWS_EVENT, WRITE_ROWS_COMPRESSED_EVENT_V1, UPDATE_ROWS_COMPRESSED_EVENT_V1,
                DELETE_ROWS_COMPRESSED_EVENT_V1, WRITE_ROWS_COMPRESSED_EVENT, UPDATE_ROWS_COMPRESSED_EVENT,
                DELETE_ROWS_COMPRESSED_EVENT:
                return nil
            // The values of variables in the following statement.
            case INTVAR_EVENT, RAND_EVENT, USER_VAR_EVENT: return nil
            // Events of the log itself.
            case ROTATE_EVENT, STOP_EVENT, FORMAT_DESCRIPTION_EVENT, HEARTBEAT_LOG_EVENT, ANNOTATE_ROWS_EVENT,
                BINLOG_CHECKPOINT_EVENT, GTID_LIST_EVENT, START_ENCRYPTION_EVENT:
                return nil
            default: self = .unknown
            }
        }

        private static func text(_ string: MARIADB_STRING) -> String {
            guard let bytes = string.str else { return "" }
            return String(
                decoding: UnsafeRawBufferPointer(start: bytes, count: string.length), as: UTF8.self)
        }
    }
#endif
