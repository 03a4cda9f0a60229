internal import CMariaDB
import Foundation

/// One prepared statement of MariaDB.
final class MariaDBStatement {
    private enum State {
        case idle
        /// Bound, and queued or sent; the answer has not been read.
        case started
        /// The answer has been read and rows follow, on the wire or in memory.
        case rows
        case done
    }

    let sql: String
    let columns: [Column]
    let parameterCount: Int
    private let handle: UnsafeMutablePointer<MYSQL_STMT>
    private unowned let connection: MariaDBConnection
    private var parameters: ParameterBindings
    private let results: ResultBindings
    private var state = State.idle

    init(_ sql: String, on connection: MariaDBConnection) throws {
        guard let handle = mysql_stmt_init(connection.handle) else {
            throw DatabaseError(.failed, "out of memory", statement: sql)
        }
        self.sql = sql
        self.connection = connection
        self.handle = handle
        guard mysql_stmt_prepare(handle, sql, UInt(sql.utf8.count)) == 0 else {
            let error = Self.failure(handle, sql)
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
        mysql_stmt_close(handle)
    }

    private static func column(_ field: MYSQL_FIELD) -> Column {
        let kind: Column.Kind =
            switch field.type {
            case MYSQL_TYPE_TINY, MYSQL_TYPE_SHORT, MYSQL_TYPE_INT24, MYSQL_TYPE_LONG, MYSQL_TYPE_LONGLONG,
                MYSQL_TYPE_YEAR:
                .integer
            case MYSQL_TYPE_FLOAT, MYSQL_TYPE_DOUBLE: .double
            case MYSQL_TYPE_DATE, MYSQL_TYPE_NEWDATE: .date
            default: field.charsetnr == 63 && field.type != MYSQL_TYPE_NEWDECIMAL ? .blob : .text
            }
        return Column(name: field.name.map { String(cString: $0) } ?? "", kind: kind)
    }

    func bind(_ values: [SQLValue]) throws {
        // After a failed execution the handle holds its error; the next one starts afresh all the same.
        parameters.set(values)
        if parameterCount > 0, mysql_stmt_bind_param(handle, parameters.bindings) != 0 {
            throw Self.failure(handle, sql)
        }
        state = .started
    }

    /// Writes the execution to the socket, without waiting for its answer.
    func send() throws {
        guard let methods = handle.pointee.mysql?.pointee.methods,
            let generate = methods.pointee.db_execute_generate_request, let command = methods.pointee.db_command
        else { throw DatabaseError(.connectionLost, "the connection is closed", statement: sql) }
        var length = 0
        guard let request = generate(handle, &length, 0) else { throw Self.failure(handle, sql) }
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

    /// Reads whether the execution went well, and makes ready for its rows.
    func readAnswer() throws {
        guard let read = connection.handle.pointee.methods?.pointee.db_read_execute_response else {
            throw DatabaseError(.connectionLost, "the connection is closed", statement: sql)
        }
        guard read(handle) == 0 else {
            state = .done
            throw Self.failure(handle, sql)
        }
        guard !columns.isEmpty else {
            state = .done
            return
        }
        guard mysql_stmt_field_count(handle) == UInt32(columns.count) else {
            throw DatabaseError(.failed, "the columns of the statement have changed", statement: sql)
        }
        if mysql_stmt_bind_result(handle, results.bindings) != 0 { throw Self.failure(handle, sql) }
        state = .rows
    }

    var hasRows: Bool { state == .rows }
    /// Rows changed by the execution.
    var changes: Int { Int(clamping: mysql_stmt_affected_rows(handle)) }

    /// Takes the rows that are still on the wire into memory, so that the connection is free for something else.
    func bufferRemainingRows() throws {
        guard state == .rows else { return }
        if mysql_stmt_store_result(handle) != 0 { throw Self.failure(handle, sql) }
    }

    /// - Returns: whether there is a row.
    func step() throws -> Bool {
        if state == .started { try connection.awaitAnswer(of: self) }
        guard state == .rows else { return false }
        switch mysql_stmt_fetch(handle) {
        case 0: return true
        case MYSQL_NO_DATA:
            state = .done
            connection.finishedStreaming(self)
            return false
        case MYSQL_DATA_TRUNCATED:
            try results.refetchTruncated(handle) { Self.failure(handle, sql) }
            return true
        default: throw Self.failure(handle, sql)
        }
    }

    /// The column of the current row: valid until the next ``step()`` or ``reset()``.
    @inline(__always)
    func column(_ index: Int) -> ColumnValue { results.value(index) }

    /// Makes ready for the next execution. Rows that were not read are read and thrown away.
    func reset() {
        if state == .started {
            connection.forget(self)
            // Its answer comes before any other; a failure in it is nobody's concern any more.
            if connection.isUnanswered(self) { try? connection.awaitAnswer(of: self) }
        }
        if state != .idle, !columns.isEmpty { mysql_stmt_free_result(handle) }
        connection.finishedStreaming(self)
        state = .idle
    }

    private static func failure(_ handle: UnsafeMutablePointer<MYSQL_STMT>, _ sql: String) -> DatabaseError {
        .mariaDB(
            mysql_stmt_errno(handle), state: mysql_stmt_sqlstate(handle), message: mysql_stmt_error(handle),
            statement: sql)
    }
}
