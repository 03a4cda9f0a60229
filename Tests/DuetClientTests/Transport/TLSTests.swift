import AsyncHTTPClient
import DuetClient
import Foundation
import HTTPTypes
import NIOSSL
import ProcessTesting
import Testing

@Suite("Transports over TLS", .enabled(if: Nginx.canUseTLS))
struct TLSTests {
    /// Starts a server with a self-signed certificate, and calls a closure with its address and its certificate. The
    /// server responds with the HTTP version of the request.
    private func withServer(_ body: (_ address: String, _ certificate: URL) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await TestCertificate.create("certificate", subject: "IP:127.0.0.1", in: folder)
            try await Nginx.with(in: folder) { port in
                """
                server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(folder.path)/certificate.pem;
                ssl_certificate_key \(folder.path)/certificate.key;
                location / { return 200 $server_protocol; }
                }
                """
            } _: { base in
                try await body(
                    base.replacing("http:", with: "https:") + "/", folder.appending(path: "certificate.pem"))
            }
        }
    }

    @Test("HTTP/2 is used if the server offers it")
    func http2() async throws {
        try await withServer { address, certificate in
            let certificates = try NIOSSLCertificate.fromPEMFile(certificate.path)
            let transport = AsyncHTTPClientTransport { configuration in
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.trustRoots = .certificates(certificates)
                configuration.tlsConfiguration = tls
            }
            let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await transport.send(TransportRequest(.get, address)).text() } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(bodies == ["HTTP/2.0"])
        }
    }

    @Test("A connection to a server with an untrusted certificate fails with the error code `insecure`")
    func unknownAuthority() async throws {
        try await withServer { address, _ in
            let error = await #expect(throws: TransportError.self) {
                try await AsyncHTTPClientTransport().send(TransportRequest(.get, address))
            }
            #expect(error?.code == .insecure)
        }
    }
}
