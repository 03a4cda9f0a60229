import ArgumentParser
import DuetHTTPServer

/// The options of `duet serve` for encrypted connections and HTTP/2.
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
    static let http2Plaintext = Setting(
        "http2-plaintext",
        "Also accept HTTP/2 on connections without encryption, from clients that know that the server does; on encrypted connections, clients can always choose HTTP/2",
        default: false)

    @Option(Self.certificate) var tlsCertificate: String?
    @Option(Self.key) var tlsKey: String?
    @Flag(Self.http2Plaintext) var http2Plaintext: Bool?

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
}
