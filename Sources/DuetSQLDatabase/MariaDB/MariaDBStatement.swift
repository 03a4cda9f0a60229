#if MariaDB
    internal import CDuetMariaDB
    import Foundation

    /// One prepared statement of MariaDB.
    final class MariaDBStatement: PreparedStatement {
        private enum State {
            case idle
            /// The statement is bound, and queued or sent. Its answer has not been read.
            case started
            /// The answer has been read. Rows follow, on the socket or in memory.
            case rows
            case done
            /// The execution or the reading of rows failed, and the error has not been thrown yet.
            case failed(DatabaseError)
        }

        let sql: String
        private(set) var columns: [Column]
        let parameterCount: Int
        private let handle: UnsafeMutablePointer<MYSQL_STMT>
        private unowned let connection: MariaDBConnection
        private let closedStatements: ClosedStatements
        private var parameters: ParameterBindings
        private var results: ResultBindings
        private var state = State.idle
        /// True if the rows have been read into memory.
        private var isBuffered = false

        init(_ sql: String, on connection: MariaDBConnection) throws {
            guard let handle = mysql_stmt_init(connection.handle) else {
                throw DatabaseError(.failed, "out of memory", statement: sql)
            }
            self.sql = sql
            self.connection = connection
            closedStatements = connection.closedStatements
            self.handle = handle
            guard mysql_stmt_prepare(handle, sql, UInt(sql.utf8.count)) == 0 else {
                let error = DatabaseError.mariaDB(statement: handle, of: connection.handle, sql)
                mysql_stmt_close(handle)
                throw error
            }
            parameterCount = Int(mysql_stmt_param_count(handle))
            parameters = ParameterBindings(count: parameterCount)
            let metadata = mysql_stmt_result_metadata(handle)
            defer { if let metadata { mysql_free_result(metadata) } }
            let fields = metadata.flatMap { metadata in
                mysql_fetch_fields(metadata).map {
                    UnsafeBufferPointer(start: $0, count: Int(mysql_num_fields(metadata)))
                }
            }
            columns = fields?.map(Self.column) ?? []
            results = ResultBindings(fields: fields.map(Array.init) ?? [])
        }

        deinit {
            closedStatements.add(handle)
        }

        private static func column(_ field: MYSQL_FIELD) -> Column {
            let kind: Column.Kind =
                switch field.type {
                // BOOLEAN is an alias of TINYINT(1), and no other integer type has this length.
                case MYSQL_TYPE_TINY where field.length == 1: .boolean
                case MYSQL_TYPE_TINY, MYSQL_TYPE_SHORT, MYSQL_TYPE_INT24, MYSQL_TYPE_LONG, MYSQL_TYPE_LONGLONG,
                    MYSQL_TYPE_YEAR, MYSQL_TYPE_BIT:
                    .integer
                case MYSQL_TYPE_FLOAT, MYSQL_TYPE_DOUBLE: .double
                case MYSQL_TYPE_DATE, MYSQL_TYPE_NEWDATE: .date
                default: ResultBindings.isBinary(field) ? .blob : .text
                }
            return Column(name: field.name.map { String(cString: $0) } ?? "", kind: kind)
        }

        func bind(_ values: ArraySlice<SQLValue>) throws {
            guard values.count == parameterCount else {
                throw DatabaseError(
                    .parameter, "the statement takes \(parameterCount) values, not \(values.count)", statement: sql)
            }
            // A failed execution leaves its error in the handle. The error does not affect the next execution.
            try parameters.set(values, statement: sql)
            if parameterCount > 0, mysql_stmt_bind_param(handle, parameters.bindings) != 0 { throw failure() }
            state = .started
        }

        /// Queues the statement; see ``MariaDBConnection/flush()``.
        func start() { connection.enqueue(self) }

        /// Writes the execution request to the socket without waiting for its answer.
        func send() throws {
            guard let methods = handle.pointee.mysql?.pointee.methods,
                let generate = methods.pointee.db_execute_generate_request, let command = methods.pointee.db_command
            else { throw DatabaseError(.connectionLost, "the connection is closed", statement: sql) }
            var length = 0
            guard let request = generate(handle, &length, 0) else { throw failure() }
            defer { free(request) }
            let failed = request.withMemoryRebound(to: CChar.self, capacity: length) {
                command(connection.handle, COM_STMT_EXECUTE, $0, length, 1, handle)
            }
            guard failed == 0 else {
                throw DatabaseError.mariaDB(
                    mysql_errno(connection.handle), state: mysql_sqlstate(connection.handle),
                    message: mysql_error(connection.handle), statement: sql)
            }
        }

        /// Reads the answer to the execution and prepares for reading rows. A failure is stored and thrown by
        /// ``step()``, because the current caller may wait for the answer to another statement.
        func readAnswer() {
            guard let read = connection.handle.pointee.methods?.pointee.db_read_execute_response else {
                state = .failed(DatabaseError(.connectionLost, "the connection is closed", statement: sql))
                return
            }
            guard read(handle) == 0 else {
                hasOtherColumns = mysql_stmt_errno(handle) == UInt32(CR_NEW_STMT_METADATA)
                // The library has not read the rows, so `reset()` must read them.
                hasUnreadRows = hasOtherColumns
                state = .failed(hasOtherColumns ? .otherColumns(than: columns, statement: sql) : failure())
                return
            }
            // The server reports the columns of `INSERT … RETURNING` only after the execution.
            let columnCount = Int(mysql_stmt_field_count(handle))
            if columns.isEmpty, columnCount > 0, let fields = handle.pointee.fields {
                let fields = UnsafeBufferPointer(start: fields, count: columnCount)
                columns = fields.map(Self.column)
                results = ResultBindings(fields: Array(fields))
            }
            guard !columns.isEmpty else {
                state = .done
                return
            }
            // From here on, rows may be on the socket, and `reset()` must read them.
            hasUnreadRows = true
            guard hasPreparedColumns else {
                hasOtherColumns = true
                state = .failed(.otherColumns(than: columns, statement: sql))
                return
            }
            // The type of an expression such as `:name AS name` is known only after the execution and may differ
            // between executions.
            if let fields = handle.pointee.fields {
                let fields = UnsafeBufferPointer(start: fields, count: columns.count)
                if !results.fit(fields) {
                    columns = fields.map(Self.column)
                    results = ResultBindings(fields: Array(fields))
                }
            }
            state = mysql_stmt_bind_result(handle, results.bindings) == 0 ? .rows : .failed(failure())
        }

        /// True if a change of a table has changed the columns. The statement must then be discarded.
        private(set) var hasOtherColumns = false

        /// True if the columns of the answer have the number and the names of the prepared columns. The library reports
        /// only some differences in their number, and never updates the names in `fields` of the statement.
        private var hasPreparedColumns: Bool {
            guard mysql_stmt_field_count(handle) == UInt32(columns.count) else { return false }
            guard let prepared = handle.pointee.fields, let current = connection.handle.pointee.fields else {
                return true
            }
            return columns.indices.allSatisfy { index in
                guard let name = prepared[index].name, let currentName = current[index].name else { return true }
                return strcmp(name, currentName) == 0
            }
        }

        /// True if the server has sent rows that are unread.
        private(set) var hasUnreadRows = false

        /// The number of rows that the execution changed.
        var changes: Int { Int(clamping: mysql_stmt_affected_rows(handle)) }

        /// Reads the remaining rows from the socket into memory, so that the connection can be used for another
        /// request.
        func bufferRemainingRows() {
            guard hasUnreadRows else { return }
            hasUnreadRows = false
            // When another statement's buffered result ends, the library resets its status, although these rows are
            // still on the socket.
            connection.handle.pointee.status = MYSQL_STATUS_STMT_RESULT
            if case .failed = state {
                mysql_stmt_free_result(handle)
            } else if mysql_stmt_store_result(handle) == 0 {
                isBuffered = true
            } else {
                state = .failed(failure())
            }
        }

        /// - Returns: True if the statement has returned a row; false at the end.
        func step() throws -> Bool {
            if case .started = state { try connection.awaitAnswer(of: self) }
            switch state {
            case .rows: break
            case .failed(let error):
                state = .done
                throw error
            case .idle, .done: return false
            // The connection ended before the answer arrived. The caller must not take this for an empty result.
            case .started: throw DatabaseError(.connectionLost, "the server sent no answer", statement: sql)
            }
            switch isBuffered ? mysql_stmt_fetch(handle) : connection.socketWatch.waiting({ mysql_stmt_fetch(handle) })
            {
            case 0: return true
            case MYSQL_NO_DATA:
                state = .done
                hasUnreadRows = false
                connection.finishedStreaming(self)
                return false
            case MYSQL_DATA_TRUNCATED:
                try results.refetchTruncated(handle) { failure() }
                return true
            default:
                // The server ended the rows with an error.
                let error = failure()
                state = .done
                hasUnreadRows = false
                connection.finishedStreaming(self)
                throw error
            }
        }

        /// See ``ResultSet/forEachRow(_:into:_:)``.
        func forEachRow(
            _ columns: UnsafeBufferPointer<Int>, into values: UnsafeMutablePointer<ColumnValue>,
            counting rows: inout Int,
            _ body: () -> Bool
        ) throws -> Bool {
            while try step() {
                rows += 1
                let results = results
                for index in 0..<columns.count { (values + index).initialize(to: results.value(columns[index])) }
                guard body() else { return false }
            }
            return true
        }

        /// Returns the value of a column of the current row. The value is valid until the next ``step()`` or
        /// ``reset()``.
        @inline(__always)
        func column(_ index: Int) -> ColumnValue { results.value(index) }

        /// Prepares for the next execution. Unread rows are read and discarded.
        func reset() {
            if case .started = state {
                connection.forget(self)
                // The statement's answer must be read before later answers. No caller waits for this answer, so a
                // failure is ignored.
                if connection.isUnanswered(self) { try? connection.awaitAnswer(of: self) }
            }
            if case .idle = state { return }
            if !columns.isEmpty {
                // To free a result, the library reads all rows from the socket, even if they belong to another
                // statement.
                connection.makeWay(for: self)
                // The library frees buffered rows from the current position, so a result that was read to its end must
                // be rewound.
                if isBuffered { mysql_stmt_data_seek(handle, 0) }
                if hasUnreadRows { connection.handle.pointee.status = MYSQL_STATUS_STMT_RESULT }
                connection.socketWatch.waiting { _ = mysql_stmt_free_result(handle) }
                connection.finishedStreaming(self)
                results.shrink()
            }
            isBuffered = false
            hasUnreadRows = false
            state = .idle
        }

        private func failure() -> DatabaseError {
            .mariaDB(statement: handle, of: connection.handle, sql)
        }
    }

    extension DatabaseError {
        /// Returns the error of a statement's handle, or the connection's error if reading rows failed.
        fileprivate static func mariaDB(
            statement: UnsafeMutablePointer<MYSQL_STMT>, of connection: UnsafeMutablePointer<MYSQL>, _ sql: String
        ) -> DatabaseError {
            guard mysql_stmt_errno(statement) == 0 else {
                return .mariaDB(
                    mysql_stmt_errno(statement), state: mysql_stmt_sqlstate(statement),
                    message: mysql_stmt_error(statement), statement: sql)
            }
            guard mysql_errno(connection) == 0 else {
                return .mariaDB(
                    mysql_errno(connection), state: mysql_sqlstate(connection), message: mysql_error(connection),
                    statement: sql)
            }
            return DatabaseError(.failed, "the client library reported no reason", statement: sql)
        }
    }

    /// Statements that are no longer needed. They are closed only while no answer is outstanding, because closing a
    /// statement makes the library discard the unread rows of other statements.
    final class ClosedStatements {
        private var handles: [UnsafeMutablePointer<MYSQL_STMT>] = []
        /// True if the connection is closed, so that closing a statement only frees memory.
        var isConnectionClosed = false

        func add(_ handle: UnsafeMutablePointer<MYSQL_STMT>) {
            if isConnectionClosed { mysql_stmt_close(handle) } else { handles.append(handle) }
        }

        func closeAll() {
            guard !handles.isEmpty else { return }
            for handle in handles { mysql_stmt_close(handle) }
            handles.removeAll()
        }
    }
#endif
