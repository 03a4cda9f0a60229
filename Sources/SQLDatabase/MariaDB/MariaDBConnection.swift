internal import CMariaDB
import DequeModule
import Foundation

/// One `MYSQL` handle. Commands are queued and sent together with the next statement, and the answers of several
/// statements sent together are read one after the other: so a transaction of several reads is one round trip.
final class MariaDBConnection {
    typealias Handle = UnsafeMutablePointer<MYSQL>

    /// Something the server is asked; its answers come in the order of the questions.
    private enum Request {
        case command(String)
        case statement(MariaDBStatement)
    }

    let handle: Handle
    /// The server's number of this connection, for `KILL QUERY`.
    let threadID: UInt
    private var unsent: [Request] = []
    private var unanswered: Deque<Request> = []
    /// The statement whose rows are still on the wire.
    private var streaming: MariaDBStatement?
    /// Writes followed by a wait for an answer, since the connection was opened.
    private(set) var roundTrips = 0
    private var hasUnreadBurst = false
    /// What the session's `max_statement_time` will be once the queue is sent; nanoseconds.
    private var statementTimeout: UInt64?

    private static let libraryReady: Bool = mysql_server_init(0, nil, nil) == 0

    /// - Throws: ``DatabaseError`` with code `unavailable` when the server cannot be reached or refuses.
    init(_ location: DatabaseURL.MariaDBLocation, configuration: DatabaseConfiguration) throws {
        guard Self.libraryReady, let handle = mysql_init(nil) else {
            throw DatabaseError(.failed, "the MariaDB client library cannot be initialised")
        }
        self.handle = handle
        var connectTimeout = UInt32(clamping: max(1, configuration.connectTimeout.components.seconds))
        mysql_options(handle, MYSQL_OPT_CONNECT_TIMEOUT, &connectTimeout)
        if let statementTimeout = configuration.statementTimeout {
            // The server stops the statement first; this only ends the wait for a server that is gone.
            var readTimeout = UInt32(clamping: statementTimeout.components.seconds + 10)
            mysql_options(handle, MYSQL_OPT_READ_TIMEOUT, &readTimeout)
            mysql_options(handle, MYSQL_OPT_WRITE_TIMEOUT, &readTimeout)
        }
        mysql_options(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4")
        // Quotes are quoted by doubling alone, as in SQLite and as ``Parameters`` reads them.
        statementTimeout = configuration.statementTimeout?.nanoseconds
        let session =
            "SET SESSION sql_mode = CONCAT('NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,'"
            + ", 'ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'), time_zone = '+00:00',"
            + " tx_isolation = 'REPEATABLE-READ', max_statement_time = \(Self.seconds(statementTimeout))"
        mysql_options(handle, MYSQL_INIT_COMMAND, session)
        if location.requiresTLS {
            var enforce: CChar = 1
            mysql_options(handle, MYSQL_OPT_SSL_ENFORCE, &enforce)
        }
        let connected = mysql_real_connect(
            handle, location.socket == nil ? location.host : nil, location.user, location.password, location.database,
            UInt32(clamping: location.port), location.socket, UInt(CLIENT_FOUND_ROWS))
        guard connected != nil else {
            let error = DatabaseError.mariaDB(
                mysql_errno(handle), state: mysql_sqlstate(handle), message: mysql_error(handle))
            mysql_close(handle)
            threadID = 0
            let code: DatabaseError.Code = error.isConnectionLost ? .unavailable : error.code
            throw DatabaseError(
                code, "the MariaDB server cannot be used: \(error.message)", backendCode: error.backendCode)
        }
        threadID = UInt(mysql_thread_id(handle))
    }

    deinit {
        mysql_close(handle)
    }

    func prepare(_ sql: String) throws -> MariaDBStatement {
        // Preparing waits for an answer of its own, so whatever is under way is read first.
        try flush()
        try readAllAnswers()
        roundTrips += 1
        return try MariaDBStatement(sql, on: self)
    }

    /// Queues a command whose answer is only success or failure; it travels with the next ``flush()``.
    func enqueue(_ command: String) {
        unsent.append(.command(command))
    }

    /// Queues the change of the session's time-out, if it is one.
    func setStatementTimeout(_ timeout: UInt64?) {
        guard timeout != statementTimeout else { return }
        statementTimeout = timeout
        enqueue("SET SESSION max_statement_time = \(Self.seconds(timeout))")
    }

    /// `max_statement_time` in seconds; 0 is none.
    private static func seconds(_ timeout: UInt64?) -> Double {
        timeout.map { max(0.001, Double($0) / 1e9) } ?? 0
    }

    /// Closes the socket under the library, so that whatever it tries next fails at once instead of reading on.
    func abandon() {
        shutdown(mysql_get_socket(handle), Int32(SHUT_RDWR))
    }

    /// Queues a bound statement.
    func enqueue(_ statement: MariaDBStatement) {
        unsent.append(.statement(statement))
    }

    /// Sends what is queued, without waiting for answers.
    func flush() throws {
        guard !unsent.isEmpty else { return }
        try bufferStreaming()
        let requests = unsent
        unsent.removeAll(keepingCapacity: true)
        hasUnreadBurst = true
        for request in requests {
            switch request {
            case .command(let text):
                guard mysql_send_query(handle, text, UInt(text.utf8.count)) == 0 else { throw failure(text) }
            case .statement(let statement):
                try statement.send()
            }
            unanswered.append(request)
        }
    }

    /// Reads answers up to and including that of `statement`.
    func awaitAnswer(of statement: MariaDBStatement) throws {
        try flush()
        while let request = unanswered.first {
            try bufferStreaming()
            countRoundTrip()
            unanswered.removeFirst()
            switch request {
            case .command(let text): try readAnswer(of: text)
            case .statement(let answered):
                try answered.readAnswer()
                if answered.hasRows { streaming = answered }
                if answered === statement { return }
            }
        }
    }

    /// Runs a command and waits for its answer.
    func run(_ command: String) throws {
        enqueue(command)
        try flush()
        try readAllAnswers()
    }

    /// Reads all answers that are outstanding; rows nobody asked for are kept by their statements.
    func readAllAnswers() throws {
        while let request = unanswered.first {
            try bufferStreaming()
            countRoundTrip()
            unanswered.removeFirst()
            switch request {
            case .command(let text): try readAnswer(of: text)
            case .statement(let statement):
                try statement.readAnswer()
                if statement.hasRows { streaming = statement }
            }
        }
        try bufferStreaming()
    }

    /// A queued request that has not been sent is dropped; one that has been sent stays, for its answer will come.
    func forget(_ statement: MariaDBStatement) {
        unsent.removeAll { if case .statement(let queued) = $0 { queued === statement } else { false } }
        if streaming === statement { streaming = nil }
    }

    func finishedStreaming(_ statement: MariaDBStatement) {
        if streaming === statement { streaming = nil }
    }

    func isUnanswered(_ statement: MariaDBStatement) -> Bool {
        unanswered.contains { if case .statement(let sent) = $0 { sent === statement } else { false } }
    }

    func ping() throws {
        roundTrips += 1
        guard mysql_ping(handle) == 0 else { throw failure(nil) }
    }

    private func bufferStreaming() throws {
        guard let statement = streaming else { return }
        streaming = nil
        try statement.bufferRemainingRows()
    }

    private func countRoundTrip() {
        if hasUnreadBurst { roundTrips += 1 }
        hasUnreadBurst = false
    }

    private func readAnswer(of command: String) throws {
        guard mysql_read_query_result(handle) == 0 else { throw failure(command) }
        if let result = mysql_use_result(handle) { mysql_free_result(result) }
    }

    private func failure(_ statement: String?) -> DatabaseError {
        .mariaDB(
            mysql_errno(handle), state: mysql_sqlstate(handle), message: mysql_error(handle), statement: statement)
    }
}
