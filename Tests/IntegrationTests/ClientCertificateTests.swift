import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite(
        "duet serve with certificates of clients and HTTP/2",
        .enabled(if: TestCertificate.isAvailable && Program.find("curl") != nil, "needs openssl and curl"))
    struct ClientCertificateTests {
        private static let description = """
            duet: 1
            description: A shop.
            resources:
              orders:
                singular: order
                type: Order
                key: [id]
                fields:
                  id: {type: integer}
                  customer: {type: text}
            roles:
              customer:
                resources:
                  orders: {read: {where: {customer: {eq: {claim: client_certificate.common_name}}}}}

            """

        /// Runs a server whose role `customer` sees the orders with the name of the client's certificate.
        private static func withShop(
            _ options: [String], _ body: (_ server: Server, _ folder: URL) async throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(.sqlite, schema: false) { database in
                    try await database.write { connection in
                        try connection.executeScript(
                            """
                            CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT NOT NULL);
                            INSERT INTO orders VALUES (1, 'ada'), (2, 'grace'), (3, 'ada');
                            """)
                    }
                    try Data(description.utf8).write(to: folder.appending(path: "api.yaml"))
                    try await TestCertificate.create("server", in: folder)
                    for name in ["ada", "stranger"] {
                        try await TestCertificate.create(name, name: "/O=A, B/CN=\(name)", in: folder)
                    }
                    let options =
                        [
                            "--database", database.url.text, "--api", "api.yaml", "--anonymous-role", "customer",
                            "--tls-certificate", "server.pem", "--tls-key", "server.key",
                            "--tls-client-authorities", "ada.pem",
                        ] + options
                    try await Server.with(options, in: folder) { server async throws in try await body(server, folder) }
                }
            }
        }

        /// Requests the orders with curl.
        /// - Parameter certificate: The name of the client's certificate.
        /// - Returns: The body, the version, the status and `Cache-Control`; the error of curl if the handshake fails.
        private static func orders(
            _ server: Server, certificate: String?, version: String = "2", in folder: URL
        ) async throws -> String {
            let client = certificate.map { "--cert \($0).pem --key \($0).key" } ?? ""
            let result = try await Program.shell(
                """
                curl --silent --show-error --cacert server.pem \(client) --http\(version) \\
                    --write-out ' %{http_version} %{http_code} %header{cache-control}' \\
                    https://localhost:\(server.port)/orders
                """, in: folder)
            return result.status == 0 ? result.output : result.errors
        }

        @Test("The name of the certificate is a claim, and the response is private", arguments: ["1.1", "2"])
        func claim(version: String) async throws {
            try await Self.withShop([]) { server, folder in
                let answer = try await Self.orders(server, certificate: "ada", version: version, in: folder)
                let orders = #"[{"id":1,"customer":"ada"},{"id":3,"customer":"ada"}]"#
                #expect(answer == "\(orders) \(version) 200 private, no-cache")
                #expect(try await Self.orders(server, certificate: nil, in: folder).hasPrefix("curl: "))
                #expect(try await Self.orders(server, certificate: "stranger", in: folder).hasPrefix("curl: "))
            }
        }

        @Test("With optional certificates, a client without one has no claims, and a foreign certificate is refused")
        func optional() async throws {
            try await Self.withShop(["--tls-client-certificates", "optional"]) { server, folder in
                let answer = try await Self.orders(server, certificate: nil, in: folder)
                #expect(answer.contains("error: 403"), "\(answer)")
                #expect(try await Self.orders(server, certificate: "stranger", in: folder).hasPrefix("curl: "))
                #expect(try await Self.orders(server, certificate: "ada", in: folder).contains(#""id":3"#))
            }
        }

        @Test("Changed files are read without a signal, and connections go on")
        func watch() async throws {
            try await Self.withShop(["--tls-client-certificates", "optional"]) { server, folder in
                try await TestCertificate.create("next", in: folder)
                for type in ["key", "pem"] {
                    let file = folder.appending(path: "server.\(type)")
                    try Data(contentsOf: folder.appending(path: "next.\(type)")).write(to: file, options: .atomic)
                }
                try await server.program.errors.wait(for: "The certificate was reloaded")
                // The file server.pem has the new certificate, which curl trusts.
                #expect(try await Self.orders(server, certificate: "ada", in: folder).contains(#""id":3"#))
            }
        }
    }
}
