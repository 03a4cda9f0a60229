import AsyncHTTPClient
import DuetEmployees
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import Foundation
import InMemoryTracing
import ProcessTesting
import ServerTestSupport
import TestSupport
import Testing
import Tracing

@Suite("The spans of requests") struct RequestSpanTests {
    private struct Endpoint: HTTPEndpoint {
        let base: String
    }

    /// Runs a server with a tracer. The closure receives a function that returns the spans since its last call.
    private func with(
        _ backend: TestBackend = .sqlite,
        _ body: @Sendable @escaping (Endpoint, InMemoryTracer) async throws -> Void
    ) async throws {
        // The client of the tests uses the tracer that exists at its first use.
        _ = HTTPClient.shared
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await SampleServer.with(backend, employees: 20) { origin in
                try await body(Endpoint(base: origin), tracer)
            }
        }
    }

    @Test(
        "A REST request has a server span with its route, and its statements are children",
        arguments: TestBackend.available)
    func rest(_ backend: TestBackend) async throws {
        try await with(backend) { server, tracer in
            let answer = try await server.get(
                "/employees/10004?details=titles", ["User-Agent": "tests", "Host": "localhost:8080"])
            #expect(answer.status == 200)
            let ended = tracer.popFinishedSpans()
            let request = try #require(ended.last)
            let spans = ended.dropLast()
            #expect(request.operationName == "GET /employees/{employeeNumber}")
            #expect(request.kind == .server && request.status == nil && request.parentSpanID == nil)
            #expect(
                request.attributes == [
                    "http.request.method": "GET", "url.scheme": "http", "url.path": "/employees/10004",
                    "http.route": "/employees/{employeeNumber}", "http.response.status_code": 200,
                    "network.protocol.version": "1.1", "server.address": "localhost", "server.port": 8080,
                    "user_agent.original": "tests",
                ])
            #expect(Set(spans.map(\.operationName)) == ["SELECT employees", "SELECT titles"])
            for span in spans {
                #expect(span.kind == .client && span.parentSpanID == request.spanID)
                #expect(span.traceID == request.traceID)
            }
            #expect(!"\(spans)".contains("10004"))
        }
    }

    @Test("A GraphQL operation has a span between the request and its statements", arguments: TestBackend.available)
    func graphQL(_ backend: TestBackend) async throws {
        try await with(backend) { server, tracer in
            let body = #"{"query":"query Secret($n: ID!) { employee(id: $n) { lastName } }","variables":{"n":"10004"}}"#
            let answer = try await server.send("POST", "/graphql", body: body)
            #expect(answer.body.contains("Koblick"))
            let spans = tracer.popFinishedSpans()
            #expect(spans.map(\.operationName) == ["SELECT employees", "query", "POST /graphql"])
            guard spans.count == 3 else { return }
            #expect(spans[0].parentSpanID == spans[1].spanID && spans[1].parentSpanID == spans[2].spanID)
            #expect(spans[1].attributes == ["graphql.operation.type": "query", "graphql.operation.name": "Secret"])
            #expect(spans[1].kind == .server && spans[1].status == nil)
        }
    }

    @Test("An error of the client leaves the status of the span unset, and a fault of the server sets it")
    func errors() async throws {
        try await with { server, tracer in
            for (path, status, route) in [
                ("/employees/1", 404, "/employees/{employeeNumber}"), ("/nowhere", 404, nil),
                ("/employees/10004?what", 400, "/employees/{employeeNumber}"),
            ] as [(String, Int, String?)] {
                let answer = try await server.get(path)
                #expect(answer.status == status)
                let span = try #require(tracer.popFinishedSpans().last)
                #expect(span.operationName == "GET" + (route.map { " \($0)" } ?? ""))
                #expect(span.attributes.get("http.route") == route.map { .string($0) })
                #expect(span.attributes.get("http.response.status_code") == .int64(Int64(status)))
                #expect(span.status == nil && span.attributes.get("error.type") == nil)
            }
            let answer = try await server.send("PROPFIND", "/employees")
            #expect(answer.status == 405)
            let other = try #require(tracer.popFinishedSpans().last)
            #expect(other.attributes.get("http.request.method") == "_OTHER")
            #expect(other.attributes.get("http.request.method_original") == "PROPFIND")
        }
        try await TestDatabase.with(.sqlite) { database in
            let service = try ResourceService.employees(database: database, encoding: ValueEncoding(dates: .iso))
            try await database.write { try $0.executeScript("DROP TABLE departments") }
            let tracer = InMemoryTracer()
            try await withTracer(tracer) {
                try await ServiceServer.with(service) { server in
                    let status = try await server.get("/departments").status
                    #expect(status >= 500)
                    let request = try #require(tracer.popFinishedSpans().last)
                    #expect(request.status == SpanStatus(code: .error))
                    #expect(request.attributes.get("error.type") == .string("\(status)"))
                    let body = #"{"query":"{ departments { departmentName } }"}"#
                    _ = try await server.send("POST", "/graphql", body: body)
                    let operation = try #require(tracer.popFinishedSpans().first { $0.operationName == "query" })
                    #expect(operation.status == SpanStatus(code: .error))
                    #expect(operation.attributes.get("error.type") != nil)
                }
            }
        }
    }

    @Test("The spans of a request continue the trace of the client")
    func continuation() async throws {
        try await with { server, tracer in
            _ = try await server.get(
                "/employees/10004",
                [InMemoryTracer.traceIDKey: "the-trace", InMemoryTracer.spanIDKey: "the-span"])
            let spans = tracer.popFinishedSpans()
            #expect(spans.count == 2 && spans.allSatisfy { $0.traceID == "the-trace" })
            #expect(spans.last?.parentSpanID == "the-span")
        }
    }

    @Test("The statements of a streamed response belong to its request, whose span ends with the body")
    func stream() async throws {
        try await with { server, tracer in
            let answer = try await server.get("/employees", ["Accept": "application/x-ndjson"])
            #expect(answer.status == 200)
            var ended = tracer.popFinishedSpans()
            // The span ends after the client has received the last byte.
            while !ended.contains(where: { $0.kind == .server }) {
                await Task.yield()
                ended += tracer.popFinishedSpans()
            }
            let request = ended.last { $0.kind == .server }
            #expect(request?.operationName == "GET /employees")
            let statements = ended.filter { $0.kind == .client }
            #expect(!statements.isEmpty && statements.allSatisfy { $0.parentSpanID == request?.spanID })
        }
    }
}
