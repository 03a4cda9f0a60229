import DuetHTTPServer
import DuetJSON
import DuetPersistedQueries
import DuetSQLDatabase
import DuetServer
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@Suite("Metrics") struct MetricsTests {
    @Test("The metrics have the Prometheus text format, and no cache stores them")
    func form() async throws {
        try await withServer(.sqlite) { server in
            let response = try await server.client.get(
                "/metrics", ["Accept": "application/openmetrics-text, */*;q=0.1"])
            #expect(response.status == 200)
            #expect(response["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(response["Cache-Control"] == "no-store")
            #expect(response["ETag"] == nil)
            _ = try Exposition(response.text)
            let head = try await server.client.head("/metrics")
            #expect(head.status == 200 && head.isEmpty)
            #expect(head["Content-Type"] == response["Content-Type"])
            let packed = try await server.client.getCompressed("/metrics")
            #expect(packed["Content-Encoding"] == "gzip")
            _ = try Exposition(packed.text)
            #expect(try await server.client.get("/metrics?x=1").code == "unknown-parameter")
            #expect(try await server.client.send(.POST, "/metrics").status == 405)
        }
    }

    @Test("The metrics count each request by style, method and status, including reads of the metrics")
    func requests() async throws {
        try await withServer(.sqlite) { server in
            let before = try await server.client.metrics()
            for _ in 0..<3 { _ = try await server.client.get("/employees/20001?details=titles") }
            _ = try await server.client.head("/employees/20001")
            _ = try await server.client.get("/employees/99")
            _ = try await server.client.get("/employees?api", ["Accept": "text/html"])
            _ = try await server.client.send(.PUT, "/employees")
            _ = try await server.client.send(.PATCH, "/employees/20001", json: #"{"lastName":"X"}"#)
            for _ in 0..<2 { _ = try await server.client.graphQL("{ employee(id: 20001) { id } }") }
            _ = try await server.client.get(APIClient.graphQLTarget(["query": "{ departments { id } }"]))
            _ = try await server.client.graphQL(
                "{ nothing }", operationName: nil, ["Accept": "application/graphql-response+json"])
            _ = try await server.client.get("/graphql", ["Accept": "text/html"])
            _ = try await server.client.get("/nothing")
            _ = try await server.client.get("/health/live")
            _ = try await server.client.send(.OPTIONS, "/metrics")
            _ = try await server.client.send(.TRACE, "/departments")
            let after = try await server.client.metrics()
            let expected: [[String]: Double] = [
                ["rest", "GET", "200"]: 4, ["rest", "HEAD", "200"]: 1, ["rest", "GET", "404"]: 1,
                ["rest", "PUT", "405"]: 1, ["rest", "PATCH", "200"]: 1, ["rest", "other", "405"]: 1,
                ["graphql", "POST", "200"]: 2, ["graphql", "GET", "200"]: 2, ["graphql", "POST", "400"]: 1,
                ["other", "GET", "404"]: 1, ["other", "OPTIONS", "204"]: 1,
                // The health check and the first read of the metrics. A read is not included in the values that it
                // returns.
                ["other", "GET", "200"]: 2,
            ]
            var counted: [[String]: Double] = [:]
            for sample in after.families.first(where: { $0.name == "duet_http_requests_total" })?.samples ?? [] {
                let labels = ["style", "method", "status"].map { sample.labels[$0] ?? "" }
                counted[labels] = sample.value - before.value(sample.name, sample.labels)
            }
            #expect(counted == expected)
            for style in ["rest", "graphql", "other"] {
                let count = expected.filter { $0.key[0] == style }.reduce(0) { $0 + $1.value }
                #expect(after.value("duet_http_request_duration_seconds_count", ["style": style]) == count)
                #expect(after.value("duet_http_request_duration_seconds_sum", ["style": style]) > 0)
            }
        }
    }

    @Test(
        "The metrics and Server-Timing count the same statements, for REST and for GraphQL",
        arguments: TestBackend.available)
    func statements(backend: TestBackend) async throws {
        try await withServer(backend, data: .sampleAndCrew(30)) { server in
            @Sendable func count(_ response: TestResponse) throws -> Double {
                let timing = try #require(response["Server-Timing"])
                return Double(try #require(timing.firstMatch(of: /;desc="(\d+)"/)?.1)) ?? 0
            }
            let before = try await server.client.metrics()
            _ = server.statements.take()
            var (rest, graphQL) = (0.0, 0.0)
            for target in [
                "/employees/10004?details=titles&details=salaries", "/employees?first=20&details=departments",
                "/departments/d005/employees?details=titles", "/employees/10004/titles",
            ] { rest += try count(try await server.client.get(target)) }
            rest += try count(
                try await server.client.send(.PATCH, "/employees/20001", json: #"{"lastName":"Changed"}"#))
            for query in [
                "{ employee(id: 10004) { titles { title } salaries { salary } } }",
                "{ a: employees(first: 5) { totalCount nodes { id } } b: departments { id } }",
                "mutation { deleteEmployee(input: {id: 20012}) { deletedId } }", "{ __typename }",
            ] {
                let response = try await server.client.graphQL(query)
                #expect(try response.data() != .null)
                graphQL += try count(response)
            }
            #expect(rest > 10 && graphQL > 6)
            let after = try await server.client.metrics()
            for (style, expected) in [("rest", rest), ("graphql", graphQL), ("other", 0)] {
                for name in ["duet_statements_total", "duet_statement_duration_seconds_count"] {
                    #expect(
                        after.value(name, ["style": style]) - before.value(name, ["style": style]) == expected,
                        "\(name) \(style)")
                }
            }
            #expect(Double(server.statements.take().count) == rest + graphQL)
        }
    }

    @Test("The metrics also count statements that Server-Timing does not report", arguments: TestBackend.available)
    func untold(backend: TestBackend) async throws {
        try await withServer(backend, data: .sampleAndCrew(30)) { server in
            let before = try await server.client.metrics()
            _ = server.statements.take()
            #expect(try await server.client.get("/employees/99").status == 404)
            #expect(
                try await server.client.get("/employees?details=titles", ["Accept": "application/x-ndjson"]).size > 0)
            let rest = Double(server.statements.take().count)
            #expect(try await server.client.get("/health/ready").status == 200)
            let other = Double(server.statements.take().count)
            #expect(rest >= 3 && other == 1)
            let after = try await server.client.metrics()
            for (style, count) in [("rest", rest), ("other", other), ("graphql", 0)] {
                #expect(
                    after.value("duet_statements_total", ["style": style])
                        - before.value("duet_statements_total", ["style": style]) == count, "\(style)")
            }
        }
    }

    @Test("The metrics count the hits and misses of the statement, plan and operation caches")
    func caches() async throws {
        try await withServer(.sqlite, configuration: DatabaseConfiguration(poolSize: 1)) { server in
            let before = try await server.client.metrics()
            for _ in 0..<4 { _ = try await server.client.get("/employees/20001?details=titles") }
            for _ in 0..<5 { _ = try await server.client.graphQL("{ department(id: \"x1\") { departmentName } }") }
            for _ in 0..<3 {
                #expect(
                    try await server.client.get("/graphql?query=%7Bdepartment(id:%22x1%22)%7Bid%7D%7D").status == 200)
            }
            _ = try await server.client.graphQL("{ syntax")
            let after = try await server.client.metrics()
            for (name, count) in [
                ("duet_statement_cache_misses_total", 4.0), ("duet_statement_cache_hits_total", 12),
                ("duet_rest_plan_cache_misses_total", 1), ("duet_rest_plan_cache_hits_total", 3),
                ("duet_rest_plan_cache_entries", 1), ("duet_graphql_operation_cache_misses_total", 3),
                ("duet_graphql_operation_cache_hits_total", 6), ("duet_graphql_operation_cache_entries", 2),
                ("duet_pool_acquire_duration_seconds_count", 12),
            ] { #expect(after.value(name) - before.value(name) == count, "\(name)") }
            #expect(after.value("duet_graphql_operation_cache_bytes") > 100)
            // One connection of the pool, which created the rows, and one connection for reads on the threads that
            // answer requests.
            #expect(after.value("duet_database_connections_opened_total") == 2)
        }
    }

    @Test("The metrics show the connections in use and the waiting requests")
    func pool() async throws {
        try await withServer(.sqlite, configuration: DatabaseConfiguration(poolSize: 1)) { server in
            let client = server.client
            try await server.database.holdingConnection { release async throws in
                async let first = client.get("/employees?first=1")
                async let second = client.graphQL("{ employees(first: 1) { nodes { id } } }")
                while server.database.statistics.waiting < 2 { await Task.yield() }
                let held = try await client.metrics()
                #expect(held.value("duet_pool_connections", ["state": "in_use"]) == 1)
                #expect(held.value("duet_pool_connections", ["state": "idle"]) == 0)
                #expect(held.value("duet_pool_waiting") == 2)
                #expect(held.value("duet_http_requests_in_flight") == 3)
                release()
                #expect(try await first.status == 200)
                #expect(try await second.status == 200)
            }
            let free = try await client.metrics()
            #expect(free.value("duet_pool_connections", ["state": "in_use"]) == 0)
            #expect(free.value("duet_pool_connections", ["state": "idle"]) == 1)
            #expect(free.value("duet_pool_connections_limit") == 1)
            #expect(free.value("duet_pool_waiting") == 0)
            #expect(free.value("duet_http_requests_in_flight") == 1)
        }
    }

    @Test(
        "The metrics count the bytes of complete, streamed and empty response bodies", arguments: ["identity", "gzip"])
    func bodies(coding: String) async throws {
        try await withServer(.sqlite, data: .sample(200)) { server in
            let before = try await server.client.metrics()
            let headers: HTTPHeaders = ["Accept-Encoding": coding]
            let whole = try await server.client.get("/employees", headers)
            #expect(try await server.client.head("/employees", headers).isEmpty)
            #expect(
                try await server.client.get(
                    "/employees", ["Accept-Encoding": coding, "If-None-Match": whole["ETag"] ?? ""]
                )
                .status == 304)
            let refused = try await server.client.get("/employees/0")
            let pieces = try await server.client.get("/salaries", ["Accept-Encoding": coding, "Accept": "text/csv"])
            #expect(pieces.size > 4096)
            // The count of a streamed response is updated after its end.
            let after = try await server.client.metrics { metrics in
                metrics.value("duet_http_requests_total", ["style": "rest", "method": "GET", "status": "200"]) == 2
            }
            #expect(
                after.value("duet_http_response_body_bytes_total", ["style": "rest"])
                    - before.value("duet_http_response_body_bytes_total", ["style": "rest"])
                    == Double(whole.size + refused.size + pieces.size))
        }
    }

    @Test("The metrics count rejected requests by reason, and requests that never complete", .timeLimit(.minutes(15)))
    func refused() async throws {
        var settings = ServerSettings()
        settings.limits.bodyTimeout = .milliseconds(500)
        try await withServer(.sqlite, settings: settings) { server in
            let client = server.client
            _ = try await client.exchange("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
            _ = try await client.exchange("BREW", "/")
            _ = try await client.exchange("no request\r\n\r\n")
            _ = try await client.exchange("GET", "/", fields: "X: \(String(repeating: "x", count: 100_000))\r\n")
            // The body of the request never arrives.
            let late = try await client.exchange(
                "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
            #expect(late.hasPrefix("HTTP/1.1 408"))
            let metrics = try await client.metrics { metrics in
                metrics.sum("duet_http_requests_refused_total") >= 5
                    && metrics.value("duet_http_requests_abandoned_total") >= 1
            }
            #expect(metrics.value("duet_http_requests_abandoned_total") == 1)
            for reason in [
                "invalid_host", "unknown_method", "malformed_request", "fields_too_large", "request_timeout",
            ] {
                #expect(metrics.value("duet_http_requests_refused_total", ["reason": reason]) == 1, "\(reason)")
            }
            // An abandoned request is no longer in flight, and no route answered it.
            #expect(metrics.value("duet_http_requests_in_flight") == 1)
            #expect(metrics.sum("duet_http_requests_total", ["style": "graphql"]) == 0)
        }
    }

    @Test("The metrics count connections that time out without a request", .timeLimit(.minutes(15)))
    func idle() async throws {
        var settings = ServerSettings()
        settings.limits.headTimeout = .milliseconds(500)
        try await withServer(.sqlite, settings: settings) { server async throws in
            #expect(try await server.client.exchange("") == "")
            // On a busy machine, a valid request of the test may also exceed the timeout.
            var metrics: Exposition?
            while metrics == nil {
                metrics = try? await server.client.metrics {
                    $0.value("duet_http_connections_closed_total", ["reason": "idle"]) >= 1
                }
            }
            #expect(metrics?.value("duet_http_requests_abandoned_total") == 0)
        }
    }

    @Test("The metrics count internal failures, but not client errors")
    func failures() async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await runServer(database) { server async throws in
                #expect(try await server.client.get("/employees/1").status >= 500)
                #expect(try await server.client.get("/employees/0").status == 400)
                #expect(try await server.client.metrics().value("duet_failures_total") == 1)
            }
        }
    }

    @Test("Each database event is recorded in its metric")
    func observations() throws {
        let factory = PrometheusMetricsFactory()
        let observer = Observer(logger: .silent, metrics: factory)
        observer.database(.readRetried(DatabaseError(.connectionLost, "gone")))
        observer.database(.connectionClosed(reason: "lost"))
        observer.database(.connectionOpened(nanoseconds: 1))
        observer.database(.connectionOpened(nanoseconds: 1))
        observer.database(.acquired(waitedNanoseconds: 2_000_000))
        observer.database(
            .statement(sql: "", rows: 0, nanoseconds: 30_000, failed: true, origin: TransactionOrigin(rawValue: 200)))
        let metrics = try Exposition(factory.text())
        #expect(metrics.value("duet_database_reads_retried_total") == 1)
        #expect(metrics.value("duet_database_connections_closed_total") == 1)
        #expect(metrics.value("duet_database_connections_opened_total") == 2)
        #expect(metrics.value("duet_pool_acquire_duration_seconds_sum") == 0.002)
        // An unknown origin has the style `other`.
        #expect(metrics.value("duet_statements_failed_total", ["style": "other"]) == 1)
        #expect(metrics.value("duet_statement_duration_seconds_bucket", ["style": "other", "le": "5e-05"]) == 1)
        #expect(metrics.value("duet_statement_duration_seconds_bucket", ["style": "other", "le": "2.5e-05"]) == 0)
    }

    @Test("Each server has its own metrics")
    func servers() async throws {
        try await withServer(.sqlite) { first in
            _ = try await first.client.get("/employees/20001")
            try await withServer(.sqlite) { second in
                let metrics = try await second.client.metrics()
                #expect(metrics.sum("duet_http_requests_total") == 0)
                #expect(metrics.value("duet_statements_total", ["style": "rest"]) == 0)
            }
        }
    }

    @Test("docs/metrics.md lists exactly the existing metrics, with their types and labels")
    func documented() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/metrics.md")
        let documented = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /\| `([a-z_]+)` \| ([a-z]+) \| (.*?) \| .+ \|/).map { match in
                let labels = match.3.matches(of: /`([a-z_]+)`/).map { String($0.1) }
                return "\(match.1) \(match.2) \(labels.sorted())"
            }
        }
        var settings = ServerSettings()
        settings.graphQL.persistedQueries.configuration.sweepInterval = .milliseconds(1)
        settings.graphQL.persistedQueries.configuration.flushInterval = .milliseconds(1)
        try await withServer(.sqlite, settings: settings) { server in
            _ = try await server.client.get("/employees/20001")
            // Some metrics exist only after their first read.
            let metrics = try await server.client.metrics { metrics in
                metrics.families.contains { $0.name == "duet_persisted_query_stored_bytes" }
            }
            let served = metrics.families.map { family in
                #expect(family.help?.isEmpty == false, "\(family.name)")
                let labels = Set(family.samples.flatMap(\.labels.keys)).subtracting(["le"])
                return "\(family.name) \(family.type) \(labels.sorted())"
            }
            // These exist only for a database with several servers.
            let others = documented.filter { $0.hasPrefix("duet_database_server_") }
            #expect(others.count == 3)
            #expect(Set(documented) == Set(served + others))
            #expect(documented.count == served.count + others.count)
        }
    }
}
