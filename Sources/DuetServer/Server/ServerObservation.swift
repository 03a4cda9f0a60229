import HTTPTypes
package import Logging
import Metrics
import PersistedQueries
package import SQLDatabase

/// Everything the server can be seen doing, besides what its database tells (`DatabaseObservation`). The log and the
/// metrics are fed from these two, and nothing else.
enum ServerObservation: Sendable {
    case request(id: String, method: HTTPRequest.Method, target: String, status: Int, nanoseconds: UInt64)
    /// An error that a client hears little of.
    case failure(requestID: String, any Error)
    /// A response ended before its end, because the client left or read too slowly.
    case cutOff(requestID: String, any Error)
    case connection(ConnectionObservation)
    case persistedQuery(PersistedQueryObservation)
    /// A document came with a hash that is not its own.
    case persistedQueryMismatch
}

typealias ServerObserver = @Sendable (ServerObservation) -> Void

/// Writes observations to the log and counts them.
package struct Observer: Sendable {
    private let logger: Logger
    private let requests = [1, 2, 3, 4, 5].map {
        Counter(label: "duet_requests_total", dimensions: [("status", "\($0)xx")])
    }
    private let duration = Metrics.Timer(label: "duet_request_duration")
    private let statements = Counter(label: "duet_statements_total")
    private let cacheHits = Counter(label: "duet_statement_cache_hits_total")
    private let cacheMisses = Counter(label: "duet_statement_cache_misses_total")
    private let opened = Counter(label: "duet_database_connections_opened_total")
    private let retried = Counter(label: "duet_database_reads_retried_total")
    private let refused = Counter(label: "duet_requests_refused_total")
    /// Whether statements and requests are logged at all: they come by the thousand.
    private let logsStatements: Bool
    private let logsRequests: Bool

    package init(logger: Logger) {
        self.logger = logger
        logsStatements = logger.logLevel <= .trace
        logsRequests = logger.logLevel <= .debug
    }

    /// For ``Database``.
    package func database(_ observation: DatabaseObservation) {
        switch observation {
        case .statement(let sql, let rows, let nanoseconds, let failed):
            statements.increment()
            guard logsStatements else { return }
            logger.trace(
                "Statement",
                metadata: ["sql": "\(sql)", "rows": "\(rows)", "us": "\(nanoseconds / 1000)", "failed": "\(failed)"])
        case .statementCacheHit: cacheHits.increment()
        case .statementCacheMiss(let sql):
            cacheMisses.increment()
            guard logsStatements else { return }
            logger.trace("Statement prepared", metadata: ["sql": "\(sql)"])
        case .connectionOpened(let nanoseconds):
            opened.increment()
            logger.debug("Database connection opened", metadata: ["us": "\(nanoseconds / 1000)"])
        case .connectionClosed(let reason):
            logger.debug("Database connection closed", metadata: ["reason": "\(reason)"])
        case .readRetried(let error):
            retried.increment()
            logger.notice("Database connection lost; read tried again", metadata: ["error": "\(error)"])
        case .acquired: break
        }
    }

    func callAsFunction(_ observation: ServerObservation) {
        switch observation {
        case .request(let id, let method, let target, let status, let nanoseconds):
            let index = status / 100 - 1
            if requests.indices.contains(index) { requests[index].increment() }
            duration.recordNanoseconds(Int64(clamping: nanoseconds))
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
            refused.increment()
            logger.debug(
                "Request refused", metadata: ["request_id": "\(requestID ?? "-")", "problem": "\(problem)"])
        case .persistedQuery(.storeFailed(let purpose, let error)):
            logger.warning(
                "The store of persisted queries failed",
                metadata: ["purpose": "\(purpose.rawValue)", "error": "\(error)"])
        case .persistedQuery, .persistedQueryMismatch: break
        case .connection(let observation):
            refused.increment()
            logger.debug("Connection closed", metadata: ["reason": "\(observation)"])
        }
    }
}
