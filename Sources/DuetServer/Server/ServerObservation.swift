import DuetGraphQL
import DuetPersistedDocuments
import DuetPersistedQueries
package import DuetSQLDatabase
import HTTPSemantics
import HTTPTypes
package import Logging
package import PrometheusMetrics

/// Everything the server can be seen doing, besides what its database tells (`DatabaseObservation`). The log and the
/// metrics are fed from these two, and nothing else.
enum ServerObservation: Sendable {
    /// A request's head has come.
    case requestBegan
    /// A request is answered; where its body is made while it is sent, sent. The bytes are the body's.
    case request(
        id: String, style: RequestStyle, method: HTTPRequest.Method, target: String, status: Int, bytes: Int,
        nanoseconds: UInt64)
    /// A request that has begun gets no answer.
    case requestAbandoned(id: String)
    /// An error that a client hears little of.
    case failure(requestID: String, any Error)
    /// A response ended before its end, because the client left or read too slowly.
    case cutOff(requestID: String, any Error)
    case connection(ConnectionObservation)
    case persistedQuery(PersistedQueryObservation)
    /// A document came with a hash that is not its own.
    case persistedQueryMismatch
    /// An operation of a manifest cannot be answered, whoever asks for it.
    case listedQueryUnusable(id: String, source: String, GraphQLErrors)
}

typealias ServerObserver = @Sendable (ServerObservation) -> Void

/// Writes observations to the log and counts them.
package struct Observer: Sendable {
    private let logger: Logger
    let metrics: ServerMetrics
    /// Whether statements and requests are logged at all: they come by the thousand.
    private let logsStatements: Bool
    private let logsRequests: Bool
    /// While the store of persisted queries is down, each request notices.
    private let storeFailures = LogThrottle<PersistedQueryObservation.Purpose>(.seconds(10))
    /// Each read of such rows notices.
    private let zeroDates = LogThrottle<Bool>(.seconds(60))

    /// - Parameter metrics: has the series that are counted in; one observer's alone.
    package init(logger: Logger, metrics: PrometheusMetricsFactory = PrometheusMetricsFactory()) {
        self.logger = logger
        self.metrics = ServerMetrics(metrics)
        logsStatements = logger.logLevel <= .trace
        logsRequests = logger.logLevel <= .debug
    }

    /// For ``Database``.
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
            logger.notice("Database connection lost; read tried again", metadata: ["error": "\(error)"])
        case .zeroDates(let count, let sql):
            guard let heldBack = zeroDates.admit(true) else { return }
            logger.warning(
                "Dates that are not in the calendar, such as 0000-00-00, are null in responses",
                metadata: ["values": "\(count)", "sql": "\(sql)", "not_logged": "\(heldBack)"])
        case .statementCacheHit, .acquired: break
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
                    "request_id": "\(id)", "method": "\(method.rawValue)", "target": "\(target.prefix(500))",
                    "status": "\(status)", "us": "\(nanoseconds / 1000)",
                ])
        case .failure(let id, let error):
            logger.error("Request failed", metadata: ["request_id": "\(id)", "error": "\(error)"])
        case .cutOff(let id, let error):
            logger.debug("Response cut off", metadata: ["request_id": "\(id)", "error": "\(error)"])
        case .connection(.refused(let problem, let requestID)):
            logger.debug(
                "Request refused", metadata: ["request_id": "\(requestID ?? "-")", "problem": "\(problem)"])
        case .persistedQuery(.storeFailed(let purpose, let error)):
            guard let heldBack = storeFailures.admit(purpose) else { return }
            logger.warning(
                "The store of persisted queries failed",
                metadata: ["purpose": "\(purpose.rawValue)", "error": "\(error)", "not_logged": "\(heldBack)"])
        case .listedQueryUnusable(let id, let source, let errors):
            logger.warning(
                "An operation of a manifest cannot be answered",
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
