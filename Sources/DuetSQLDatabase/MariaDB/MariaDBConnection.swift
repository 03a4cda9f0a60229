#if MariaDB
    internal import CDuetMariaDB
    import DequeModule
    import Foundation

    /// A connection of the client library, a `MYSQL` handle. Commands are queued and sent together with the next
    /// statement. The answers are read in the order of the requests. Several reads in one transaction can therefore
    /// take one round trip.
    final class MariaDBConnection: BackendConnection {
        typealias Handle = UnsafeMutablePointer<MYSQL>

        /// A request to the server. The answers arrive in the order of the requests.
        private enum Request {
            case command(String)
            case statement(MariaDBStatement)
        }

        let handle: Handle
        /// The server's ID of this connection, for `KILL`.
        let threadID: UInt
        let closedStatements = ClosedStatements()
        /// The state that the pool's watchdog observes.
        let socketWatch: ConnectionWatch
        var watch: ConnectionWatch? { socketWatch }
        private var unsent: [Request] = []
        private var unanswered: Deque<Request> = []
        /// The statement whose rows have not been fully read from the socket.
        private var streaming: MariaDBStatement?
        /// The number of network round trips since the connection was opened; see ``Connection/roundTrips``.
        private(set) var roundTrips = 0
        private var hasUnreadBurst = false
        /// The session's `max_statement_time` after the queue has been sent, in nanoseconds.
        private var statementTimeout: UInt64?

        private static let libraryReady: Bool = mysql_server_init(0, nil, nil) == 0

        /// Prepares the client library for a thread that uses connections.
        static func beginThread() { mysql_thread_init() }

        /// Releases the memory that the client library holds for the thread.
        static func endThread() { mysql_thread_end() }

        /// - Parameter readTimeout: The maximum time to wait for the server on a connection without a watchdog.
        /// - Throws: ``DatabaseError`` with the code `unavailable` if the server cannot be reached or refuses the
        ///   connection.
        init(
            _ location: DatabaseURL.MariaDBLocation, configuration: DatabaseConfiguration, readTimeout: Duration? = nil
        ) throws {
            guard Self.libraryReady, let handle = mysql_init(nil) else {
                throw DatabaseError(.failed, "the MariaDB client library cannot be initialized")
            }
            self.handle = handle
            statementTimeout = configuration.statementTimeout?.nanoseconds
            do {
                try Self.setOptions(handle, location, configuration, readTimeout)
            } catch {
                mysql_close(handle)
                throw error
            }
            let connected = mysql_real_connect(
                handle, location.socket == nil ? location.host : nil, location.user, location.password,
                location.database,
                UInt32(clamping: location.port), location.socket, UInt(CLIENT_FOUND_ROWS))
            guard connected != nil else {
                let error = DatabaseError.mariaDB(
                    mysql_errno(handle), state: mysql_sqlstate(handle), message: mysql_error(handle))
                mysql_close(handle)
                let code: DatabaseError.Code = error.isConnectionLost ? .unavailable : error.code
                throw DatabaseError(
                    code, "the MariaDB server cannot be used: \(error.message)", backendCode: error.backendCode)
            }
            do {
                try MariaDBSession.verify(handle)
                if configuration.access == .existing { try MariaDBSession.isolateSnapshots(handle) }
            } catch {
                mysql_close(handle)
                throw error
            }
            threadID = UInt(mysql_thread_id(handle))
            socketWatch = ConnectionWatch(socket: Int32(mysql_get_socket(handle)))
            socketWatch.setLimit(afterServers: statementTimeout)
            if location.socket == nil { keepWatch() }
        }

        private static func setOptions(
            _ handle: Handle, _ location: DatabaseURL.MariaDBLocation, _ configuration: DatabaseConfiguration,
            _ readTimeout: Duration?
        ) throws {
            let session = MariaDBSession.assignment(
                statementTimeout: seconds(configuration.statementTimeout?.nanoseconds),
                isReadOnly: configuration.isReadOnly)
            var connectTimeout = UInt32(clamping: max(1, configuration.connectTimeout.components.seconds))
            // The pool's watchdog ends waits that exceed a statement's timeout. The read timeout limits statements
            // without a timeout.
            var readTimeout = UInt32(clamping: readTimeout?.components.seconds ?? 24 * 60 * 60)
            var enforce: CChar = 1
            // Without this option, the host `localhost` would select the Unix socket and ignore the port.
            var transport = location.socket == nil ? MYSQL_PROTOCOL_TCP.rawValue : MYSQL_PROTOCOL_SOCKET.rawValue
            let results = [
                mysql_options(handle, MYSQL_OPT_CONNECT_TIMEOUT, &connectTimeout),
                mysql_options(handle, MYSQL_OPT_READ_TIMEOUT, &readTimeout),
                mysql_options(handle, MYSQL_OPT_WRITE_TIMEOUT, &readTimeout),
                mysql_options(handle, MYSQL_OPT_PROTOCOL, &transport),
                mysql_options(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4"),
                mysql_options(handle, MYSQL_INIT_COMMAND, session),
                location.requiresTLS ? mysql_options(handle, MYSQL_OPT_SSL_ENFORCE, &enforce) : 0,
            ]
            guard results.allSatisfy({ $0 == 0 }) else {
                throw DatabaseError(.failed, "the MariaDB client library rejects an option")
            }
        }

        /// Enables TCP keep-alive, so that the system detects a lost server while a statement runs without a time
        /// limit.
        private func keepWatch() {
            #if os(Linux)
                let socket = Int32(mysql_get_socket(handle))
                let options: [(level: Int32, name: Int32, value: Int32)] = [
                    (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 15),
                    (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5),
                    (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3), (Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 20_000),
                ]
                for option in options {
                    var value = option.value
                    // If the system does not support an option, the failure is ignored, and the system's own timeouts
                    // apply.
                    _ = setsockopt(socket, option.level, option.name, &value, socklen_t(MemoryLayout<Int32>.size))
                }
            #endif
        }

        deinit {
            socketWatch.close()
            mysql_close(handle)
            closedStatements.isConnectionClosed = true
            closedStatements.closeAll()
        }

        func begin(_ mode: TransactionMode, statementTimeout: UInt64?) throws {
            setStatementTimeout(statementTimeout)
            enqueue(
                mode == .writing
                    ? "START TRANSACTION" : "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
        }

        /// Commits a transaction. If the connection is lost before COMMIT is sent, nothing is written. If the
        /// connection is lost between COMMIT and its answer, it is unknown whether the server has committed.
        func commit(_ mode: TransactionMode) throws {
            try send("COMMIT")
            // No caller needs the answer to the COMMIT of a read. The connection reads this answer before the answer to
            // the next request.
            guard mode == .writing else { return }
            do {
                try readAllAnswers()
            } catch let error as DatabaseError
                where error.isConnectionLost || error.backendCode?.hasSuffix("/1180") == true
            {
                // Error 1180, "Got error … during COMMIT", does not say whether the transaction was committed.
                throw error.duringCommit
            }
        }

        func rollback() throws { try run("ROLLBACK") }

        func prepare(_ sql: String) throws -> any PreparedStatement {
            // Preparing waits for its own answer, so all outstanding answers are read first.
            try flush()
            try readAllAnswers()
            closedStatements.closeAll()
            roundTrips += 1
            return try socketWatch.waiting { try MariaDBStatement(sql, on: self) }
        }

        /// Queues a command that returns no rows. It is sent with the next ``flush()``.
        func enqueue(_ command: String) {
            unsent.append(.command(command))
        }

        /// Queues a change of the session's statement timeout, if `timeout` differs from the current value.
        private func setStatementTimeout(_ timeout: UInt64?) {
            guard timeout != statementTimeout else { return }
            statementTimeout = timeout
            socketWatch.setLimit(afterServers: timeout)
            enqueue("SET SESSION max_statement_time = \(Self.seconds(timeout))")
        }

        /// Returns a timeout in seconds, the unit of `max_statement_time`; 0 is no limit.
        private static func seconds(_ timeout: UInt64?) -> Double {
            timeout.map { max(0.001, Double($0) / 1e9) } ?? 0
        }

        /// Shuts down the socket, so that the library's next call fails immediately and does not read the remaining
        /// rows.
        func abandon() {
            socketWatch.breakOff()
        }

        /// Queues a bound statement.
        func enqueue(_ statement: MariaDBStatement) {
            unsent.append(.statement(statement))
        }

        /// Sends the queued requests without waiting for answers.
        func flush() throws {
            guard !unsent.isEmpty else { return }
            bufferStreaming()
            if unanswered.isEmpty { closedStatements.closeAll() }
            let requests = unsent
            unsent.removeAll(keepingCapacity: true)
            hasUnreadBurst = true
            for request in requests {
                try socketWatch.waiting { try send(request) }
                unanswered.append(request)
            }
        }

        private func send(_ request: Request) throws {
            switch request {
            case .command(let text):
                guard mysql_send_query(handle, text, UInt(text.utf8.count)) == 0 else { throw failure(text) }
            case .statement(let statement):
                try statement.send()
            }
        }

        /// Reads the outstanding answers up to and including the answer to `statement`.
        func awaitAnswer(of statement: MariaDBStatement) throws {
            try flush()
            while let request = unanswered.first {
                try readNextAnswer(request)
                if case .statement(let answered) = request, answered === statement { return }
            }
        }

        /// Queues a command and sends it without waiting. The next caller that waits for an answer first reads the
        /// answer to this command.
        private func send(_ command: String) throws {
            enqueue(command)
            try flush()
        }

        /// Runs a command and waits for its answer.
        func run(_ command: String) throws {
            enqueue(command)
            try flush()
            try readAllAnswers()
        }

        /// Reads all outstanding answers. Each statement stores its unread rows and its failure.
        private func readAllAnswers() throws {
            while let request = unanswered.first { try readNextAnswer(request) }
            bufferStreaming()
        }

        private func readNextAnswer(_ request: Request) throws {
            bufferStreaming()
            countRoundTrip()
            unanswered.removeFirst()
            switch request {
            case .command(let text): try socketWatch.waiting { try readAnswer(of: text) }
            case .statement(let statement):
                socketWatch.waiting { statement.readAnswer() }
                if statement.hasUnreadRows { streaming = statement }
            }
        }

        /// If the remaining rows on the socket belong to a statement other than `statement`, reads them into memory.
        func makeWay(for statement: MariaDBStatement) {
            if streaming !== statement { bufferStreaming() }
        }

        /// Removes the statement's request if it has not been sent. A sent request remains in the queue of unanswered
        /// requests, because its answer will arrive.
        func forget(_ statement: MariaDBStatement) {
            unsent.removeAll { if case .statement(let queued) = $0 { queued === statement } else { false } }
        }

        func finishedStreaming(_ statement: MariaDBStatement) {
            if streaming === statement { streaming = nil }
        }

        func isUnanswered(_ statement: MariaDBStatement) -> Bool {
            unanswered.contains { if case .statement(let sent) = $0 { sent === statement } else { false } }
        }

        func ping() throws {
            try readAllAnswers()
            roundTrips += 1
            guard socketWatch.waiting({ mysql_ping(handle) }) == 0 else { throw failure(nil) }
        }

        private func bufferStreaming() {
            guard let statement = streaming else { return }
            streaming = nil
            socketWatch.waiting { statement.bufferRemainingRows() }
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
#endif
