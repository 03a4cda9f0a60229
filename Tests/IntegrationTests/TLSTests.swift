import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("duet serve with encrypted connections", .enabled(if: TestCertificate.isAvailable, "needs openssl"))
    struct TLSTests {
        private static func copy(_ name: String, in folder: URL) throws {
            for (type, file) in [("pem", "certificate.pem"), ("key", "key.pem")] {
                try Data(contentsOf: folder.appending(path: "\(name).\(type)"))
                    .write(to: folder.appending(path: file), options: .atomic)
            }
        }

        /// Sends a request that trusts only a certificate.
        private static func get(
            _ path: String, _ server: Server, trusting name: String, in folder: URL
        ) async throws -> String {
            var configuration = HTTPClient.Configuration()
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(folder.appending(path: "\(name).pem").path)
            configuration.tlsConfiguration = tls
            configuration.connectionPool.retryConnectionEstablishment = false
            let client = HTTPClient(configuration: configuration)
            do {
                let response = try await client.execute(
                    HTTPClientRequest(url: "https://localhost:\(server.port)\(path)"), timeout: .minutes(5))
                let body = String(buffer: try await response.body.collect(upTo: 1 << 20))
                try await client.shutdown()
                return body
            } catch {
                try await client.shutdown()
                throw error
            }
        }

        /// Runs a server with the first of two certificates, `first` and `second`.
        private static func withServer(_ body: (_ server: Server, _ folder: URL) async throws -> Void) async throws {
            try await SampleDatabase.with { folder, url in
                for name in ["first", "second"] { try await TestCertificate.create(name, in: folder) }
                try copy("first", in: folder)
                let options = ["--database", url, "--tls-certificate", "certificate.pem", "--tls-key", "key.pem"]
                try await Server.with(options, in: folder) { server async throws in try await body(server, folder) }
            }
        }

        @Test("Requests are answered over TLS, and SIGHUP applies a new certificate, but not one that cannot be used")
        func reload() async throws {
            try await Self.withServer { server, folder in
                #expect(server.base.hasPrefix("https://"))
                let path = "/departments/d005?fields=departmentName"
                #expect(
                    try await Self.get(path, server, trusting: "first", in: folder)
                        == #"{"departmentName":"Development"}"#)

                try Data("no certificate".utf8).write(to: folder.appending(path: "certificate.pem"))
                server.program.send(SIGHUP)
                try await server.program.errors.wait(for: "The certificate could not be reloaded")
                _ = try await Self.get(path, server, trusting: "first", in: folder)

                try Self.copy("second", in: folder)
                server.program.send(SIGHUP)
                try await server.program.errors.wait(for: "The certificate was reloaded")
                #expect(
                    try await Self.get(path, server, trusting: "second", in: folder)
                        == #"{"departmentName":"Development"}"#)
                await #expect(throws: NIOSSLError.self) {
                    _ = try await Self.get(path, server, trusting: "first", in: folder)
                }
                #expect(!server.program.errors.text.contains("The description"))
            }
        }

        @Test("The answer to a request without encryption is a 400 that says so, and TLS 1.1 is refused")
        func refusals() async throws {
            try await Self.withServer { server, folder in
                let answer = try await PlainEndpoint(server).get("/departments")
                #expect(answer.status == 400)
                #expect(answer.body.contains("this port accepts only encrypted connections; use https://"))
                let old = try await Program.shell(
                    "openssl s_client -connect 127.0.0.1:\(server.port) -tls1_1 -cipher ALL:@SECLEVEL=0 </dev/null",
                    in: folder)
                #expect(old.status != 0 && old.errors.contains("protocol version"), "\(old.errors)")
                let new = try await Program.shell(
                    "openssl s_client -connect 127.0.0.1:\(server.port) -tls1_2 </dev/null", in: folder)
                #expect(new.status == 0 && new.output.contains("TLSv1.2"), "\(new.output)")
            }
        }

        @Test("A server shuts down although a client has not completed its handshake")
        func shutdown() async throws {
            try await Self.withServer { server, folder in
                try await server.connect { client in
                    try await client.send(ByteBuffer(bytes: [22, 3, 1]))
                    // The server has accepted the connection before that of this request.
                    _ = try await Self.get("/health/live", server, trusting: "first", in: folder)
                    let result = await server.stop()
                    #expect(result.status == 0, "\(result.errors)")
                }
            }
        }

        @Test("Strict-Transport-Security is sent on encrypted connections only, and needs a certificate")
        func transportSecurity() async throws {
            try await TemporaryFolder.with { folder in
                try await TestCertificate.create("first", in: folder)
                let options = ["--tls-certificate", "first.pem", "--tls-key", "first.key"]
                let age = ["--hsts-max-age", "31536000"]
                for (further, value) in [
                    ([], nil), (age, "max-age=31536000"),
                    (age + ["--hsts-subdomains"], "max-age=31536000; includeSubDomains"),
                ] as [([String], String?)] {
                    try await Server.with(options + further, in: folder) { server in
                        let heads = try await Program.shell(
                            """
                            for target in employees/10004 none; do
                                curl --no-fail-with-body --cacert first.pem -D - -o /dev/null https://localhost:\(server.port)/$target
                            done
                            """, in: folder)
                        let values = heads.output.matches(of: /\r\n[Ss]trict-[Tt]ransport-[Ss]ecurity: (.*)\r\n/).map {
                            String($0.1)
                        }
                        #expect(values == (value.map { [$0, $0] } ?? []), "\(heads.output)\(heads.errors)")
                        let plain = try await PlainEndpoint(server).get("/employees/10004")
                        #expect(plain.status == 400 && !plain.headers.contains(name: "Strict-Transport-Security"))
                    }
                }
                for (further, error) in [
                    (age, "--hsts-max-age requires --tls-certificate"),
                    (["--hsts-subdomains"], "--hsts-subdomains requires --hsts-max-age"),
                ] {
                    let result = try await Program.run(["serve"] + further, in: folder)
                    #expect(result.status == 64 && result.errors.contains(error), "\(result.errors)")
                }
            }
        }

        @Test("A certificate that cannot be used is refused at start with what is wrong")
        func unusable() async throws {
            try await TemporaryFolder.with { folder in
                for name in ["first", "second"] { try await TestCertificate.create(name, in: folder) }
                try await TestCertificate.create("rsa", key: .rsa, in: folder)
                try await TestCertificate.createExpired("old", in: folder)
                for (certificate, key, error) in [
                    ("missing.pem", "first.key", "missing.pem cannot be read"),
                    ("first.key", "first.key", "first.key contains no valid certificates in PEM"),
                    ("first.pem", "first.pem", "first.pem contains no private key in PEM"),
                    ("first.pem", "second.key", "the key in second.key is not the key of the first certificate"),
                    ("first.pem", "rsa.key", "the key in rsa.key is not the key of the first certificate"),
                    ("old.pem", "old.key", "old.pem expired at 2020-02-01T00:00:00Z; renew it"),
                ] {
                    let options = ["--port", "0", "--tls-certificate", certificate, "--tls-key", key]
                    let result = try await Program.run(["serve"] + options, in: folder)
                    #expect(result.status == 66 && result.errors.contains(error), "\(result.errors)")
                }
                let half = try await Program.run(["serve", "--tls-key", "first.key"], in: folder)
                #expect(half.status == 64 && half.errors.contains("--tls-key requires --tls-certificate"))
            }
        }
    }

    /// The address of a server without encryption.
    private struct PlainEndpoint: HTTPEndpoint {
        let base: String
        init(_ server: Server) { base = "http://127.0.0.1:\(server.port)" }
    }
}
