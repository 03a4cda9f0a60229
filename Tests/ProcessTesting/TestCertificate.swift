package import Foundation

/// Certificates for tests, each of which has signed itself.
package enum TestCertificate {
    /// The arguments of `openssl req -newkey` for the type of a key.
    package enum Key: String {
        case p256 = "ec -pkeyopt ec_paramgen_curve:prime256v1"
        case rsa = "rsa:2048"
    }

    struct Failure: Error {
        let errors: String
    }

    /// True if certificates can be created.
    package static var isAvailable: Bool { Program.find("openssl") != nil }

    /// Creates a certificate `NAME.pem` that is valid for a day, and its key `NAME.key`.
    /// - Parameters:
    ///   - distinguishedName: The subject.
    ///   - subject: The subject alternative name, such as `DNS:localhost`.
    package static func create(
        _ name: String, name distinguishedName: String = "/CN=localhost", subject: String = "DNS:localhost",
        key: Key = .p256, in folder: URL
    ) async throws {
        try await run(
            """
            openssl req -x509 -newkey \(key.rawValue) -nodes -days 1 -subj '\(distinguishedName)' \\
                -addext subjectAltName=\(subject) -keyout \(name).key -out \(name).pem
            """, in: folder)
    }

    /// Creates a certificate `NAME.pem` that has expired at the end of January 2020, and its key `NAME.key`.
    package static func createExpired(_ name: String, in folder: URL) async throws {
        try await run(
            """
            set -e
            openssl req -new -newkey \(Key.p256.rawValue) -nodes -subj /CN=localhost -keyout \(name).key -out \(name).csr
            : >index.txt
            cat >authority.cnf <<'END'
            [ca]
            default_ca = authority
            [authority]
            database = index.txt
            default_md = sha256
            policy = names
            new_certs_dir = .
            rand_serial = yes
            [names]
            commonName = optional
            END
            openssl ca -batch -selfsign -notext -config authority.cnf -keyfile \(name).key -in \(name).csr \\
                -out \(name).pem -startdate 20200101000000Z -enddate 20200201000000Z
            """, in: folder)
    }

    private static func run(_ script: String, in folder: URL) async throws {
        let result = try await Program.shell(script, in: folder)
        guard result.status == 0 else { throw Failure(errors: result.errors) }
    }
}
