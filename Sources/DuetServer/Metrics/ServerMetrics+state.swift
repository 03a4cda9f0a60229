import DuetResourceService
import DuetSQLDatabase

/// The metrics whose values are read when a client requests the metrics.
extension ServerMetrics {
    func read(_ database: Database) {
        factory.gauge(
            "duet_pool_connections", help: "Database connections of the pool.", labels: [("state", "in_use")],
            of: database
        ) { Double($0.statistics.busy) }
        factory.gauge(
            "duet_pool_connections", help: "Database connections of the pool.", labels: [("state", "idle")],
            of: database
        ) {
            let (connections, busy, _) = $0.statistics
            return Double(connections - busy)
        }
        factory.gauge(
            "duet_pool_connections_limit", help: "Maximum number of database connections of the pool.", of: database
        ) {
            Double($0.poolSize)
        }
        factory.gauge("duet_pool_waiting", help: "Transactions that wait for a connection.", of: database) {
            Double($0.statistics.waiting)
        }
    }

    /// Adds the metrics of each server of a database with several servers.
    func readServers(of database: Database) {
        for (index, server) in database.serverStatus.enumerated() {
            func gauge(_ name: String, _ help: String, _ value: @escaping @Sendable (ServerStatus) -> Double?) {
                factory.gauge(name, help: help, labels: [("server", server.url)], of: database) {
                    value($0.serverStatus[index])
                }
            }
            gauge("duet_database_server_up", "1 if the server can be used, otherwise 0.") { $0.isWell ? 1 : 0 }
            gauge("duet_database_server_primary", "1 if the server receives the writes, otherwise 0.") {
                $0.isPrimary ? 1 : 0
            }
            gauge("duet_database_server_lag_seconds", "Age of the oldest commit that the replica does not have.") {
                $0.lag.map { $0 / .seconds(1) }
            }
        }
    }

    func read(_ live: LiveQueries) {
        factory.gauge("duet_live_watchers", help: "Watchers of live queries.", of: live) { Double($0.watcherCount) }
        factory.gauge("duet_live_questions", help: "Different questions of the watchers of live queries.", of: live) {
            Double($0.questionCount)
        }
    }

    /// Adds the metrics of the caches of all routers.
    /// - Parameter statistics: Returns the statistics; nil omits the metrics.
    func read(caches statistics: @escaping @Sendable () -> CacheStatistics?) {
        factory.counter(
            "duet_graphql_operation_cache_hits_total", help: "GraphQL documents that were already parsed and validated."
        ) { statistics().map { Double($0.operations.hits) } }
        factory.counter(
            "duet_graphql_operation_cache_misses_total", help: "GraphQL documents that had to be parsed and validated."
        ) { statistics().map { Double($0.operations.misses) } }
        factory.gauge("duet_graphql_operation_cache_entries", help: "Cached GraphQL operations.") {
            statistics().map { Double($0.operations.count) }
        }
        factory.gauge(
            "duet_graphql_operation_cache_bytes",
            help: "Approximate number of bytes of the cached GraphQL operations."
        ) { statistics().map { Double($0.operations.bytes) } }
        factory.counter("duet_rest_plan_cache_hits_total", help: "Queries for one row whose plan was cached.") {
            statistics().map { Double($0.plans.hits) }
        }
        factory.counter("duet_rest_plan_cache_misses_total", help: "Queries for one row that had to be planned.") {
            statistics().map { Double($0.plans.misses) }
        }
        factory.gauge("duet_rest_plan_cache_entries", help: "Cached plans.") {
            statistics().map { Double($0.plans.count) }
        }
    }

    func readProcess() {
        #if DEBUG
            let configuration = "debug"
        #else
            let configuration = "release"
        #endif
        factory.gauge(
            "duet_build_info", help: "Version and build configuration; always 1.",
            labels: [("version", DuetServer.version), ("configuration", configuration)]
        ) { 1 }
        factory.observeProcess()
    }
}
