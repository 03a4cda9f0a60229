/// An error of a database, independent of the backend. It is the only error type of this module.
public struct DatabaseError: Error, Sendable {
    /// The kind of failure. A later version may add codes, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name, in lower case with hyphens.
        public let rawValue: String
        /// - Parameter rawValue: The name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The database cannot be reached, or refused the connection.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The connection was lost while in use.
        public static let connectionLost = Code(rawValue: "connection-lost")
        /// No connection became free within the pool's acquire timeout, or the pool's queue is full.
        public static let poolExhausted = Code(rawValue: "pool-exhausted")
        /// The pool has been closed.
        public static let closed = Code(rawValue: "closed")
        /// A statement exceeded its time limit, or the transaction's ``Deadline`` passed. The transaction was rolled
        /// back.
        public static let timeout = Code(rawValue: "timeout")
        /// COMMIT was sent, but the answer was lost or did not report the outcome. The write may have been committed.
        public static let commitOutcomeUnknown = Code(rawValue: "commit-outcome-unknown")
        /// A statement was stopped because its task was canceled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// Another transaction held a lock of the database for too long.
        public static let busy = Code(rawValue: "busy")
        /// A row with this primary or unique key already exists.
        public static let uniqueViolation = Code(rawValue: "unique-violation")
        /// A foreign key refers to no row, or a row to delete is still referenced.
        public static let foreignKeyViolation = Code(rawValue: "foreign-key-violation")
        /// Another constraint was violated: NOT NULL, CHECK, or the type or length of a column.
        public static let constraintViolation = Code(rawValue: "constraint-violation")
        /// A value that a statement refers to by its digest has changed, or its row has been deleted.
        public static let changedValue = Code(rawValue: "changed-value")
        /// A computation found a value that is not a number of its type, or its result is out of range.
        public static let invalidNumber = Code(rawValue: "invalid-number")
        /// A statement computes with the values of a field, and a stored value does not have the type of the field.
        public static let invalidValue = Code(rawValue: "invalid-value")
        /// The database does not accept writes: its file, server or transaction is read-only.
        public static let readOnly = Code(rawValue: "read-only")
        /// The database has no space left: the disk, a quota or a table is full.
        public static let full = Code(rawValue: "full")
        /// The database could not read or write its files.
        public static let ioError = Code(rawValue: "io-error")
        /// The arguments do not match the statement's parameters, or an argument is invalid.
        public static let parameter = Code(rawValue: "parameter")
        /// The statement is not valid SQL for this database.
        public static let syntax = Code(rawValue: "syntax")
        /// A table that the statement names does not exist.
        public static let missingTable = Code(rawValue: "missing-table")
        /// A column that the statement names does not exist, or a view can no longer be read.
        public static let missingColumn = Code(rawValue: "missing-column")
        /// The file is not a database, or is damaged.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The requested data exceeds a memory limit.
        public static let tooLarge = Code(rawValue: "too-large")
        /// A statement has examined more rows than the limit of the transaction permits.
        public static let scanTooLarge = Code(rawValue: "scan-too-large")
        /// A database URL is invalid.
        public static let url = Code(rawValue: "url")
        /// Any other failure.
        public static let failed = Code(rawValue: "failed")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable description of the failure.
    public var message: String
    /// The backend's code: MariaDB's `SQLSTATE/errno` (`23000/1062`) or SQLite's extended result code (`1555`).
    public var backendCode: String?
    /// The statement's text with its placeholders. It never contains the bound values.
    public var statement: String?
    /// The name of the API's resource whose rows the statement reads, if the caller has set it.
    public var source: String?
    /// True if a statement of SQLite failed because another connection held a lock. It is always false on MariaDB.
    public var waitedForLock = false

    /// Creates an error. An error without a backend code comes from this module.
    public init(_ code: Code, _ message: String, backendCode: String? = nil, statement: String? = nil) {
        self.code = code
        self.message = message
        self.backendCode = backendCode
        self.statement = statement
    }

    /// True if the transaction was chosen as the victim of a deadlock. The other transaction continues, and the victim
    /// can be retried immediately.
    public var isDeadlock: Bool { backendCode?.hasSuffix("/1213") == true }

    /// True if the database has rolled back the whole transaction, and not only the failed statement: the transaction
    /// was the victim of a deadlock, would have changed a row that its snapshot does not show, or ran on a node of a
    /// Galera cluster that has left the cluster (1047).
    var endsTransaction: Bool {
        isDeadlock || backendCode?.hasSuffix("/1020") == true || backendCode?.hasSuffix("/1047") == true
    }

    /// True if the cause is another transaction: a deadlock, a lock that another transaction held for too long, or a
    /// row that another transaction has changed since the snapshot. The same transaction can succeed if it is repeated.
    public var isTransient: Bool { code == .busy && backendCode != nil }

    /// Returns the error with a ``source``. If the error already has a source, the source is retained.
    package func reading(_ source: String?) -> DatabaseError {
        guard self.source == nil else { return self }
        var error = self
        error.source = source
        return error
    }

    /// The name of the table or column that does not exist; nil for any other error, or if the message does not contain
    /// the name.
    public var missingName: String? {
        let found: Substring? =
            switch code {
            case .missingTable:
                message.firstMatch(of: /(?:^|: )no such table: (.+)/)?.1
                    ?? message.firstMatch(of: /Table '(.+)' doesn't exist/)?.1
            case .missingColumn:
                message.firstMatch(of: /(?:^|: )no such column: (.+)/)?.1
                    ?? message.firstMatch(of: /Unknown column '(.+)' in/)?.1
            default: nil
            }
        // The schema of a table or the alias of a column may precede the name, followed by a period.
        return found.map { String($0.split(separator: ".", maxSplits: 1).last ?? $0) }
    }

    /// The text before the name of the field in the message of an error with the code `invalid-value`.
    package static let invalidValueMark = "duet-value("

    /// The name of the field in an error with the code `invalid-value`, and a description of the value if the database
    /// reports the value; nil for any other error.
    package var invalidValue: (field: String, value: String?)? {
        guard code == .invalidValue, let start = message.firstRange(of: Self.invalidValueMark),
            let end = message[start.upperBound...].firstIndex(of: ")")
        else { return nil }
        let rest = message[message.index(after: end)...]
        return (String(message[start.upperBound..<end]), rest.hasPrefix(": ") ? String(rest.dropFirst(2)) : nil)
    }

    /// True if the connection was lost, so that a read can be retried on a new connection.
    public var isConnectionLost: Bool { code == .connectionLost }

    /// True if SQLite could not sync a file or directory to the disk (`SQLITE_IOERR_FSYNC`, `SQLITE_IOERR_DIR_FSYNC`).
    var isFailedSync: Bool { code == .ioError && (backendCode == "1034" || backendCode == "1290") }

    /// The error for a failure during a COMMIT that may have taken effect.
    var duringCommit: DatabaseError {
        DatabaseError(
            .commitOutcomeUnknown, "COMMIT was not confirmed: \(message)", backendCode: backendCode, statement: "COMMIT"
        )
    }

    /// The error of a statement that has examined more rows than the limit.
    static func scanTooLarge(limit: Int?, statement: String?) -> DatabaseError {
        DatabaseError(
            .scanTooLarge, "the statement examines more rows than the limit" + (limit.map { " of \($0)" } ?? ""),
            statement: statement)
    }

    /// The error of a transaction that ended because its ``Deadline`` passed.
    static var deadlinePassed: DatabaseError {
        DatabaseError(.timeout, "the transaction did not end before its deadline")
    }
}

extension DatabaseError: CustomStringConvertible {
    /// The message, the backend's code and the statement, on one line.
    public var description: String {
        var text = message
        if let backendCode { text += " [\(backendCode)]" }
        if let statement { text += "; statement: \(statement)" }
        return text
    }
}

/// An error whose description can contain values of rows or of requests.
package protocol ValueBearingError: Error {
    /// The description without these values, for logs.
    var descriptionWithoutValues: String { get }
}

extension DatabaseError: ValueBearingError {
    /// The codes of failures that do not depend on values. The database does not quote values in their messages.
    private static let codesWithoutValues: Set<Code> = [
        .unavailable, .connectionLost, .poolExhausted, .closed, .timeout, .cancelled, .busy, .readOnly, .full, .ioError,
        .missingTable, .missingColumn, .corrupt, .scanTooLarge,
    ]

    /// The description. If the message of the database can quote values, as in `Duplicate entry 'x' for key`, the name
    /// of the code replaces the message.
    package var descriptionWithoutValues: String {
        guard !Self.codesWithoutValues.contains(code) else { return description }
        var error = self
        error.message = "the database reports \(code)"
        return error.description
    }
}
