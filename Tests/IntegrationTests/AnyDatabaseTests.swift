import DuetJSON
import DuetSQLDatabase
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Any database")
    struct AnyDatabaseTests {
        private static let shop = """
            CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL, password_hash VARCHAR(60));
            CREATE TABLE orders (order_id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL,
                ordered_on DATE, total DECIMAL(10,2) NOT NULL, FOREIGN KEY (customer_id) REFERENCES customers (id));
            CREATE TABLE order_details (order_id INTEGER NOT NULL, line INTEGER NOT NULL, article VARCHAR(20) NOT NULL,
                PRIMARY KEY (order_id, line), FOREIGN KEY (order_id) REFERENCES orders (order_id));
            INSERT INTO customers VALUES (1, 'Ada', 'x'), (2, 'Bob', NULL);
            INSERT INTO orders VALUES (10248, 1, '2024-03-01', 12.5), (10249, 2, NULL, 3);
            INSERT INTO order_details VALUES (10248, 11, 'apples'), (10248, 12, 'pears'), (10249, 11, 'plums')
            """

        /// Creates a database with the tables of a shop, and a folder for files.
        private static func withShop(
            _ backend: TestBackend, _ body: (URL, _ url: String, Database) async throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write { try $0.executeScript(shop) }
                    try await body(folder, database.url.text, database)
                }
            }
        }

        private static func introspect(_ url: String, in folder: URL) async throws -> String {
            let result = try await Program.run(["introspect"], in: folder, environment: ["DUET_DATABASE": url])
            #expect(result.status == 0, "\(result.errors)")
            try Data(result.output.utf8).write(to: folder.appending(path: "api.yaml"))
            return result.output
        }

        @Test(
            "duet serve logs each part of a database that it omits, and serves, validates and compares tables with a collation of another program"
        )
        func unreadableParts() async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(.sqlite, schema: false) { database in
                    try await database.write {
                        try $0.executeScript(
                            """
                            CREATE TABLE tags (name TEXT NOT NULL COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID;
                            INSERT INTO tags VALUES ('b'), ('A'), ('c');
                            CREATE TABLE notes (id INTEGER PRIMARY KEY, tag TEXT COLLATE NOCASE REFERENCES tags (name));
                            CREATE INDEX notes_tag ON notes (tag);
                            INSERT INTO notes VALUES (1, 'b'), (2, 'A'), (3, 'b');
                            CREATE VIEW broken AS SELECT upper(tag) AS tag FROM notes;
                            PRAGMA writable_schema = ON;
                            UPDATE sqlite_schema SET sql = replace(replace(sql, 'NOCASE', 'unicase'), 'upper', 'shout');
                            PRAGMA writable_schema = RESET;
                            """)
                    }
                    let environment = ["DUET_DATABASE": database.url.text]
                    try await Server.with(in: folder, environment: environment) { server in
                        try await server.program.errors.wait(
                            for: "The view broken is omitted, because it cannot be read: no such function: shout")
                        let tags = try await server.get("/tags?details=notes&notes.fields=id")
                        #expect(
                            tags.body
                                == #"[{"name":"A","notes":[{"id":2}]},{"name":"b","notes":[{"id":1},{"id":3}]},{"name":"c","notes":[]}]"#
                        )
                    }
                    let compared = try await Program.run(
                        ["compare", "one", "--no-timing"], in: folder, environment: environment)
                    #expect(compared.status == 0, "\(compared.errors)")
                    _ = try await Self.introspect(database.url.text, in: folder)
                    let validated = try await Program.run(
                        ["validate", "api.yaml", "--data"], in: folder, environment: environment)
                    #expect(validated.output.contains("no errors") && !validated.output.contains("warning"))
                    #expect(validated.status == 0, "\(validated.errors)\(validated.output)")
                }
            }
        }

        @Test(
            "A database is served over REST and GraphQL with its introspected description",
            arguments: TestBackend.available)
        func described(_ backend: TestBackend) async throws {
            try await Self.withShop(backend) { folder, url, _ in
                let description = try await Self.introspect(url, in: folder)
                #expect(try await Self.introspect(url, in: folder) == description)
                try await Server.with(["--api", "api.yaml"], in: folder, environment: ["DUET_DATABASE": url]) {
                    server in
                    let order = try await server.get("/orders/10248?details=customer,orderDetails&orderDetails.first=1")
                    #expect(
                        order.body
                            == #"{"orderId":10248,"customerId":1,"orderedOn":"2024-03-01","total":"12.50","customer":{"id":1,"name":"Ada"},"orderDetails":[{"line":11,"article":"apples"}]}"#
                    )
                    let item = try await server.get("/orderDetails/10248,12")
                    #expect(item.body == #"{"orderId":10248,"line":12,"article":"pears"}"#)
                    let query =
                        #"{"query":"{ order(id: 10248) { total customer { name } orderDetails(first: 1) { nodes { article } totalCount } } }"}"#
                    let data = try await server.send("POST", "/graphql", body: query)
                    #expect(
                        data.body
                            == #"{"data":{"order":{"total":"12.50","customer":{"name":"Ada"},"orderDetails":{"nodes":[{"article":"apples"}],"totalCount":2}}}}"#
                    )
                    #expect(
                        try await server.get("/openapi.json").json["paths"]?["/orderDetails/{orderId},{line}"] != nil)
                    #expect(try await server.get("/schema.graphql").body.contains("type OrderDetail"))
                    #expect(try await server.get("/?api").body.contains("/orderDetails"))
                }
            }
        }

        @Test("Without a description, the server introspects the database at start", arguments: TestBackend.available)
        func introspected(_ backend: TestBackend) async throws {
            try await Self.withShop(backend) { folder, url, _ in
                try await Server.with(in: folder, environment: ["DUET_DATABASE": url]) { server in
                    let list = try await server.get("/customers")
                    #expect(list.body == #"[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}]"#)
                    #expect(try await server.get("/customers?fields=passwordHash").status == 400)
                }
            }
        }

        @Test("A database without tables is rejected, and its file does not change")
        func withoutTables() async throws {
            try await TemporaryFolder.with { folder in
                let file = folder.appending(path: "empty.db")
                let made = try await Program.shell("sqlite3 empty.db 'PRAGMA user_version = 7'", in: folder)
                #expect(made.status == 0, "\(made.errors)")
                let bytes = try Data(contentsOf: file)
                let served = try await Program.run(
                    ["serve", "--database", "sqlite:empty.db", "--port", "0"], in: folder)
                #expect(served.status == 69)
                #expect(
                    served.errors.contains("sqlite:empty.db has no tables; create tables, or fill it with a sample")
                )
                let described = try await Program.run(["introspect", "sqlite:empty.db"], in: folder)
                #expect(described.status == 69 && described.output.isEmpty)
                #expect(described.errors.contains("the database has no table or view that can be described"))
                #expect(try Data(contentsOf: file) == bytes)
            }
        }

        @Test(
            "The API description sets the page sizes of both styles and the maximum cost of a GraphQL query; an option limits scans"
        )
        func limits() async throws {
            try await Self.withShop(.sqlite) { folder, url, database in
                let description = try await Self.introspect(url, in: folder)
                    .replacing("    table: order_details\n", with: "    table: order_details\n    pageSize: 2\n")
                    .replacing("formats:", with: "maxQueryCost: 5\nformats:")
                try Data(description.utf8).write(to: folder.appending(path: "api.yaml"))
                let environment = ["DUET_DATABASE": url]
                let count = #"{"query":"{ orderDetails { nodes { article } } }"}"#
                let costly = #"{"query":"{ orderDetails(first: 100) { nodes { article } } }"}"#
                try await Server.with(["--api", "api.yaml"], in: folder, environment: environment) { server in
                    #expect(
                        try await server.get("/orderDetails?fields=article").json == [
                            ["article": "apples"], ["article": "pears"],
                        ])
                    #expect(
                        try await server.send("POST", "/graphql", body: count).json["data"]?["orderDetails"]?["nodes"]
                            == [["article": "apples"], ["article": "pears"]])
                    let refused = try await server.send("POST", "/graphql", body: costly).body
                    #expect(refused.contains("COST_LIMIT_EXCEEDED"), "\(refused)")
                    let parameter = try await server.get("/openapi.json").json["components"]?["parameters"]?["First2"]
                    #expect(
                        parameter?["description"]
                            == "The maximum number of rows. Without it, JSON has a page of 2; NDJSON and CSV have all rows."
                    )
                }
                try await database.write { connection in
                    try connection.execute("INSERT INTO order_details VALUES (10249, 1, 'figs'), (10249, 2, 'nuts')")
                }
                let arguments = ["--api", "api.yaml", "--max-query-cost", "1000", "--max-scan", "1"]
                try await Server.with(arguments, in: folder, environment: environment) { server in
                    let answer = try await server.send("POST", "/graphql", body: costly).json
                    #expect(answer["data"] != nil && answer["errors"] == nil)
                    let scan = try await server.get("/orderDetails?article=none")
                    #expect(scan.status == 422 && scan.body.contains("scan-too-large"), "\(scan.body)")
                }
            }
        }

        @Test("The server does not change a byte of a database file that it only reads")
        func unchanged() async throws {
            try await Self.withShop(.sqlite) { folder, url, database in
                let path = String(url.dropFirst("sqlite:".count))
                try await database.write { try $0.execute("UPDATE customers SET name = 'Eve' WHERE id = 2") }
                await database.close()
                let before = try Data(contentsOf: URL(filePath: path))
                try await Server.with(["--database", url], in: folder) { server in
                    let query = try await PersistedQuery("{ customers { nodes { name } } }", in: folder)
                    let registered = try await server.send("POST", "/graphql", body: query.body(withText: true))
                    #expect(registered.body.contains("Eve"))
                    #expect(try await server.send("PATCH", "/customers/1", body: #"{"name":"Zoe"}"#).status == 405)
                    #expect(await server.stop().status == 0)
                }
                #expect(try Data(contentsOf: URL(filePath: path)) == before)
            }
        }

        @Test(
            "After a commit by another program, a conditional request returns the new data instead of a 304",
            arguments: TestBackend.available)
        func others(_ backend: TestBackend) async throws {
            try await Self.withShop(backend) { folder, url, database in
                try await Server.with(in: folder, environment: ["DUET_DATABASE": url]) { server in
                    let first = try await server.get("/customers/2")
                    let tag = try #require(first.headers.first(name: "ETag"))
                    #expect(try await server.get("/customers/2", ["If-None-Match": tag]).status == 304)
                    #expect(try await server.get("/customers/2", ["If-None-Match": tag]).status == 304)
                    try await database.write { try $0.execute("UPDATE customers SET name = 'Eve' WHERE id = 2") }
                    let second = try await server.get("/customers/2", ["If-None-Match": tag])
                    #expect(second.status == 200)
                    #expect(second.body == #"{"id":2,"name":"Eve"}"#)
                }
            }
        }

        @Test("Without --expose, the employees API accepts only local host names and those of --hosts")
        func ownHosts() async throws {
            try await SampleDatabase.with(employees: 5) { folder, url in
                try await Server.with(["--database", url, "--hosts", "duet.test"], in: folder) { server in
                    for host in ["duet.test", "DUET.Test:80", "localhost:\(server.port)", "127.0.0.1", "[::1]:80"] {
                        let answer = try await server.get("/employees/10004", ["Host": host])
                        #expect(answer.status == 200, "\(host)")
                    }
                    for host in ["rebound.test", "localhost.rebound.test:80", "localhos", "[::2]:80"] {
                        let answer = try await server.get("/employees/10004", ["Host": host])
                        #expect(answer.status == 421, "\(host)")
                    }
                }
                try await Server.with(["--database", url], in: folder) { server in
                    let answer = try await server.get("/employees/10004", ["Host": "rebound.test"])
                    #expect(answer.status == 421)
                }
                try await Server.with(["--database", url, "--expose"], in: folder) { server in
                    let answer = try await server.get("/employees/10004", ["Host": "duet.test"])
                    #expect(answer.status == 200)
                }
            }
        }

        @Test("Without --expose, --host 0.0.0.0 is rejected, and Host must be a local name or a name of --hosts")
        func hosts() async throws {
            try await Self.withShop(.sqlite) { folder, url, _ in
                let refused = try await Program.run(
                    ["serve", "--database", url, "--host", "0.0.0.0", "--port", "0"], in: folder)
                #expect(refused.status == 64)
                #expect(refused.errors.contains("--expose"))
                try await Server.with(["--database", url, "--hosts", "shop.test"], in: folder) { server in
                    #expect(try await server.get("/customers", ["Host": "shop.test"]).status == 200)
                    #expect(try await server.get("/customers", ["Host": "localhost:\(server.port)"]).status == 200)
                    let answer = try await server.get("/customers", ["Host": "rebound.test"])
                    #expect(answer.status == 421)
                    #expect(try answer.json["code"] == "unknown-host")
                }
                try await Server.with(["--database", url, "--expose", "--host", "0.0.0.0"], in: folder) { server in
                    let answer = try await server.get("/customers", ["Host": "shop.test"])
                    #expect(answer.status == 200)
                }
                let named = ["--database", url, "--expose", "--host", "0.0.0.0", "--hosts", "shop.test"]
                try await Server.with(named, in: folder) { server in
                    let answer = try await server.get("/customers", ["Host": "rebound.test"])
                    #expect(answer.status == 421)
                }
            }
        }

        @Test(
            "The server rejects an invalid name in --hosts at start",
            arguments: [
                "shop.test:9531", "http://shop.test", "*.test", ",", "shop.test,shop test", "shop..test", "-shop.test",
                "shop.test/", "[::1]:80", "[::1", "10.0.0.256", "münchen.test", "a@b",
                String(repeating: "a", count: 64),
            ])
        func badHosts(_ names: String) async throws {
            try await Self.withShop(.sqlite) { folder, url, _ in
                let result = try await Program.run(
                    ["serve", "--database", url, "--hosts=\(names)", "--port", "0"], in: folder)
                #expect(result.status == 64)
                let message = "--hosts must be a list of host names and IP addresses without scheme and port, such as"
                #expect(result.errors.contains(message), "\(result.errors)")
            }
        }

        @Test("--hosts accepts host names, IPv4 addresses and IPv6 addresses")
        func goodHosts() async throws {
            try await Self.withShop(.sqlite) { folder, url, _ in
                let names = "Shop_1.test, xn--mnchen-3ya.test,fqdn.test.,192.168.1.5,FE80:0::1,[fe80::2]"
                try await Server.with(["--database", url, "--hosts", names], in: folder) { server in
                    for host in [
                        "shop_1.test", "xn--mnchen-3ya.test:\(server.port)", "fqdn.test.", "192.168.1.5",
                        "[fe80::1]:80", "[fe80::2]",
                    ] {
                        let answer = try await server.get("/customers", ["Host": host])
                        #expect(answer.status == 200, "\(host)")
                    }
                }
            }
        }

        @Test("SIGHUP applies a changed description and rejects a description with errors")
        func reload() async throws {
            try await Self.withShop(.sqlite) { folder, url, _ in
                let file = folder.appending(path: "api.yaml")
                let description = try await Self.introspect(url, in: folder)
                try await Server.with(["--database", url, "--api", "api.yaml"], in: folder) { server in
                    let old = try await server.get("/customers/1")
                    let tag = try #require(old.headers.first(name: "ETag"))
                    #expect(try await server.get("/customers/1", ["If-None-Match": tag]).status == 304)
                    try Data(
                        description.replacing("name: {", with: "fullName: {column: name, ").replacing(
                            "name]", with: "fullName]"
                        ).utf8
                    )
                    .write(to: file)
                    server.program.send(SIGHUP)
                    try await server.program.errors.wait(for: "The API was reloaded")
                    let new = try await server.get("/customers/1", ["If-None-Match": tag])
                    #expect(new.body == #"{"id":1,"fullName":"Ada"}"#)
                    try Data("duet: 1\nresources: {}\n".utf8).write(to: file)
                    server.program.send(SIGHUP)
                    try await server.program.errors.wait(for: "The description and the tasks could not be reloaded")
                    #expect(try await server.get("/customers/1").body == new.body)
                }
            }
        }

        @Test(
            "After a column is dropped, the error names the resource and the column, and other resources still work",
            arguments: TestBackend.available)
        func changedSchema(_ backend: TestBackend) async throws {
            try await Self.withShop(backend) { folder, url, database in
                try await Server.with(in: folder, environment: ["DUET_DATABASE": url]) { server in
                    #expect(try await server.get("/orderDetails").status == 200)
                    try await database.write { try $0.executeScript("ALTER TABLE order_details DROP COLUMN article") }
                    let failed = try await server.get("/orderDetails?first=1")
                    #expect(failed.status == 503)
                    #expect(
                        failed.body.contains(
                            "orderDetails or one of its relations cannot be read, because the database has no column article"
                        ))
                    let query = #"{"query":"{ customers { nodes { name } } orderDetails { nodes { article } } }"}"#
                    #expect(
                        try await server.send("POST", "/graphql", body: query).body.contains("DATABASE_UNAVAILABLE"))
                    #expect(try await server.get("/customers").status == 200)
                }
            }
        }

        @Test(
            "The error of a failing view names the view, and other fields of the query have values",
            arguments: TestBackend.available)
        func failingView(_ backend: TestBackend) async throws {
            try await Self.withShop(backend) { folder, url, database in
                // The numbers exceed 64 bits, so a read of the view fails.
                let number = backend == .sqlite ? "abs(-9223372036854775807 - id)" : "9223372036854775807 + id"
                try await database.write {
                    try $0.executeScript("CREATE VIEW scores AS SELECT id, \(number) AS score FROM customers")
                }
                try await Server.with(in: folder, environment: ["DUET_DATABASE": url]) { server in
                    for target in ["/scores", "/scores?first=1&fields=score"] {
                        let failed = try await server.get(target)
                        #expect(failed.status == 500)
                        #expect(
                            failed.body.contains("scores or one of its relations cannot be read, because the database"))
                    }
                    let query = #"{"query":"{ scores { nodes { score } } customers(first: 1) { nodes { name } } }"}"#
                    let data = try await server.send("POST", "/graphql", body: query).json
                    #expect(data["data"] == ["scores": nil, "customers": ["nodes": [["name": "Ada"]]]])
                }
            }
        }

        @Test(
            "The server returns a zero date of MariaDB as null in a nullable field, counts it and logs it",
            .enabled(if: TestBackend.available.contains(.mariaDB)))
        func zeroDates() async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(.mariaDB, schema: false) { database in
                    try await database.write {
                        try $0.executeScript(
                            """
                            SET sql_mode = '';
                            CREATE TABLE days (id INT NOT NULL PRIMARY KEY, day DATE);
                            INSERT INTO days VALUES (1, '0000-00-00'), (2, '2024-01-31')
                            """)
                    }
                    try await Server.with(in: folder, environment: ["DUET_DATABASE": database.url.text]) { server in
                        let days = try await server.get("/days")
                        #expect(days.body == #"[{"id":1,"day":null},{"id":2,"day":"2024-01-31"}]"#)
                        #expect(try await server.get("/metrics").body.contains("duet_zero_dates_total 1\n"))
                        try await server.program.errors.wait(for: "Invalid dates, such as 0000-00-00")
                    }
                }
            }
        }

        @Test(
            "On MariaDB, a value that a column cannot store matches no row, and paging through zero dates terminates",
            .enabled(if: TestBackend.available.contains(.mariaDB)))
        func narrowColumnsAndZeroDates() async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(.mariaDB, schema: false) { database in
                    try await database.write {
                        try $0.executeScript(
                            """
                            SET sql_mode = '';
                            CREATE TABLE notes (code VARCHAR(9) CHARACTER SET latin1 NOT NULL PRIMARY KEY,
                                due DATE NOT NULL DEFAULT '0000-00-00');
                            INSERT INTO notes (code) VALUES ('a'), ('é');
                            INSERT INTO notes VALUES ('z', '2024-01-01');
                            """)
                    }
                    let url = database.url.text
                    _ = try await Self.introspect(url, in: folder)
                    for arguments in [[], ["--api", "api.yaml"]] {
                        try await Server.with(arguments, in: folder, environment: ["DUET_DATABASE": url]) { server in
                            // 日 does not exist in latin1, and é does.
                            #expect(try await server.get("/notes?code=%E6%97%A5").body == "[]")
                            #expect(try await server.get("/notes/%E6%97%A5").status == 404)
                            #expect(try await server.get("/notes/%C3%A9").body == #"{"code":"é","due":null}"#)
                            var codes: [String] = []
                            var target: String? = "/notes?sort=-due&first=1&fields=code"
                            while let page = target, codes.count < 9 {
                                let answer = try await server.get(page)
                                codes.append(answer.body)
                                target = answer.headers.first(name: "Link").flatMap {
                                    $0.firstMatch(of: /<([^>]*)>; rel="?next/).map { String($0.1) }
                                }
                            }
                            #expect(codes == [#"[{"code":"z"}]"#, #"[{"code":"é"}]"#, #"[{"code":"a"}]"#])
                        }
                    }
                }
            }
        }

        @Test("A SIGHUP during the start does not end the server, which then reloads the description")
        func earlyReload() async throws {
            try await Self.withShop(.sqlite) { folder, url, _ in
                let description = try await Self.introspect(url, in: folder)
                // The server waits at the start until the description is written to the pipe.
                let file = folder.appending(path: "pipe.yaml")
                #expect(mkfifo(file.path, 0o600) == 0)
                let arguments = ["serve", "--database", url, "--api", file.path, "--port", "0"]
                try await Program.with(arguments, in: folder) { program in
                    let descriptor = try await Polling.observe({ open(file.path, O_WRONLY | O_NONBLOCK) }) { $0 >= 0 }
                    let pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                    program.send(SIGHUP)
                    try pipe.write(contentsOf: Data(description.utf8))
                    // The reload reads a file in the place of the pipe.
                    try FileManager.default.removeItem(at: file)
                    try Data(description.utf8).write(to: file)
                    try pipe.close()
                    try await program.errors.wait(for: "The API was reloaded")
                }
            }
        }

        @Test("Without a description, SIGHUP introspects the tables again")
        func describedAgain() async throws {
            try await Self.withShop(.sqlite) { folder, url, database in
                try await Server.with(["--database", url], in: folder) { server in
                    #expect(try await server.get("/notes").status == 404)
                    try await database.write {
                        try $0.executeScript("CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY)")
                    }
                    server.program.send(SIGHUP)
                    try await server.program.errors.wait(for: "The API was reloaded")
                    let notes = try await server.get("/notes")
                    #expect(notes.body == "[]")
                }
            }
        }

        @Test("Registered queries are stored in a separate file, not in the database, and survive a restart")
        func persistedQueries() async throws {
            try await Self.withShop(.sqlite) { folder, url, _ in
                let query = try await PersistedQuery("{ customer(id: 1) { name } }", in: folder)
                for withText in [true, false] {
                    let arguments = ["--database", url, "--persisted-query-file", "queries.sqlite"]
                    try await Server.with(arguments, in: folder) { server in
                        let answer = try await server.send("POST", "/graphql", body: query.body(withText: withText))
                        #expect(answer.body == #"{"data":{"customer":{"name":"Ada"}}}"#)
                        #expect(await server.stop().status == 0)
                    }
                }
                let refused = try await Program.run(
                    ["serve", "--database", url, "--persisted-query-store", "--port", "0"], in: folder)
                #expect(refused.status == 64)
                #expect(refused.errors.contains("--persisted-query-file"))
                let same = try await Program.run(
                    [
                        "serve", "--database", url, "--persisted-query-file", String(url.dropFirst("sqlite:".count)),
                        "--port", "0",
                    ], in: folder)
                #expect(same.status == 64)
                #expect(same.errors.contains("contains other tables"))
            }
        }

        @Test(
            "The commands of docs/any-database.md, docs/filters.md and docs/aggregates.md work in order, with the documented output"
        )
        func documentation() async throws {
            let own = try DocumentBlock.all(of: "docs/any-database.md").filter { $0.language == "sh" }
            let filters = try DocumentBlock.all(of: "docs/filters.md").filter { $0.language == "sh" }
            let aggregates = try DocumentBlock.all(of: "docs/aggregates.md").filter { $0.language == "sh" }
            let start = try #require(own.firstIndex { $0.text.hasPrefix("duet serve") })
            // The second tour begins with the database of an application.
            let second = try #require(own.firstIndex { $0.text.contains("places.sqlite") })
            try await run(Array(own[..<second]) + filters)
            try await run(Array(own[second...]))
            try await run(Array(own[..<start]) + aggregates)
        }

        /// Runs the blocks before `duet serve`, starts the server, and runs the other blocks.
        private func run(_ blocks: [DocumentBlock]) async throws {
            let start = try #require(blocks.firstIndex { $0.text.hasPrefix("duet serve") })
            #expect(start > 1 && blocks.count > start + 1)
            try await TemporaryFolder.with { folder in
                for block in blocks[..<start] {
                    let result = try await Program.shell(block.text, in: folder)
                    #expect(result.status == 0, "\(block.text)\(result.errors)")
                }
                let arguments = blocks[start].text.split(whereSeparator: \.isWhitespace).dropFirst(2).map(String.init)
                try await Server.with(arguments, in: folder) { server in
                    for block in blocks[(start + 1)...] {
                        let script = block.text.replacing("http://127.0.0.1:8080", with: server.base)
                        let result = try await Program.shell(script, in: folder)
                        let isRefusal = block.answer?.contains("\"status\":4") ?? false
                        #expect((result.status == 0) != isRefusal, "\(block.text)\(result.errors)")
                        let isShown = block.answer != nil && block.shows(result.output)
                        #expect(isShown || block.commands == ["duet"], "\(block.text)\(result.output)")
                    }
                }
            }
        }

        @Test(
            "duet compare compares REST and GraphQL with tasks from the description or from a file",
            arguments: TestBackend.available)
        func compared(_ backend: TestBackend) async throws {
            try await Self.withShop(backend) { folder, url, _ in
                let environment = ["DUET_DATABASE": url]
                let made = try await Program.run(
                    ["compare", "--no-timing", "--format", "json"], in: folder, environment: environment)
                #expect(made.status == 0, "\(made.errors)")
                let names = made.output.matches(of: /"name":"([a-z-]+)","task"/).map { String($0.1) }
                #expect(
                    Set(names).isSuperset(of: ["one", "list", "one-with-relations", "list-with-relation", "pages"]))
                let tasks = """
                    - name: own
                      sentence: Show an order with its articles.
                      rest: [GET /orders/10248, GET /orders/10248/orderDetails]
                      rest-fields: ["GET /orders/10248?fields=total&details=orderDetails"]
                      graphql: ["{ order(id: 10248) { total orderDetails { nodes { article } } } }"]
                      pick: [total, {orderDetails: [article]}]
                    """
                try Data(tasks.utf8).write(to: folder.appending(path: "tasks.yaml"))
                let own = try await Program.run(
                    ["compare", "--no-timing", "--tasks", "tasks.yaml"], in: folder, environment: environment)
                #expect(own.status == 0 && own.output.contains("## own"), "\(own.errors)")
            }
        }

        @Test(
            "A task whose response has a number out of range is reported and skipped, and the other tasks are compared"
        )
        func unreadableAnswers() async throws {
            try await TestDatabase.with(.sqlite, schema: false) { database in
                try await database.write {
                    try $0.executeScript(
                        """
                        CREATE TABLE docs (id INTEGER NOT NULL PRIMARY KEY, doc JSON);
                        INSERT INTO docs VALUES (1, '[1]'), (2, '[1e400]');
                        """)
                }
                try await TemporaryFolder.with { folder in
                    let result = try await Program.run(
                        ["compare", "--database", database.url.text, "--no-timing"], in: folder)
                    #expect(result.status == 65)
                    #expect(
                        result.errors.contains(/Skipped: list as GraphQL by hash: the number is too large at line 1/),
                        "\(result.errors)")
                    #expect(result.output.contains("## one"), "\(result.output)")
                    #expect(result.output.contains("\n\nSkipped: list as GraphQL by hash: "), "\(result.output)")
                }
            }
        }

        @Test("duet compare measures the times of REST and GraphQL, and their memory in new servers")
        func timed() async throws {
            try await Self.withShop(.sqlite) { folder, url, _ in
                let result = try await Program.run(
                    ["compare", "one-with-relations", "--turn", "10", "--format", "json"], in: folder,
                    environment: ["DUET_DATABASE": url])
                #expect(result.status == 0, "\(result.errors)")
                // The memory can be measured only if the query that was registered with the first server is also
                // registered with the new servers.
                let measures = result.output.matches(of: /"name":"graphql-hash","measures":.*?"peakMemory":\{?[^n]/)
                #expect(measures.count == 1)
                #expect(result.output.contains(#""name":"timeFrom50ms","rest":{"median":"#))
                #expect(result.output.contains(#""name":"serverTime","rest":{"median":"#))
            }
        }

        @Test("The API descriptions in docs/any-database.md are valid")
        func documentedDescription() async throws {
            let blocks = try DocumentBlock.all(of: "docs/any-database.md").filter { $0.language == "yaml" }
            try await TemporaryFolder.with { folder in
                for block in blocks {
                    try Data(block.text.utf8).write(to: folder.appending(path: "api.yaml"))
                    let result = try await Program.run(["schema", "--api", "api.yaml"], in: folder)
                    #expect(result.status == 0, "\(result.errors)")
                    #expect(result.output.contains("type Order "))
                }
            }
        }

        @Test("The CSV example of the OpenAPI document has quotes around a value with a comma")
        func exampleInCSV() async throws {
            let description = """
                duet: 1
                resources:
                  notes:
                    singular: note
                    type: Note
                    key: [id]
                    fields:
                      id: {type: integer, example: 1}
                      text: {type: text, example: 'one, "two"'}
                """
            try await TemporaryFolder.with { folder in
                try Data(description.utf8).write(to: folder.appending(path: "api.yaml"))
                let result = try await Program.run(["openapi", "--api", "api.yaml"], in: folder)
                #expect(result.status == 0, "\(result.errors)")
                #expect(result.output.contains(#"1,"one, ""two"""#))
            }
        }

        @Test("A description with an error is rejected at start, and the message has the file, line and column")
        func mistakes() async throws {
            try await Self.withShop(.sqlite) { folder, url, _ in
                let description = try await Self.introspect(url, in: folder)
                try Data(description.replacing("type: date,", with: "type: day,").utf8).write(
                    to: folder.appending(path: "api.yaml"))
                let result = try await Program.run(["serve", "--database", url, "--api", "api.yaml"], in: folder)
                #expect(result.status == 66)
                #expect(result.errors.contains(/api\.yaml:\d+:\d+: type is one of/))
            }
        }
    }
}
