import DuetGraphQL
import DuetHTTPServer
import DuetPersistedDocuments
import DuetPersistedQueries
package import DuetSQLDatabase
import HTTPTypes
package import Logging

/// An event of the server. The ``Observer`` writes log lines and counts metrics from these events, and from the events
/// of the server's database (`DatabaseObservation`).
enum ServerObservation: Sendable {
    /// The head of a request has arrived.
    case requestBegan
    /// The response to a request has ended, including a streamed body, with or without an error. `bytes` is the number
    /// of bytes of the body that were passed to the connection.
    case request(
        id: String, style: RequestStyle, method: HTTPRequest.Method, target: String, status: Int, bytes: Int,
        nanoseconds: UInt64)
    /// A request ended without a response.
    case requestAbandoned(id: String)
    /// An error whose details the client does not receive.
    case failure(requestID: String, any Error)
    /// The database rejected a change. The client does not receive the message of the database.
    case rejection(requestID: String, String)
    /// A response ended prematurely, because the client disconnected or read too slowly.
    case cutOff(requestID: String, any Error)
    case connection(ConnectionObservation)
    case persistedQuery(PersistedQueryObservation)
    /// A client has sent a document with a hash that does not match the text of the document.
    case persistedQueryMismatch
    /// An operation of a manifest cannot be executed.
    case listedQueryUnusable(id: String, source: String, GraphQLErrors)
}

typealias ServerObserver = @Sendable (ServerObservation) -> Void

/// Writes observations to the log and counts them.
package struct Observer: Sendable {
    private let logger: Logger
    let values: LogValues
    let metrics: ServerMetrics
    /// True if statements are logged. The check avoids creating a log message for each of thousands of statements.
    private let logsStatements: Bool
    private let logsRequests: Bool
    /// Limits the log while the store of persisted queries is unavailable, because each request would log the failure.
    private let storeFailures = LogThrottle<PersistedQueryObservation.Purpose>(.seconds(10))
    /// Limits the log of invalid dates, such as 0000-00-00, because each read of a row with such a date would log them.
    private let zeroDates = LogThrottle<Bool>(.seconds(60))
    /// Limits the log of values that do not have the type of their field.
    private let nullifiedValues = LogThrottle<Bool>(.seconds(60))
    /// Limits the log while a replica fails.
    private let failedReplicas = LogThrottle<Bool>(.seconds(10))
    /// Limits the log while the collector of traces is unavailable.
    private let failedExports = LogThrottle<Bool>(.seconds(60))
    private let fullBuffers = LogThrottle<Bool>(.seconds(60))

    /// Creates an observer.
    /// - Parameters:
    ///   - values: The policy for values in the log.
    ///   - metrics: The factory of the observer's metrics. No other observer may use this factory.
    package init(
        logger: Logger, values: LogValues = .included, metrics: PrometheusMetricsFactory = PrometheusMetricsFactory()
    ) {
        self.logger = logger
        self.values = values
        self.metrics = ServerMetrics(metrics)
        logsStatements = logger.logLevel <= .trace
        logsRequests = logger.logLevel <= .debug
    }

    /// Handles an observation of the database.
    package func database(_ observation: DatabaseObservation) {
        metrics.count(observation)
        switch observation {
        case .statement(let sql, let rows, let nanoseconds, let failed, _):
            guard logsStatements else { return }
            logger.trace(
                "Statement",
                metadata: ["sql": "\(sql)", "rows": "\(rows)", "us": "\(nanoseconds / 1000)", "failed": "\(failed)"])
        case .statementCacheMiss(let sql):
            guard logsStatements else { return }
            logger.trace("Statement prepared", metadata: ["sql": "\(sql)"])
        case .connectionOpened(let nanoseconds):
            logger.debug("Database connection opened", metadata: ["us": "\(nanoseconds / 1000)"])
        case .connectionClosed(let reason):
            logger.debug("Database connection closed", metadata: ["reason": "\(reason)"])
        case .readRetried(let error):
            logger.notice("Database connection lost; read retried", metadata: ["error": "\(values.text(error))"])
        case .movedToPrimary(.positionNotReached):
            logger.debug("Read on the primary, because the replica is behind the position of the client")
        case .primaryChanged(let url):
            logger.warning("Another database server receives the writes", metadata: ["server": "\(url)"])
        case .movedToPrimary(.connection(let error)):
            guard let heldBack = failedReplicas.admit(true) else { return }
            logger.warning(
                "Read on the primary, because a replica failed",
                metadata: ["error": "\(values.text(error))", "not_logged": "\(heldBack)"])
        case .zeroDates(let count, let sql):
            guard let heldBack = zeroDates.admit(true) else { return }
            logger.warning(
                "Invalid dates, such as 0000-00-00, are null in responses",
                metadata: ["values": "\(count)", "sql": "\(sql)", "not_logged": "\(heldBack)"])
        case .nullifiedValues(let count, let sql):
            guard let heldBack = nullifiedValues.admit(true) else { return }
            logger.warning(
                "Values that do not have the type of their field are null in responses",
                metadata: ["values": "\(count)", "sql": "\(sql)", "not_logged": "\(heldBack)"])
        case .statementCacheHit, .acquired: break
        }
    }

    /// Handles an observation of the token keys at a URL.
    package func tokenKeys(_ observation: RemoteKeySet.Observation) {
        switch observation {
        case .changed(let address, let keys, let warnings):
            logger.info("Token keys fetched", metadata: ["url": "\(address)", "keys": "\(keys)"])
            for warning in warnings {
                logger.warning("Token key skipped", metadata: ["url": "\(address)", "reason": "\(warning)"])
            }
        case .failed(let address, let reason, let hasKeys):
            logger.warning(
                hasKeys
                    ? "The token keys could not be fetched again; the last keys remain in use"
                    : "The token keys could not be fetched; the server is not ready",
                metadata: ["url": "\(address)", "reason": "\(reason)"])
        }
    }

    /// Handles an observation of the export of traces.
    package func traces(_ observation: OTLPExporter.Observation) {
        metrics.count(observation)
        switch observation {
        case .exported, .dropped(_, .notAccepted): break
        case .dropped(let spans, .bufferFull):
            guard let heldBack = fullBuffers.admit(true) else { return }
            logger.warning(
                "Spans were dropped, because the collector is too slow",
                metadata: ["spans": "\(spans)", "not_logged": "\(heldBack)"])
        case .failed(let url, let reason):
            guard let heldBack = failedExports.admit(true) else { return }
            logger.warning(
                "Spans could not be sent to the collector",
                metadata: ["url": "\(url)", "reason": "\(reason)", "not_logged": "\(heldBack)"])
        }
    }

    func callAsFunction(_ observation: ServerObservation) {
        metrics.count(observation)
        switch observation {
        case .requestBegan: break
        case .requestAbandoned(let id):
            logger.debug("Request abandoned", metadata: ["request_id": "\(id)"])
        case .request(let id, _, let method, let target, let status, _, let nanoseconds):
            guard logsRequests else { return }
            logger.debug(
                "Request",
                metadata: [
                    "request_id": "\(id)", "method": "\(method.rawValue)",
                    "target": "\(values.target(target).prefix(500))",
                    "status": "\(status)", "us": "\(nanoseconds / 1000)",
                ])
        case .failure(let id, let error):
            logger.error("Request failed", metadata: ["request_id": "\(id)", "error": "\(values.text(error))"])
        case .rejection(let id, let message):
            // The message can contain values of rows.
            guard case .included = values else { return }
            logger.notice("Change rejected by the database", metadata: ["request_id": "\(id)", "reason": "\(message)"])
        case .cutOff(let id, let error):
            logger.debug("Response cut off", metadata: ["request_id": "\(id)", "error": "\(values.text(error))"])
        case .connection(.refused(let problem, let requestID)):
            logger.debug(
                "Request refused", metadata: ["request_id": "\(requestID ?? "-")", "problem": "\(problem)"])
        case .persistedQuery(.storeFailed(let purpose, let error)):
            guard let heldBack = storeFailures.admit(purpose) else { return }
            logger.warning(
                "The store of persisted queries failed",
                metadata: [
                    "purpose": "\(purpose.rawValue)", "error": "\(values.text(error))", "not_logged": "\(heldBack)",
                ])
        case .listedQueryUnusable(let id, let source, let errors):
            logger.warning(
                "An operation of a manifest cannot be executed",
                metadata: [
                    "manifest": "\(source)", "id": "\(id)",
                    "errors": "\(errors.map(\.description).joined(separator: "; "))",
                ])
        case .persistedQuery, .persistedQueryMismatch: break
        case .connection(let observation):
            logger.debug("Connection closed", metadata: ["reason": "\(observation)"])
        }
    }
}
