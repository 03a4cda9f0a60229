internal import CDuetSQLite

extension DatabaseError {
    /// Returns the error for a SQLite result code (sqlite.org/rescode.html).
    /// - Parameter connection: The connection that provides the message; `nil` if no connection was opened.
    static func sqlite(_ result: Int32, _ connection: OpaquePointer?, statement: String? = nil) -> DatabaseError {
        let extended = connection.map { sqlite3_extended_errcode($0) } ?? result
        // `extended` is the code of the connection's last call. If its primary code differs from that of `result`, the
        // last call is not the one that returned `result`.
        let code = extended & 0xFF == result & 0xFF ? extended : result
        let text =
            connection.flatMap { code == extended ? sqlite3_errmsg($0) : nil } ?? sqlite3_errstr(result)
        let message = text.map { String(cString: $0) } ?? "unknown error"
        // SQLite implements RESTRICT as a trigger and reports SQLITE_CONSTRAINT_TRIGGER (1811). Only the message
        // distinguishes this error from the error of a user's trigger.
        let restricts = code == 1811 && message.hasPrefix("FOREIGN KEY")
        let kind: DatabaseError.Code =
            if restricts {
                .foreignKeyViolation
            } else if message.hasPrefix("no such table") {
                .missingTable
            } else if message.hasPrefix("no such column") {
                .missingColumn
            } else {
                kind(of: code)
            }
        return DatabaseError(
            kind, message, backendCode: String(code), statement: statement)
    }

    /// SQLITE_CONSTRAINT_FUNCTION, which SQLite reserves for the errors of functions (sqlite.org/rescode.html).
    static let changedValueCode: Int32 = 1043

    /// SQLITE_MISMATCH with an extended code that SQLite does not use, for the errors of ``SQLiteAggregates``.
    static let invalidNumberCode: Int32 = SQLITE_MISMATCH | 1 << 8
    /// An extended code of SQLITE_MISMATCH that SQLite does not use.
    static let invalidValueCode = SQLITE_MISMATCH | 77 << 8

    private static func kind(of code: Int32) -> Code {
        switch code {
        case invalidNumberCode: .invalidNumber
        case changedValueCode: .changedValue
        case invalidValueCode: .invalidValue
        case 1555, 2067, 2579: .uniqueViolation  // PRIMARYKEY, UNIQUE, ROWID
        case 787: .foreignKeyViolation
        default:
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG: .constraintViolation
            case SQLITE_READONLY: .readOnly
            case SQLITE_FULL: .full
            case SQLITE_IOERR: .ioError
            case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .unavailable
            case SQLITE_INTERRUPT: .timeout
            case SQLITE_ERROR: .syntax
            default: .failed
            }
        }
    }
}
