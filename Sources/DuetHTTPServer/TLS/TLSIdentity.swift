package import Foundation
import NIOCore
import NIOSSL
import Synchronization

/// The certificate chain and the private key with which a server identifies itself, from files that can be replaced
/// while the server runs.
///
/// A connection keeps the identity with which it began.
package final class TLSIdentity: Sendable {
    /// The reason why an identity cannot be used, and what to do.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// The time for which the certificate of the server is valid.
    package struct Validity: Sendable, Hashable {
        /// The first moment.
        package let start: Date
        /// The last moment.
        package let end: Date
    }

    /// The certificates of clients that a server accepts.
    package struct ClientCertificates: Sendable {
        /// A PEM file with the certificates of their issuers.
        package var authoritiesFile: String
        /// True if each client must have a certificate.
        package var areRequired: Bool

        package init(authoritiesFile: String, areRequired: Bool) {
            self.authoritiesFile = authoritiesFile
            self.areRequired = areRequired
        }
    }

    private struct State {
        var context: NIOSSLContext
        var validity: Validity
    }

    private let certificateFile: String
    private let keyFile: String
    private let clients: ClientCertificates?
    private let state: Mutex<State>
    /// The versions of the files that were last read.
    private let versions: Mutex<[FileVersion?]>

    /// Reads the files.
    /// - Parameters:
    ///   - certificateFile: A PEM file with the certificate of the server, followed by those of its issuers (RFC 8446,
    ///     section 4.4.2).
    ///   - keyFile: A PEM file with the private key of the certificate.
    ///   - clients: The certificates of clients; nil if the server requests none.
    ///   - now: The current moment.
    /// - Throws: ``Unusable`` if a file cannot be used, the key does not fit, or a certificate is not valid now.
    package init(
        certificateFile: String, keyFile: String, clients: ClientCertificates? = nil, now: Date = Date()
    ) throws {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.clients = clients
        self.versions = Mutex(Self.versions(certificateFile, keyFile, clients))
        self.state = Mutex(try Self.read(certificateFile, keyFile, clients, now: now))
    }

    /// Reads the files again. Connections that begin afterwards use the new identity. After an error, the previous
    /// identity remains in use.
    /// - Parameter now: The current moment.
    /// - Throws: ``Unusable`` if a file cannot be used, the key does not fit, or a certificate is not valid now.
    package func reload(now: Date = Date()) throws {
        // Of two concurrent calls, the later one must not be replaced by files that the earlier one has read.
        try self.versions.withLock { versions in
            versions = Self.versions(self.certificateFile, self.keyFile, self.clients)
            let new = try Self.read(self.certificateFile, self.keyFile, self.clients, now: now)
            self.state.withLock { $0 = new }
        }
    }

    /// True if a file has changed since the files were last read.
    package var hasChanged: Bool {
        self.versions.withLock { $0 } != Self.versions(self.certificateFile, self.keyFile, self.clients)
    }

    /// What differs between two versions of a file.
    private struct FileVersion: Equatable {
        var device, file: UInt64
        var size, seconds, nanoseconds: Int
    }

    private static func versions(_ files: String?...) -> [FileVersion?] {
        files.map { file in
            var status = stat()
            guard let file, stat(file, &status) == 0 else { return nil }
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            return FileVersion(
                device: UInt64(truncatingIfNeeded: status.st_dev), file: UInt64(status.st_ino),
                size: Int(status.st_size), seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
        }
    }

    private static func versions(
        _ certificateFile: String, _ keyFile: String, _ clients: ClientCertificates?
    ) -> [FileVersion?] {
        self.versions(certificateFile, keyFile, clients?.authoritiesFile)
    }

    /// The time for which the current identity is valid.
    package var validity: Validity { self.state.withLock(\.validity) }

    /// Returns the handler of a new connection, which encrypts and decrypts.
    func handler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: self.state.withLock(\.context)) }

    private static func read(
        _ certificateFile: String, _ keyFile: String, _ clients: ClientCertificates?, now: Date
    ) throws -> State {
        let certificates = try Self.certificates(in: certificateFile)
        let keyText = try Self.content(of: keyFile)
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(bytes: keyText, format: .pem)
        } catch {
            throw Unusable(
                description:
                    "\(keyFile) contains no private key in PEM that is not encrypted (-----BEGIN PRIVATE KEY-----)")
        }
        // Clients can have other certificates of the issuers, so only that of the server decides.
        let validity = Validity(
            start: Self.date(certificates.first?.notValidBefore), end: Self.date(certificates.first?.notValidAfter))
        guard now <= validity.end else {
            throw Unusable(
                description:
                    "the first certificate in \(certificateFile) expired at \(Self.text(validity.end)); renew it"
            )
        }
        guard now >= validity.start else {
            throw Unusable(
                description:
                    "the first certificate in \(certificateFile) is not valid before \(Self.text(validity.start)); check the clock"
            )
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = Self.cipherSuites
        configuration.applicationProtocols = [HTTPVersion.http2Name, HTTPVersion.http1Name]
        if let clients {
            configuration.certificateVerification =
                clients.areRequired ? .noHostnameVerification : .optionalVerification
            configuration.trustRoots = .certificates(try Self.certificates(in: clients.authoritiesFile))
            configuration.sendCANameList = true
        }
        // A client that must be disconnected has little time for its part of the end.
        configuration.shutdownTimeout = .seconds(1)
        do {
            return State(context: try NIOSSLContext(configuration: configuration), validity: validity)
        } catch {
            throw Unusable(
                description:
                    "the key in \(keyFile) is not the key of the first certificate in \(certificateFile) (\(error))")
        }
    }

    /// The cipher suites of TLS 1.2: those with forward secrecy and authenticated encryption (RFC 9325, section 4.2).
    /// The suites of TLS 1.3 are always enabled.
    private static let cipherSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private static func certificates(in file: String) throws -> [NIOSSLCertificate] {
        let text = try Self.content(of: file)
        do {
            return try NIOSSLCertificate.fromPEMBytes(text)
        } catch {
            throw Unusable(
                description: "\(file) contains no valid certificates in PEM (-----BEGIN CERTIFICATE-----)")
        }
    }

    private static func content(of file: String) throws -> [UInt8] {
        do {
            return try [UInt8](Data(contentsOf: URL(filePath: file)))
        } catch {
            throw Unusable(description: "\(file) cannot be read: \(error.localizedDescription)")
        }
    }

    private static func date(_ seconds: time_t?) -> Date { Date(timeIntervalSince1970: TimeInterval(seconds ?? 0)) }

    private static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}
