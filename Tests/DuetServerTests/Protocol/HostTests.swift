import DuetServer
import TestSupport
import Testing

@Suite("Hosts of requests") struct HostTests {
    @Test(
        "If only some hosts are valid, an HTTP/1.0 request without Host is accepted, because browsers send none",
        arguments: [
            ("GET /health/live HTTP/1.0\r\n\r\n", "200"),
            ("GET /health/live HTTP/1.0\r\nHost: duet.test\r\n\r\n", "200"),
            ("GET /health/live HTTP/1.0\r\nHost: rebound.test\r\n\r\n", "421"),
            ("GET /health/live HTTP/1.0\r\nHost:\r\n\r\n", "421"),
            ("GET http://rebound.test/health/live HTTP/1.0\r\n\r\n", "421"),
            ("GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n", "400"),
            ("GET /health/live HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", "421"),
            ("GET /health/live HTTP/1.1\r\nHost: DUET.test:80\r\nConnection: close\r\n\r\n", "200"),
        ])
    func hosts(request: String, status: String) async throws {
        var settings = ServerSettings()
        settings.allowedHosts = ["duet.test"]
        try await withServer(.sqlite, data: .empty, settings: settings) { server in
            let answer = try await server.client.exchange(request)
            #expect(answer.dropFirst("HTTP/1.x ".count).prefix(3) == status, "\(answer)")
        }
    }
}
