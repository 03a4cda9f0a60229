import DuetServer
import NIOHTTP1
import TestSupport
import Testing

@Suite("Paths for the machine of the server") struct MachinePathTests {
    private static let targets = ["/metrics", "/debug/requests/one/statements"]

    /// Fields that a proxy adds.
    static let proxies: [(name: String, value: String)] = [
        ("X-Forwarded-For", "192.0.2.1"), ("x-forwarded-for", "127.0.0.1"), ("Forwarded", "for=192.0.2.1"),
        ("Via", "1.1 proxy"), ("X-Real-IP", "192.0.2.1"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "a"),
    ]

    @Test("With roles, /metrics and /debug respond to loopback clients, and not through a proxy")
    func proxies() async throws {
        var settings = ServerSettings()
        settings.keepsStatements = true
        try await RoleServer.with(settings: settings) { client async throws in
            // The identifier of a request of a role is known.
            _ = try await client.get("/departments", ["X-Request-ID": "one"])
            for target in Self.targets {
                #expect(try await client.get(target).status == 200, "\(target)")
                // The token is ignored.
                #expect(try await client.get(target, ["Authorization": "Bearer x"]).status == 200, "\(target)")
                for (name, value) in Self.proxies {
                    let response = try await client.get(target, [name: value])
                    #expect(response.status == 404 && response.code == "unknown-path", "\(target) \(name)")
                    #expect(
                        try await client.get(target, RoleServer.clerkHeaders.merging([name: value])).status == 404)
                }
            }
            #expect(try await client.get("/health/ready", ["Via": "1.1 proxy"]).status == 200)
            #expect(try await client.get("/departments", ["Via": "1.1 proxy"]).status == 200)
        }
        try await withServer(.sqlite, settings: settings) { server async throws in
            for (name, value) in Self.proxies {
                #expect(try await server.client.get("/metrics", [name: value]).status == 200)
            }
        }
    }
}
