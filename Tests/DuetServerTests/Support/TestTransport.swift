import AsyncHTTPClient
import DuetHTTPServer
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import ProcessTesting
import TestSupport

/// The transport of the requests of a test. The same tests run on each of them: with SQLite on HTTP/1, with MariaDB on
/// encrypted connections of HTTP/2. The variable `DUET_TEST_TRANSPORT` selects one for all tests.
enum TestTransport: String, Sendable, CaseIterable {
    /// HTTP/1.1 without encryption.
    case http1
    /// HTTP/1.1 on encrypted connections.
    case tls
    /// HTTP/2 on encrypted connections.
    case http2

    /// The transport of the tests with a database.
    static func of(_ backend: TestBackend) throws -> TestTransport {
        if let name = ProcessInfo.processInfo.environment["DUET_TEST_TRANSPORT"] {
            guard let transport = TestTransport(rawValue: name) else { throw UnknownTransport(name: name) }
            return transport
        }
        return backend == .sqlite || !TestCertificate.isAvailable ? .http1 : .http2
    }

    struct UnknownTransport: Error { let name: String }

    /// The identity of all servers, and its certificate.
    private static let created = Task {
        try await TemporaryFolder.with { folder in
            try await TestCertificate.create("server", subject: "IP:127.0.0.1", in: folder)
            let file = folder.appending(path: "server.pem").path
            return (
                try TLSIdentity(certificateFile: file, keyFile: folder.appending(path: "server.key").path),
                try NIOSSLCertificate.fromPEMFile(file)
            )
        }
    }

    var scheme: String { self == .http1 ? "http" : "https" }

    /// The identity of the server; nil without encryption.
    func identity() async throws -> TLSIdentity? {
        self == .http1 ? nil : try await Self.created.value.0
    }

    /// The configuration of a client that speaks this transport.
    func clientConfiguration() async throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        if self != .http1 { configuration.tlsConfiguration = try await self.clientTLS() }
        configuration.httpVersion = self == .http2 ? .automatic : .http1Only
        return configuration
    }

    private func clientTLS() async throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try await Self.created.value.1)
        return configuration
    }

    /// Returns the handlers of a connection of HTTP/1 whose bytes the test sends and receives.
    func handlers() async throws -> @Sendable () throws -> [any ChannelHandler] {
        guard self != .http1 else { return { [] } }
        var configuration = try await self.clientTLS()
        configuration.applicationProtocols = ["http/1.1"]
        let context = try NIOSSLContext(configuration: configuration)
        return { [try NIOSSLClientHandler(context: context, serverHostname: nil)] }
    }
}
