import DuetJSON
import DuetSQLDatabase
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("duet serve with roles and tokens")
    struct CallerTests {
        private static let description = """
            duet: 1
            description: A shop.
            resources:
              products:
                singular: product
                type: Product
                key: [id]
                fields:
                  id: {type: integer}
                  name: {type: text}
                  cost: {type: integer}
              orders:
                singular: order
                type: Order
                key: [id]
                fields:
                  id: {type: integer}
                  customer: {type: integer}

            """
        private static let roles = """
            roles:
              visitor:
                resources:
                  products: {read: {except: [cost]}}
              customer:
                includes: [visitor]
                resources:
                  orders: {read: {where: {customer: {eq: {claim: customer}}}}}

            """

        /// Creates a database and the descriptions `roles.yaml` and `plain.yaml` in a folder.
        private static func withShop(_ body: (_ folder: URL, _ url: String) async throws -> Void) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(.sqlite, schema: false) { database in
                    try await database.write { connection in
                        try connection.executeScript(
                            """
                            CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, cost INTEGER NOT NULL);
                            CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL);
                            INSERT INTO products VALUES (1, 'Apples', 3), (2, 'Pears', 4);
                            INSERT INTO orders VALUES (1, 7), (2, 8), (3, 7);
                            """)
                    }
                    try Data((description + roles).utf8).write(to: folder.appending(path: "roles.yaml"))
                    try Data(description.utf8).write(to: folder.appending(path: "plain.yaml"))
                    try await body(folder, database.url.text)
                }
            }
        }

        private static let tokens = TestToken.environment

        @Test("A server with roles and tokens listens on all addresses without --expose, and --hosts restricts Host")
        func addresses() async throws {
            try await Self.withShop { folder, url in
                let options = ["--database", url, "--api", "roles.yaml", "--host", "0.0.0.0"]
                let token = TestToken(["role": "customer", "customer": 7]).field
                try await Server.with(options, in: folder, environment: Self.tokens) { server async throws in
                    let orders = try await server.get("/orders", token.merging(["Host": "any.test"]) { $1 })
                    #expect(orders.body == #"[{"id":1,"customer":7},{"id":3,"customer":7}]"#)
                    #expect(try await server.get("/products").status == 401)
                    #expect(try await server.get("/metrics").status == 200)
                    #expect(try await server.get("/metrics", ["X-Forwarded-For": "192.0.2.1"]).status == 404)
                }
                let anonymous = ["--anonymous-role", "visitor", "--hosts", "shop.test"]
                try await Server.with(options + anonymous, in: folder, environment: Self.tokens) {
                    server async throws in
                    #expect(try await server.get("/products", ["Host": "shop.test"]).body.contains("Apples"))
                    #expect(try await server.get("/products", ["Host": "any.test"]).status == 421)
                    #expect(try await server.get("/orders", token.merging(["Host": "any.test"]) { $1 }).status == 421)
                    #expect(try await server.get("/orders").status == 404)
                }
            }
        }

        @Test("The examples that a server prints at its start are requests of the anonymous role, or have a token")
        func greeting() async throws {
            try await Self.withShop { folder, url in
                let options = ["--database", url, "--api", "roles.yaml"]
                try await Server.with(options, in: folder, environment: Self.tokens) { server async throws in
                    #expect(server.program.output.text.contains(#"curl -H "Authorization: Bearer $TOKEN" "#))
                }
                let anonymous = options + ["--anonymous-role", "visitor"]
                try await Server.with(anonymous, in: folder, environment: Self.tokens) { server async throws in
                    #expect(!server.program.output.text.contains("TOKEN"))
                    #expect(!server.program.output.text.contains("/orders"))
                }
            }
        }

        @Test("SIGHUP applies changed roles, and rejects a description that does not fit the options")
        func reload() async throws {
            try await Self.withShop { folder, url in
                let file = folder.appending(path: "roles.yaml")
                let options = ["--database", url, "--api", "roles.yaml", "--anonymous-role", "visitor"]
                try await Server.with(options, in: folder, environment: Self.tokens) { server async throws in
                    let before = try await server.get("/products")
                    #expect(before.body == #"[{"id":1,"name":"Apples"},{"id":2,"name":"Pears"}]"#)
                    let tag = try #require(before.headers.first(name: "ETag"))
                    let changed = Self.roles.replacing("{except: [cost]}", with: "{fields: [name], order: [name]}")
                    try Data((Self.description + changed).utf8).write(to: file)
                    server.program.send(SIGHUP)
                    try await server.program.errors.wait(for: "The API was reloaded")
                    let after = try await server.get("/products", ["If-None-Match": tag])
                    #expect(after.status == 200 && after.body == #"[{"name":"Apples"},{"name":"Pears"}]"#)
                    let renamed = Self.roles.replacing("visitor", with: "guest")
                    for (description, error) in [
                        (Self.description, "requires roles, but the description of the API has none"),
                        (Self.description + renamed, "the description has no role visitor"),
                    ] {
                        try Data(description.utf8).write(to: file)
                        server.program.send(SIGHUP)
                        try await server.program.errors.wait(for: error)
                    }
                    #expect(try await server.get("/products").body == after.body)
                }
            }
        }

        @Test("SIGHUP reads the file of the token keys again")
        func keys() async throws {
            try await Self.withShop { folder, url in
                let file = folder.appending(path: "keys.json")
                func write(_ secret: String) throws {
                    let key = Data(secret.utf8).base64EncodedString().replacing("+", with: "-").replacing(
                        "/", with: "_"
                    )
                    .replacing("=", with: "")
                    try Data(#"{"keys":[{"kty":"oct","alg":"HS256","k":"\#(key)"}]}"#.utf8).write(to: file)
                }
                let secrets = [TestToken.secret, "another secret with more than thirty-two bytes"]
                let callers = secrets.map { TestToken(["role": "visitor"], secret: $0).field }
                try write(secrets[0])
                let options = [
                    "--database", url, "--api", "roles.yaml", "--token-keys", "keys.json", "--token-issuer",
                    TestToken.issuer, "--token-audience", TestToken.audience,
                ]
                try await Server.with(options, in: folder) { server async throws in
                    #expect(try await server.get("/products", callers[0]).status == 200)
                    #expect(try await server.get("/products", callers[1]).status == 401)
                    try write(secrets[1])
                    server.program.send(SIGHUP)
                    try await server.program.errors.wait(for: "The API was reloaded")
                    #expect(try await server.get("/products", callers[0]).status == 401)
                    #expect(try await server.get("/products", callers[1]).status == 200)
                }
            }
        }

        @Test("A server whose keys cannot be fetched starts, is not ready and says why")
        func unreachableKeys() async throws {
            try await Self.withShop { folder, url in
                let options = [
                    "--database", url, "--api", "roles.yaml", "--anonymous-role", "visitor", "--token-keys",
                    "http://127.0.0.1:1/keys", "--token-issuer", TestToken.issuer, "--token-audience",
                    TestToken.audience,
                ]
                try await Server.with(options, in: folder) { server async throws in
                    try await server.program.errors.wait(for: "The token keys could not be fetched")
                    let ready = try await server.get("/health/ready")
                    #expect(
                        ready.status == 503 && ready.body.contains("could not be fetched from http://127.0.0.1:1/keys"))
                    #expect(try await server.get("/products").status == 200)
                    let token = TestToken(["role": "visitor"]).field
                    #expect(try await server.get("/products", token).status == 503)
                }
            }
        }

        /// Options that cannot be combined, with the description, the variables, and a part of the error.
        static let inconsistent: [(api: String, options: [String], environment: [String: String], error: String)] = [
            ("roles.yaml", [], [:], "the description has roles, so the server must identify its callers"),
            ("plain.yaml", [], tokens, "DUET_TOKEN_SECRET requires roles"),
            ("plain.yaml", ["--anonymous-role", "visitor"], [:], "--anonymous-role requires roles"),
            (
                "roles.yaml", ["--anonymous-role", "nobody"], tokens,
                "--anonymous-role: the description has no role nobody; its roles are visitor, customer"
            ),
            (
                "roles.yaml", [], ["DUET_TOKEN_SECRET": TestToken.secret],
                "DUET_TOKEN_SECRET requires --token-issuer and --token-audience"
            ),
            (
                "roles.yaml", [], ["DUET_TOKEN_SECRET": TestToken.secret, "DUET_TOKEN_ISSUER": "a"],
                "requires --token-issuer and --token-audience"
            ),
            (
                "roles.yaml", ["--token-issuer", "a", "--anonymous-role", "visitor"], [:],
                "--token-issuer requires the keys of the tokens"
            ),
            (
                "roles.yaml", ["--token-role-claim", "role", "--anonymous-role", "visitor"], [:],
                "--token-role-claim requires the keys of the tokens"
            ),
            (
                "roles.yaml", [], tokens.merging(["DUET_TOKEN_SECRET": "short"]) { $1 },
                "DUET_TOKEN_SECRET: the secret has 5 bytes"
            ),
            (
                "roles.yaml", ["--token-algorithms", "RS256"], tokens,
                "--token-algorithms: no key has one of these algorithms; the keys have HS256"
            ),
            ("roles.yaml", ["--token-algorithms", "none"], tokens, "--token-algorithms must be a list of algorithms"),
            ("roles.yaml", ["--token-role-claim", "a..b"], tokens, "--token-role-claim must be a path with dots"),
            ("roles.yaml", ["--tasks", "tasks.json"], tokens, "--tasks cannot be combined with roles"),
        ]

        @Test("Options for callers that cannot be combined have exit status 64 and an error that says what to do")
        func inconsistent() async throws {
            try await Self.withShop { folder, url in
                try Data("[]".utf8).write(to: folder.appending(path: "tasks.json"))
                for (api, options, environment, error) in Self.inconsistent {
                    let result = try await Program.run(
                        ["serve", "--database", url, "--api", api, "--port", "0"] + options, in: folder,
                        environment: environment)
                    #expect(result.status == 64, "\(options): \(result.errors)")
                    #expect(result.errors.contains(error), "\(options): \(result.errors)")
                    #expect(!result.errors.contains(TestToken.secret))
                }
                let missing = try await Program.run(
                    ["serve", "--database", url, "--api", "roles.yaml", "--token-keys", "none.json", "--port", "0"],
                    in: folder, environment: ["DUET_TOKEN_ISSUER": "a", "DUET_TOKEN_AUDIENCE": "b"])
                #expect(missing.status == 66 && missing.errors.contains("none.json"))
            }
        }
    }
}
