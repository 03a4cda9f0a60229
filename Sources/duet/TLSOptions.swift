import ArgumentParser
import DuetHTTPServer

/// The options of `duet serve` for encrypted connections and HTTP/2.
struct TLSOptions: ParsableArguments {
    static let certificate = Setting<String, String?>(
        "tls-certificate",
        "PEM file with the certificate of the server, followed by those of its issuers; the server then accepts only encrypted connections. The files are read again when they change, and on SIGHUP",
        valueName: "file", default: nil, defaultText: "none; connections are not encrypted", requirement: "a file"
    ) { $0 }
    static let key = Setting<String, String?>(
        "tls-key", "PEM file with the private key of the certificate", valueName: "file", default: nil,
        defaultText: "none", requirement: "a file"
    ) { $0 }
    static let clientAuthorities = Setting<String, String?>(
        "tls-client-authorities",
        "PEM file with the certificates of the authorities that issue the certificates of clients", valueName: "file",
        default: nil, defaultText: "none; clients need no certificate", requirement: "a file"
    ) { $0 }
    static let clientCertificates = Setting(
        "tls-client-certificates",
        "Whether each client must have a certificate; with optional, a client can omit it", default: Presence.required)
    static let http2Plaintext = Setting(
        "http2-plaintext",
        "Also accept HTTP/2 on connections without encryption, from clients that begin with HTTP/2 (prior knowledge); on encrypted connections, clients can always choose HTTP/2",
        default: false)

    static let hstsMaxAge = Setting<Int, Int?>(
        "hsts-max-age",
        "Value of max-age in Strict-Transport-Security: the time for which browsers use only encrypted connections to this host; with 0, they end this rule",
        default: nil, defaultText: "none; the field is not sent", in: 0...315_360_000, unit: "seconds"
    ) { $0 }
    static let hstsSubdomains = Setting(
        "hsts-subdomains", "Send includeSubDomains in Strict-Transport-Security", default: false)

    @Option(Self.certificate) var tlsCertificate: String?
    @Option(Self.key) var tlsKey: String?
    @Option(Self.clientAuthorities) var tlsClientAuthorities: String?
    @Option(Self.clientCertificates) var tlsClientCertificates: Presence?
    @Flag(Self.http2Plaintext) var http2Plaintext: Bool?
    @Option(Self.hstsMaxAge) var hstsMaxAge: Int?
    @Flag(Self.hstsSubdomains) var hstsSubdomains: Bool?

    /// Whether clients must have a certificate.
    enum Presence: String, ExpressibleByArgument, CaseIterable {
        case required, optional
    }

    /// Reads the files; nil for connections without encryption.
    /// - Throws: `ValidationError` if one of the options is missing, or ``TLSIdentity/Unusable``.
    func identity() throws -> TLSIdentity? {
        let (certificate, key) = (try Self.certificate.value(tlsCertificate), try Self.key.value(tlsKey))
        let authorities = try Self.clientAuthorities.value(tlsClientAuthorities)
        let presence = try Self.clientCertificates.value(tlsClientCertificates)
        if Self.clientCertificates.isSet(tlsClientCertificates), authorities == nil {
            throw ValidationError(
                "\(Self.clientCertificates.source(tlsClientCertificates)) requires --\(Self.clientAuthorities.name)")
        }
        guard let certificate else {
            let others = [
                key.map { _ in Self.key.source(tlsKey) },
                authorities.map { _ in Self.clientAuthorities.source(tlsClientAuthorities) },
            ].compactMap(\.self)
            guard let other = others.first else { return nil }
            throw ValidationError("\(other) requires --\(Self.certificate.name)")
        }
        guard let key else {
            throw ValidationError("\(Self.certificate.source(tlsCertificate)) requires --\(Self.key.name)")
        }
        return try TLSIdentity(
            certificateFile: certificate, keyFile: key,
            clients: authorities.map { .init(authoritiesFile: $0, areRequired: presence == .required) })
    }

    /// Returns the value of `Strict-Transport-Security` (RFC 6797, section 6.1); nil to omit the field.
    /// - Throws: `ValidationError` if the connections are not encrypted, because browsers then ignore the field.
    func transportSecurity() throws -> String? {
        let maxAge = try Self.hstsMaxAge.value(hstsMaxAge)
        let includesSubdomains = try Self.hstsSubdomains.value(hstsSubdomains)
        guard let maxAge else {
            guard !includesSubdomains else {
                throw ValidationError(
                    "\(Self.hstsSubdomains.source(hstsSubdomains)) requires --\(Self.hstsMaxAge.name)")
            }
            return nil
        }
        guard try Self.certificate.value(tlsCertificate) != nil else {
            throw ValidationError("\(Self.hstsMaxAge.source(hstsMaxAge)) requires --\(Self.certificate.name)")
        }
        return "max-age=\(maxAge)\(includesSubdomains ? "; includeSubDomains" : "")"
    }
}
