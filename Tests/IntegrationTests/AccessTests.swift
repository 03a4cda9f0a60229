import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("duet access, and the roles of a server")
    struct AccessTests {
        private static let description = """
            duet: 1
            resources:
              products:
                singular: product
                type: Product
                key: [id]
                fields:
                  id: {type: int}
                  name: {type: text}
                  cost: {type: int}
              orders:
                singular: order
                type: Order
                key: [id]
                fields:
                  id: {type: int}
                  customerId: {column: customer_id, type: int}
            """
        private static let roles = """

            roles:
              visitor:
                resources:
                  products: {read: {except: [cost]}}
              customer:
                includes: [visitor]
                resources:
                  orders: {read: {where: {customerId: {eq: {claim: customer}}}}}

            """

        private static func withFiles(_ body: (URL) async throws -> Void) async throws {
            try await TemporaryFolder.with { folder in
                try Data((description + roles).utf8).write(to: folder.appending(path: "api.yaml"))
                try Data((description + "\n").utf8).write(to: folder.appending(path: "open.yaml"))
                try await body(folder)
            }
        }

        @Test("The permissions are printed as a table, as Markdown and as JSON")
        func overview() async throws {
            try await Self.withFiles { folder in
                let table = try await Program.run(["access", "api.yaml"], in: folder)
                #expect(table.status == 0, "\(table.errors)")
                #expect(
                    table.output == """
                        role      resource  action  fields           rows                              rule
                        visitor   products  read    all except cost  all rows                          api.yaml:21
                        visitor   orders    read    none             no rows                           not given
                        customer  products  read    all except cost  all rows                          api.yaml:21 (visitor)
                        customer  orders    read    all              rows whose customerId equals the  api.yaml:25
                                                                     claim customer

                        """)
                let markdown = try await Program.run(
                    ["access", "api.yaml", "--role", "visitor", "--format", "markdown"], in: folder)
                #expect(
                    markdown.output == """
                        | role | resource | action | fields | rows | rule |
                        |---|---|---|---|---|---|
                        | visitor | products | read | all except cost | all rows | api.yaml:21 |
                        | visitor | orders | read | none | no rows | not given |

                        """)
                let json = try await Program.shell("duet access - --format json < api.yaml", in: folder)
                let report = try JSONValue(parsing: Data(json.output.trimmingCharacters(in: .newlines).utf8))
                guard case .array(let roles)? = report["roles"] else {
                    Issue.record("\(json)")
                    return
                }
                #expect(roles.map { $0["role"] } == ["visitor", "customer"])
                let open = try await Program.run(["access", "open.yaml"], in: folder)
                #expect(open.status == 0)
                #expect(open.output == "open.yaml has no roles; every caller sees all resources\n")
            }
        }

        @Test("A request is explained, and sent to a database with --database", arguments: TestBackend.available)
        func explanation(backend: TestBackend) async throws {
            try await TestDatabase.with(backend, schema: false) { database in
                try await database.write {
                    try $0.executeScript(
                        """
                        CREATE TABLE products (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, cost INTEGER NOT NULL);
                        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL);
                        INSERT INTO orders VALUES (1, 7), (2, 8);
                        """)
                }
                try await Self.withFiles { folder in
                    let arguments = ["access", "api.yaml", "--role", "customer", "--claims", #"{"customer":7}"#]
                    let environment = ["DUET_DATABASE": database.url.text]
                    let rest = try await Program.run(
                        arguments + ["GET /orders?fields=id"], in: folder, environment: environment)
                    #expect(rest.status == 0, "\(rest.errors)")
                    #expect(
                        rest.output == """
                            GET /orders?fields=id
                            as customer with the claims {"customer":7}

                            orders: read, by api.yaml:25
                              fields: id
                              rows: rows whose customerId equals the claim customer (7)

                            allowed

                            200 [{"id":1}]

                            """)
                    let graphQL = try await Program.run(
                        arguments + [
                            "query ($id: ID!) { order(id: $id) { id } }", "--variables", #"{"id":2}"#, "--format",
                            "json",
                        ], in: folder, environment: environment)
                    #expect(graphQL.status == 0, "\(graphQL.errors)")
                    let report = try JSONValue(parsing: Data(graphQL.output.trimmingCharacters(in: .newlines).utf8))
                    #expect(report["allowed"] == true)
                    #expect(report["answer"] == ["status": 200, "body": ["data": ["order": .null]]])
                }
            }
        }

        @Test("A refused request has the exit status 1, and other errors have 64 and 66")
        func refusals() async throws {
            try await Self.withFiles { folder in
                for (arguments, status, message) in [
                    (["GET /orders"], 1, "refused: 403 claim-missing"),
                    (["{ products { nodes { cost } } }"], 1, "but customer does not see it (api.yaml:21 (visitor))"),
                    (["--claims", "7", "GET /orders"], 64, "--claims must be a JSON object"),
                    (["--claims", "{", "GET /orders"], 64, "--claims must be a JSON object"),
                    (["--claims", "{}"], 64, "--claims requires a request"),
                    (["--variables", "{}", "GET /orders"], 64, "--variables requires a GraphQL document"),
                    (["--format", "markdown", "GET /orders"], 64, "--format markdown is for the permissions"),
                    (["/orders"], 64, "Begin the request with its method"),
                    (["GET orders"], 64, "a method and a path"),
                ] as [([String], Int32, String)] {
                    let result = try await Program.run(
                        ["access", "api.yaml", "--role", "customer"] + arguments, in: folder)
                    #expect(result.status == status, "\(arguments): \(result.errors)")
                    #expect((result.output + result.errors).contains(message), "\(arguments): \(result)")
                }
                for (arguments, status, message) in [
                    (["access", "api.yaml", "GET /orders"], 64, "Pass the role of the caller"),
                    (["access", "api.yaml", "--role", "vistor"], 64, "has no role vistor; did you mean visitor?"),
                    (["access", "open.yaml", "--role", "visitor"], 64, "open.yaml has no roles"),
                    (["access", "nowhere.yaml"], 66, "there is no file nowhere.yaml"),
                    (["schema", "--api", "api.yaml", "--role", "x"], 64, "its roles are visitor, customer"),
                    (["openapi", "--api", "api.yaml", "--role", "custmer"], 64, "did you mean customer?"),
                    (["openapi", "--role", "visitor"], 64, "the description has no roles"),
                ] as [([String], Int32, String)] {
                    let result = try await Program.run(arguments, in: folder)
                    #expect(result.status == status, "\(arguments): \(result.errors)")
                    #expect(result.errors.contains(message), "\(arguments): \(result.errors)")
                }
            }
        }

        @Test("duet schema and duet openapi print the documents that a server sends to the callers of a role")
        func documents() async throws {
            try await TestDatabase.with(.sqlite, schema: false) { database in
                try await database.write {
                    try $0.executeScript(
                        """
                        CREATE TABLE products (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, cost INTEGER NOT NULL);
                        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL);
                        """)
                }
                try await Self.withFiles { folder in
                    let options = ["--api", "api.yaml", "--role", "visitor"]
                    let schema = try await Program.run(["schema"] + options, in: folder)
                    #expect(schema.output.contains("type Product ") && !schema.output.contains("  cost: "))
                    #expect(!schema.output.contains("Order "))
                    let openAPI = try await Program.run(["openapi"] + options, in: folder)
                    #expect(openAPI.output.contains("/products/{id}") && !openAPI.output.contains("/orders"))
                    try await Server.with(
                        ["--api", "api.yaml", "--anonymous-role", "visitor"], in: folder,
                        environment: ["DUET_DATABASE": database.url.text]
                    ) { server in
                        let served = try await server.get("/schema.graphql")
                        #expect(served.body == schema.output)
                        #expect(try await server.get("/openapi.yaml").body == openAPI.output)
                    }
                }
            }
        }

        @Test(
            "The commands of docs/access.md work in order, with the documented output",
            .enabled(if: Program.find("jose") != nil, "needs jose"))
        func tour() async throws {
            let blocks = try DocumentBlock.all(of: "docs/access.md").filter { $0.language == "sh" }
            let start = try #require(blocks.firstIndex { $0.text.hasPrefix("duet serve") })
            try await TemporaryFolder.with { folder in
                for block in blocks[..<start] { try await run(block, in: folder) }
                let line = blocks[start].text.replacing("\\\n", with: " ")
                let arguments = line.split(whereSeparator: \.isWhitespace).dropFirst(2).map(String.init)
                try await Server.with(arguments, in: folder) { server in
                    for block in blocks[(start + 1)...] { try await run(block, of: server, in: folder) }
                }
            }
        }

        /// Runs the commands of a block, and compares their output with the documented one.
        private func run(_ block: DocumentBlock, of server: Server? = nil, in folder: URL) async throws {
            let script = block.text.replacing("http://127.0.0.1:8080", with: server?.base ?? "")
            let result = try await Program.shell(script, in: folder)
            let answer = block.answer ?? ""
            let isRefusal = answer.contains("\"status\":4") || answer.contains("\nrefused: ")
            #expect((result.status == 0) != isRefusal, "\(block.text)\(result.output)\(result.errors)")
            #expect(block.shows(result.output), "\(block.text)\(result.output)")
            if block.commands == ["duet"] { #expect(block.answer == nil || result.output == block.answer) }
        }
    }
}
