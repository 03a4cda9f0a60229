import DuetJSON
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("duet serve with traces")
    struct TraceTests {
        private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        private static let parent = "00f067aa0ba902b7"

        /// Runs a server with a sample and a collector.
        private static func with(
            _ backend: TestBackend = .sqlite, _ answer: TraceCollector.Answer = .status(.ok),
            arguments: [String] = [], environment: [String: String] = [:],
            _ body: (Server, TraceCollector) async throws -> Void
        ) async throws {
            func run(_ url: String, in folder: URL) async throws {
                try await TraceCollector.with(answer) { collector in
                    let options = ["--otlp-endpoint", collector.base, "--log-level", "debug", "--log-format", "json"]
                    try await Server.with(
                        options + arguments, in: folder,
                        environment: environment.merging(["DUET_DATABASE": url]) { $1 }
                    ) { server in try await body(server, collector) }
                }
            }
            switch backend {
            case .sqlite: try await SampleDatabase.with { folder, url in try await run(url, in: folder) }
            case .mariaDB:
                try await TestDatabase.withURL(.mariaDB) { url in
                    try await TemporaryFolder.with { folder in
                        try await SampleDatabase.fill(url.text, employees: 20, in: folder)
                        try await run(url.text, in: folder)
                    }
                }
            }
        }

        /// Waits for the spans of a number of requests.
        private static func spans(
            of requests: Int, _ collector: TraceCollector
        ) async throws -> [TraceCollector.Span] {
            try await collector.spans { spans in
                spans.count { $0.attribute("http.request.method") != nil } >= requests
            }
        }

        @Test(
            "The collector receives the spans of requests, operations and statements, without values",
            arguments: TestBackend.available)
        func spans(_ backend: TestBackend) async throws {
            let secrets = ["DUET_OTLP_HEADERS": "Authorization=Basic%20c2VjcmV0,X-Tenant=7"]
            try await Self.with(
                backend, arguments: ["--otlp-service-name", "shop"], environment: secrets
            ) { server, collector in
                _ = try await server.get(
                    "/employees/10004?details=titles",
                    ["traceparent": "00-\(Self.trace)-\(Self.parent)-01", "tracestate": "vendor=value"])
                let query = #"{"query":"query Name { employee(id: 10005) { lastName } }"}"#
                let answer = try await server.send("POST", "/graphql", body: query)
                #expect(answer.status == 200)
                let spans = try await Self.spans(of: 2, collector)
                #expect(spans.allSatisfy { $0.fields.first(name: "Authorization") == "Basic c2VjcmV0" })
                #expect(spans.allSatisfy { $0.fields.first(name: "X-Tenant") == "7" })

                let rest = try #require(spans.first { $0.name == "GET /employees/{employeeNumber}" })
                #expect(rest.traceID == Self.trace && rest.parentID == Self.parent)
                #expect(rest.json["kind"] == 2 && rest.json["status"] == nil)
                #expect(rest.text("traceState") == "vendor=value")
                #expect(rest.attribute("http.response.status_code") == ["intValue": "200"])
                #expect(rest.attribute("url.path") == ["stringValue": "/employees/10004"])
                let statements = spans.filter { $0.parentID == rest.spanID }
                #expect(Set(statements.map(\.name)) == ["SELECT employees", "SELECT titles"])

                let request = try #require(spans.first { $0.name == "POST /graphql" })
                let operation = try #require(spans.first { $0.name == "query" })
                #expect(request.parentID == nil && request.traceID != Self.trace)
                #expect(operation.parentID == request.spanID && operation.traceID == request.traceID)
                #expect(operation.attribute("graphql.operation.name") == ["stringValue": "Name"])
                #expect(spans.contains { $0.name == "SELECT employees" && $0.parentID == operation.spanID })

                for statement in spans where statement.attribute("db.system.name") != nil {
                    #expect(statement.json["kind"] == 3)
                    let system = backend == .sqlite ? "sqlite" : "mariadb"
                    #expect(statement.attribute("db.system.name") == ["stringValue": .string(system)])
                    guard case .string(let text)? = statement.attribute("db.query.text")?["stringValue"] else {
                        Issue.record("a statement without a text")
                        continue
                    }
                    #expect(text.contains("?") && !text.contains("1000"), "\(text)")
                }
                let metrics = try await server.get("/metrics").body
                #expect(metrics.contains("duet_trace_export_failures_total 0"))
                let log = await server.stop().errors
                #expect(log.contains(#""trace_id":"\#(Self.trace)""#))
                #expect(!log.contains("c2VjcmV0") && !log.contains("Basic"))
            }
        }

        @Test("A request whose client does not record its trace has no spans, and --trace-sample-ratio 0 begins none")
        func unrecorded() async throws {
            try await Self.with(arguments: ["--trace-sample-ratio", "0"]) { server, collector in
                _ = try await server.get("/employees/10004")
                _ = try await server.get("/employees/10004", ["traceparent": "00-\(Self.trace)-\(Self.parent)-00"])
                _ = try await server.get("/departments", ["traceparent": "00-\(Self.trace)-\(Self.parent)-01"])
                let spans = try await Self.spans(of: 1, collector)
                #expect(spans.allSatisfy { $0.traceID == Self.trace })
                #expect(spans.contains { $0.name == "GET /departments" })
                #expect(!spans.contains { $0.name.contains("employees") })
            }
        }

        @Test("With --log-values=false, the path of a span has no keys")
        func noValues() async throws {
            try await Self.with(arguments: ["--log-values=false"]) { server, collector in
                _ = try await server.get("/employees/10004")
                let request = try await Self.spans(of: 1, collector).first { $0.json["kind"] == 2 }
                #expect(request?.attribute("url.path") == ["stringValue": "/employees/*"])
            }
        }

        @Test("A collector that does not answer, or answers 429, delays neither requests nor the end of the server")
        func troubledCollectors() async throws {
            for answer in [TraceCollector.Answer.none, .status(.tooManyRequests)] {
                try await Self.with(.sqlite, answer) { server, collector in
                    #expect(try await server.get("/employees/10004").status == 200)
                    _ = try await Self.spans(of: 1, collector)
                    #expect(try await server.get("/employees/10005").status == 200)
                    let result = await server.stop()
                    #expect(result.status == 0)
                }
            }
        }

        @Test("Without a collector at its address, the server logs a warning, serves requests and ends")
        func missingCollector() async throws {
            // The port is free again after the closure.
            let base = try await TraceCollector.with { $0.base }
            try await SampleDatabase.with { folder, url in
                try await Server.with(["--database", url, "--otlp-endpoint", base], in: folder) { server in
                    #expect(try await server.get("/employees/10004").status == 200)
                    try await server.program.errors.wait(for: "Spans could not be sent to the collector")
                    #expect(try await server.get("/employees/10005").status == 200)
                    #expect(
                        !(try await server.get("/metrics").body.contains("duet_trace_export_failures_total 0")))
                    #expect(await server.stop().status == 0)
                }
            }
        }

        @Test("After a time with 429, the collector receives the spans")
        func recovery() async throws {
            try await Self.with(.sqlite, .status(.tooManyRequests)) { server, collector in
                _ = try await server.get("/employees/10004")
                let refused = try await Self.spans(of: 1, collector)
                collector.respond(.status(.ok))
                let accepted = try await Self.spans(of: 1, collector)
                #expect(accepted.map(\.spanID) == refused.map(\.spanID))
                _ = await server.stop()
            }
        }

        @Test("An invalid setting ends the program before the start, and its value is not in the message")
        func invalidSettings() async throws {
            try await SampleDatabase.with { folder, url in
                for (arguments, variables, message) in [
                    (["--otlp-endpoint", "localhost:4318"], [:], "--otlp-endpoint must be a URL that begins with"),
                    (
                        ["--otlp-endpoint", "http://localhost:4318"], ["DUET_OTLP_HEADERS": "secret"],
                        "DUET_OTLP_HEADERS must be a list of header fields"
                    ),
                    (["--trace-sample-ratio", "2"], [:], "--trace-sample-ratio must be a number from 0 to 1"),
                ] as [([String], [String: String], String)] {
                    let result = try await Program.run(
                        ["serve", "--port", "0", "--database", url] + arguments, in: folder, environment: variables)
                    #expect(result.status == 64)
                    #expect(result.errors.contains(message) && !result.errors.contains("secret"), "\(result.errors)")
                }
            }
        }
    }
}
