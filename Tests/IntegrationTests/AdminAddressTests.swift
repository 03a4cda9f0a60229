import DuetJSON
import Foundation
import NIOCore
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("duet serve with an admin address")
    struct AdminAddressTests {
        /// The admin address of a server.
        private struct AdminEndpoint: HTTPEndpoint {
            let base: String

            init(of server: Server) async throws {
                let output = server.program.output
                try await output.wait(for: "the admin address") { $0.contains(/debugging are on http\S+\.\n/) }
                base = String(try #require(output.text.firstMatch(of: /debugging are on (http\S+)\.\n/)?.1))
            }
        }

        /// Runs a server with an admin address on a free port.
        private static func withServer(
            _ arguments: [String] = [], _ body: (_ server: Server, _ admin: any HTTPEndpoint) async throws -> Void
        ) async throws {
            try await SampleDatabase.with { folder, url in
                let options = ["--database", url, "--admin-port", "0", "--debug-statements"] + arguments
                try await Server.with(options, in: folder) { server in
                    try await body(server, AdminEndpoint(of: server))
                }
            }
        }

        @Test("The admin address has health, metrics and debugging, and the API has only health")
        func routes() async throws {
            try await Self.withServer { server, admin in
                _ = try await server.get("/departments", ["X-Request-ID": "one"])
                let expected = [
                    ("/health/live", 200, 200), ("/health/ready", 200, 200), ("/metrics", 404, 200),
                    ("/debug/requests/one/statements", 404, 200), ("/departments", 200, 404), ("/", 200, 404),
                ]
                for (path, api, administration) in expected {
                    let answers = (try await server.get(path), try await admin.get(path))
                    #expect(answers.0.status == api, "\(path)")
                    #expect(answers.1.status == administration, "\(path)")
                }
                let unknown = try await admin.get("/departments")
                #expect(unknown.body.contains("this address has only /health/live, /health/ready, /metrics, "))
                let openAPI = try await server.get("/openapi.json")
                #expect(openAPI.body.contains("/health/live") && !openAPI.body.contains("\"/metrics\""))
                // The metrics contain the requests of both addresses.
                let metrics = try await admin.get("/metrics")
                #expect(metrics.body.contains(#"duet_http_requests_total{method="GET",status="200",style="rest"}"#))
                let other = try await admin.get("/metrics", ["Host": "other.example"])
                #expect(other.status == 421)
            }
        }

        @Test("The admin address responds while clients use all connections of the API")
        func connections() async throws {
            try await Self.withServer(["--max-connections", "1"]) { server, admin in
                try await server.connect { client in
                    try await client.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    let head = try await client.head()
                    let ready = try await admin.get("/health/ready")
                    #expect(head.hasPrefix("HTTP/1.1 200 ") && ready.status == 200)
                }
            }
        }

        @Test(
            "With roles and encryption, the admin address needs neither a token nor encryption",
            .enabled(if: TestCertificate.isAvailable, "needs openssl"))
        func open() async throws {
            let description = """
                duet: 1
                resources:
                  departments:
                    singular: department
                    type: Department
                    key: [number]
                    fields: {number: {column: dept_no, type: text}}
                roles:
                  reader:
                    resources: {departments: {read: {}}}

                """
            try await SampleDatabase.with { folder, url in
                try Data(description.utf8).write(to: folder.appending(path: "api.yaml"))
                try await TestCertificate.create("first", in: folder)
                try await Server.with(
                    [
                        "--database", url, "--api", "api.yaml", "--admin-port", "0", "--tls-certificate", "first.pem",
                        "--tls-key", "first.key",
                    ], in: folder, environment: TestToken.environment
                ) { server in
                    let metrics = try await AdminEndpoint(of: server).get("/metrics", ["X-Forwarded-For": "192.0.2.1"])
                    #expect(metrics.status == 200 && metrics.body.contains("duet_build_info"))
                    let closed = try await Program.shell(
                        "curl --no-fail-with-body -w '%{http_code}' -o /dev/null --cacert first.pem https://localhost:\(server.port)/metrics",
                        in: folder)
                    #expect(closed.output == "401", "\(closed.errors)")
                }
            }
        }

        @Test("An admin port that cannot be used is refused with the name of its option")
        func refusals() async throws {
            try await SampleDatabase.with { folder, url in
                let socket = try BoundSocket()
                let port = try #require(socket.address.port)
                let inUse = try await Program.run(
                    ["serve", "--database", url, "--port", "0", "--admin-port", "\(port)"], in: folder)
                #expect(inUse.status == 69)
                #expect(
                    inUse.errors.contains(
                        "port \(port) of 127.0.0.1 is in use by another process; choose another with --admin-port"),
                    "\(inUse.errors)")
                let cases = [
                    (
                        ["--port", "\(port)", "--admin-port", "\(port)"],
                        "--admin-port must be different from the port of the API"
                    ),
                    (["--admin-host", "127.0.0.1"], "--admin-host requires --admin-port"),
                ]
                for (arguments, error) in cases {
                    let result = try await Program.run(["serve", "--database", url] + arguments, in: folder)
                    #expect(result.status == 64 && result.errors.contains(error), "\(result.errors)")
                }
            }
        }
    }
}
