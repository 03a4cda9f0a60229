import ArgumentParser
import DuetHTTPServer

/// The options of `duet serve` for encrypted connections.
struct TLSOptions: ParsableArguments {
    static let certificate = Setting<String, String?>(
        "tls-certificate",
        "PEM file with the certificate of the server, followed by those of its issuers; the server then accepts only encrypted connections. SIGHUP reads the files again",
        valueName: "file", default: nil, defaultText: "none; connections are not encrypted", requirement: "a file"
    ) { $0 }
    static let key = Setting<String, String?>(
        "tls-key", "PEM file with the private key of the certificate", valueName: "file", default: nil,
        defaultText: "none", requirement: "a file"
    ) { $0 }

    static let hstsMaxAge = Setting<Int, Int?>(
        "hsts-max-age",
        "Value of max-age in Strict-Transport-Security: the time for which browsers use only encrypted connections to this host; 0 makes them forget it",
        default: nil, defaultText: "none; the field is not sent", in: 0...315_360_000, unit: "seconds"
    ) { $0 }
    static let hstsSubdomains = Setting(
        "hsts-subdomains", "Send includeSubDomains in Strict-Transport-Security", default: false)

    @Option(Self.certificate) var tlsCertificate: String?
    @Option(Self.key) var tlsKey: String?
    @Option(Self.hstsMaxAge) var hstsMaxAge: Int?
    @Flag(Self.hstsSubdomains) var hstsSubdomains: Bool?

    /// Reads the files; nil for connections without encryption.
    /// - Throws: `ValidationError` if one of the options is missing, or ``TLSIdentity/Unusable``.
    func identity() throws -> TLSIdentity? {
        switch (try Self.certificate.value(tlsCertificate), try Self.key.value(tlsKey)) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return try TLSIdentity(certificateFile: certificate, keyFile: key)
        case (_?, nil):
            throw ValidationError("\(Self.certificate.source(tlsCertificate)) requires --\(Self.key.name)")
        case (nil, _?):
            throw ValidationError("\(Self.key.source(tlsKey)) requires --\(Self.certificate.name)")
        }
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
