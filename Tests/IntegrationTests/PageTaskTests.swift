import DuetJSON
import DuetSQLDatabase
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Tasks of the start page for any database")
    struct PageTaskTests {
        private static let shop = """
            CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL);
            CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL, note VARCHAR(20) NOT NULL,
                FOREIGN KEY (customer_id) REFERENCES customers (id));
            CREATE TABLE order_details (order_id INTEGER NOT NULL, line INTEGER NOT NULL, article VARCHAR(20) NOT NULL,
                PRIMARY KEY (order_id, line), FOREIGN KEY (order_id) REFERENCES orders (id))
            """
        private static let rows = """
            INSERT INTO customers VALUES (7, 'Ada'), (8, 'Bob');
            INSERT INTO orders VALUES (10248, 7, 'gift'), (10249, 8, 'none');
            INSERT INTO order_details VALUES (10248, 11, 'apples'), (10248, 12, 'pears'), (10249, 11, 'plums')
            """
        private static let browser = ["Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"]

        /// Creates a folder for files and a database with these tables.
        private static func withShop(
            _ backend: TestBackend = .sqlite, rows: String? = rows,
            _ body: (URL, _ url: String, Database) async throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write { try $0.executeScript(shop) }
                    if let rows { try await database.write { try $0.executeScript(rows) } }
                    try await body(folder, database.url.text, database)
                }
            }
        }

        private static func tasks(_ server: Server) async throws -> [JSONValue] {
            let answer = try await server.get("/comparison/tasks.json")
            #expect(answer.status == 200)
            #expect(answer.headers.first(name: "Content-Type") == "application/json")
            guard case .array(let tasks) = try answer.json else { throw NoTasks(text: answer.body) }
            return tasks
        }

        private struct NoTasks: Error {
            let text: String
        }

        private static func lines(_ value: JSONValue?) -> [String] {
            guard case .array(let lines)? = value else { return [] }
            return lines.compactMap(text)
        }

        private static func text(_ value: JSONValue?) -> String? {
            if case .string(let text)? = value { text } else { nil }
        }

        private static func write(_ text: String, to name: String, in folder: URL) throws {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }

        @Test(
            "The tasks are derived from the API description, and work over REST and GraphQL",
            arguments: TestBackend.available)
        func described(_ backend: TestBackend) async throws {
            try await Self.withShop(backend) { folder, url, _ in
                try await Server.with(in: folder, environment: ["DUET_DATABASE": url]) { server in
                    let page = try await server.get("/", Self.browser)
                    #expect(page.body.contains("<select id=\"task\">"))
                    #expect(
                        page.headers.first(name: "Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
                    let tasks = try await Self.tasks(server)
                    #expect(
                        tasks.compactMap { Self.text($0["name"]) } == [
                            "one", "list", "one-with-relations", "list-with-relation", "three-levels", "search",
                            "pages",
                        ])
                    try await Self.send(tasks, to: server)
                    #expect(
                        try await server.get("/comparison/keys.json").json == [
                            ["name": "customers", "key": ["id"]],
                            ["name": "orderDetails", "key": ["orderId", "line"]],
                            ["name": "orders", "key": ["id"]],
                        ])
                    #expect(
                        try await server.get("/?api").body.contains(#"<a href="/">the start page</a>"#))
                }
            }
        }

        /// For each task, sends the requests of the style `rest-fields`, and the GraphQL document.
        private static func send(_ tasks: [JSONValue], to server: Server) async throws {
            for task in tasks {
                for line in lines(task["rest-fields"]) {
                    let answer = try await server.get(String(line.dropFirst("GET ".count)))
                    #expect(answer.status == 200, "\(line): \(answer.body)")
                }
                let query = JSONObject(["query": .string(lines(task["graphql"]).joined(separator: "\n"))])
                let answer = try await server.send("POST", "/graphql", body: JSONValue.object(query).compactText)
                #expect(answer.status == 200 && answer.body.hasPrefix(#"{"data":{"#), "\(answer.body)")
            }
        }

        @Test(
            "Over REST, tasks request three nested lists with one request per parent row, even if keys have 64 bits",
            arguments: TestBackend.available)
        func threeLists(_ backend: TestBackend) async throws {
            let first = "9007199254740993"
            let script = """
                CREATE TABLE users (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL);
                CREATE TABLE posts (id BIGINT NOT NULL PRIMARY KEY, user_id BIGINT NOT NULL, title VARCHAR(20) NOT NULL,
                    FOREIGN KEY (user_id) REFERENCES users (id));
                CREATE TABLE comments (id BIGINT NOT NULL PRIMARY KEY, post_id BIGINT NOT NULL, text VARCHAR(20) NOT NULL,
                    FOREIGN KEY (post_id) REFERENCES posts (id));
                INSERT INTO users VALUES (\(first), 'Ada'), (8, 'Bob');
                INSERT INTO posts VALUES (1, \(first), 'First'), (2, 8, 'Second');
                INSERT INTO comments VALUES (1, 1, 'Yes'), (2, 2, 'No')
                """
            try await Self.withTables(script, backend) { folder, url, server in
                let tasks = try await Self.tasks(server)
                let three = try #require(tasks.first { $0["name"] == "three-levels" })
                #expect(
                    Self.lines(three["rest"]) == [
                        "GET /users?first=10", "", "GET /users/{id}/posts", "", "GET /posts/{id}/comments",
                    ])
                let two = try #require(tasks.first { $0["name"] == "list-with-relation" })
                #expect(Self.lines(two["rest"]) == ["GET /users?first=20", "", "GET /users/{id}/posts"])
                try await Self.send(tasks, to: server)
                let compared = try await Program.run(
                    ["compare", "three-levels", "list-with-relation", "--no-timing"], in: folder,
                    environment: ["DUET_DATABASE": url])
                #expect(compared.status == 0, "\(compared.errors)")
            }
        }

        @Test(
            "The tasks request each relation of a row, including to-one relations, even if the related row is missing",
            arguments: TestBackend.available)
        func eachRelation(_ backend: TestBackend) async throws {
            let tables = ["bills", "calls", "notes", "visits"]
            let lists = ["bills", "calls", "notes", "peopleByBoss", "visits"]
            let script = """
                CREATE TABLE cities (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL);
                CREATE TABLE people (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, city_id INTEGER,
                    boss_id INTEGER, FOREIGN KEY (city_id) REFERENCES cities (id), FOREIGN KEY (boss_id) REFERENCES people (id));
                \(tables.map {
                    "CREATE TABLE \($0) (id INTEGER NOT NULL PRIMARY KEY, person_id INTEGER NOT NULL, FOREIGN KEY (person_id) REFERENCES people (id));"
                }.joined())
                INSERT INTO cities VALUES (3, 'Bonn');
                INSERT INTO people VALUES (1, 'Ada', 3, NULL), (2, 'Bob', NULL, 1)
                \(tables.map { "; INSERT INTO \($0) VALUES (4, 1), (5, 2)" }.joined())
                """
            try await Self.withTables(script, backend) { folder, url, server in
                let tasks = try await Self.tasks(server)
                let task = try #require(tasks.first { $0["name"] == "one-with-relations" })
                #expect(
                    Self.text(task["sentence"])
                        == "Show one person with its bills, calls, notes, peopleByBoss, visits, city and boss.")
                #expect(
                    Self.lines(task["rest"]) == ["GET /people/1?details=city,boss"]
                        + lists.map { "GET /people/1/\($0)" })
                #expect(
                    Self.lines(task["rest-details"]) == [
                        "GET /people/1?details=bills,calls,notes,peopleByBoss,visits,city,boss"
                    ])
                try await Self.send(tasks, to: server)
                let compared = try await Program.run(
                    ["compare", "--no-timing"], in: folder, environment: ["DUET_DATABASE": url])
                #expect(compared.status == 0, "\(compared.errors)")
            }
        }

        @Test("Without lists of related rows, the tasks request to-one relations", arguments: TestBackend.available)
        func noLists(_ backend: TestBackend) async throws {
            // A country's code can be NULL, so a country has no path, and the tasks read a city.
            let script = """
                CREATE TABLE countries (code VARCHAR(2) UNIQUE, name VARCHAR(20) NOT NULL);
                CREATE TABLE cities (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, country_code VARCHAR(2),
                    people INTEGER, founded DATE,
                    FOREIGN KEY (country_code) REFERENCES countries (code));
                INSERT INTO countries VALUES ('de', 'Germany');
                INSERT INTO cities VALUES (3, 'Bonn', 'de', 330000, '1949-05-23'), (4, 'Atlantis', NULL, NULL, NULL)
                """
            try await Self.withTables(script, backend) { folder, url, server in
                let tasks = try await Self.tasks(server)
                #expect(
                    tasks.compactMap { Self.text($0["name"]) } == [
                        "one", "list", "one-with-relations", "list-with-relation", "search", "pages", "totals",
                    ])
                #expect(
                    Self.lines(tasks.last?["rest-aggregates"]) == [
                        "GET /cities?aggregate=count,people.sum",
                        "GET /cities?group=founded.year&aggregate=count&first=1000",
                    ])
                #expect(
                    tasks.dropFirst(2).prefix(2).map { Self.lines($0["rest"]) } == [
                        ["GET /cities/3?details=country"], ["GET /cities?first=20&details=country"],
                    ])
                try await Self.send(tasks, to: server)
                let compared = try await Program.run(
                    ["compare", "--no-timing"], in: folder, environment: ["DUET_DATABASE": url])
                #expect(compared.status == 0, "\(compared.errors)")
            }
        }

        /// Runs a server with a database that has these tables.
        private static func withTables(
            _ script: String, _ backend: TestBackend, _ body: (URL, _ url: String, Server) async throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write { try $0.executeScript(script) }
                    try await Server.with(in: folder, environment: ["DUET_DATABASE": database.url.text]) { server in
                        try await body(folder, database.url.text, server)
                    }
                }
            }
        }

        @Test(
            "The tasks search a text by its first letters, in any alphabet",
            arguments: TestBackend.available,
            [
                // A text with letters is preferred to a text with digits. A text with a wildcard is not used.
                (code: "*7", label: "10", name: "Übel", query: "name.like=%C3%9Cb*"),
                (code: "#7", label: " ", name: "", query: "code.like=%237*"),
                (code: "\\", label: "\"", name: "Ж", query: "name.like=%D0%96*"),
                (code: "*", label: "\\*", name: "", query: nil),
            ] as [(code: String, label: String, name: String, query: String?)])
        func search(
            _ backend: TestBackend, _ texts: (code: String, label: String, name: String, query: String?)
        ) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write { connection in
                        try connection.executeScript(
                            """
                            CREATE TABLE parts (id INTEGER NOT NULL PRIMARY KEY, code VARCHAR(20) NOT NULL, label VARCHAR(20) NOT NULL,
                                name VARCHAR(20) NOT NULL)
                            """)
                        let values = [texts.code, texts.label, texts.name].map { text in
                            "'\(backend == .mariaDB ? text.replacing("\\", with: "\\\\") : text)'"
                        }
                        try connection.executeScript("INSERT INTO parts VALUES (1, \(values.joined(separator: ", ")))")
                    }
                    try await Server.with(in: folder, environment: ["DUET_DATABASE": database.url.text]) { server in
                        let tasks = try await Self.tasks(server)
                        let search = tasks.first { $0["name"] == "search" }
                        guard let query = texts.query else {
                            #expect(search == nil)
                            return
                        }
                        #expect(Self.lines(search?["rest"]) == ["GET /parts?\(query)&first=20"])
                        try await Self.send(tasks, to: server)
                        let compared = try await Program.run(
                            ["compare", "search", "--no-timing", "--format", "json"], in: folder,
                            environment: ["DUET_DATABASE": database.url.text])
                        #expect(compared.status == 0, "\(compared.errors)")
                        let found = try await server.get("/parts?\(query)")
                        #expect(found.body.contains(#""id":1"#), "\(found.body)")
                    }
                }
            }
        }

        @Test("The tasks address a row by a key with columns of any types", arguments: TestBackend.available)
        func keys(_ backend: TestBackend) async throws {
            let kind = backend == .mariaDB ? "ENUM('lamp', 'fan')" : "VARCHAR(4)"
            let script = """
                CREATE TABLE switches (room VARCHAR(20) NOT NULL, kind \(kind) NOT NULL, is_on BOOLEAN NOT NULL, level DECIMAL(5,2) NOT NULL,
                    at DATE NOT NULL, PRIMARY KEY (room, kind, is_on, level, at));
                CREATE TABLE uses (id INTEGER NOT NULL PRIMARY KEY, room VARCHAR(20) NOT NULL, kind \(kind) NOT NULL, is_on BOOLEAN NOT NULL,
                    level DECIMAL(5,2) NOT NULL, at DATE NOT NULL, note VARCHAR(20) NOT NULL,
                    FOREIGN KEY (room, kind, is_on, level, at) REFERENCES switches (room, kind, is_on, level, at));
                INSERT INTO switches VALUES ('a, b/c', 'fan', 1, 1.5, '2024-01-31');
                INSERT INTO uses VALUES (1, 'a, b/c', 'fan', 1, 1.5, '2024-01-31', 'first')
                """
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write { try $0.executeScript(script) }
                    try await Server.with(in: folder, environment: ["DUET_DATABASE": database.url.text]) { server in
                        let tasks = try await Self.tasks(server)
                        // A BOOLEAN of MariaDB is a number.
                        let isOn = backend == .mariaDB ? "1" : "true"
                        #expect(
                            Self.lines(tasks.first?["rest"])
                                == ["GET /switches/a%2C%20b%2Fc,fan,\(isOn),1.50,2024-01-31"])
                        try await Self.send(tasks, to: server)
                    }
                }
            }
        }

        @Test("The server rejects a request for the tasks, the keys or the script of the page if the Host is unknown")
        func hosts() async throws {
            try await Self.withShop { folder, url, _ in
                try await Server.with(["--database", url], in: folder) { server in
                    for file in ["tasks.json", "keys.json", "page.js"] {
                        let answer = try await server.get("/comparison/\(file)", ["Host": "rebound.test"])
                        #expect(answer.status == 421)
                    }
                }
            }
        }

        @Test("A repeated request for the tasks runs no statement, and returns 304 if the entity tag matches")
        func stored() async throws {
            try await Self.withShop { folder, url, _ in
                try await Server.with(["--database", url], in: folder) { server in
                    let first = try await server.get("/comparison/tasks.json")
                    let tag = try #require(first.headers.first(name: "ETag"))
                    #expect(first.headers.first(name: "Cache-Control") == "no-cache")
                    let before = try await Self.statements(server)
                    #expect(try await server.get("/comparison/tasks.json").body == first.body)
                    #expect(try await server.get("/comparison/tasks.json", ["If-None-Match": tag]).status == 304)
                    #expect(try await Self.statements(server) == before)
                }
            }
        }

        private static func statements(_ server: Server) async throws -> [String] {
            try await server.get("/metrics").body.split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix("duet_statements_total") }
        }

        @Test("After SIGHUP, the tasks use the names of the changed description")
        func reload() async throws {
            try await Self.withShop { folder, url, _ in
                let introspected = try await Program.run(["introspect", url], in: folder)
                try Self.write(introspected.output, to: "api.yaml", in: folder)
                try await Server.with(["--database", url, "--api", "api.yaml"], in: folder) { server in
                    let old = try await server.get("/comparison/tasks.json")
                    let tag = try #require(old.headers.first(name: "ETag"))
                    #expect(old.body.contains("GET /orders") || old.body.contains("GET /customers"))
                    let renamed = introspected.output
                        .replacing("  customers:\n", with: "  clients:\n    table: customers\n")
                        .replacing("singular: customer\n", with: "singular: client\n")
                        .replacing("to: customers,", with: "to: clients,")
                    try Self.write(renamed, to: "api.yaml", in: folder)
                    server.program.send(SIGHUP)
                    try await server.program.errors.wait(for: "The API was reloaded")
                    let new = try await server.get("/comparison/tasks.json", ["If-None-Match": tag])
                    #expect(new.status == 200)
                    #expect(new.body.contains("GET /clients/7") && !new.body.contains("/customers"), "\(new.body)")
                    #expect(try await server.get("/comparison/keys.json").body.contains(#""clients""#))
                }
            }
        }

        @Test(
            "The list of tasks is empty until a table has a row",
            arguments: TestBackend.available)
        func withoutRows(_ backend: TestBackend) async throws {
            try await Self.withShop(backend, rows: nil) { folder, url, database in
                try await Server.with(in: folder, environment: ["DUET_DATABASE": url]) { server in
                    #expect(try await server.get("/comparison/tasks.json").body == "[]")
                    #expect(try await server.get("/", Self.browser).status == 200)
                    try await database.write { try $0.executeScript("INSERT INTO customers VALUES (9, 'Eve')") }
                    let tasks = try await Self.tasks(server)
                    #expect(Self.lines(tasks.first?["rest"]) == ["GET /customers/9"])
                }
            }
        }

        @Test(
            "The tasks do not use a missing table. If all tables are missing, the response is a 503"
        )
        func missingTables() async throws {
            try await Self.withShop { folder, url, database in
                try await Server.with(["--database", url], in: folder) { server in
                    try await database.write {
                        try $0.executeScript("ALTER TABLE customers RENAME TO former_customers")
                    }
                    let tasks = try await Self.tasks(server)
                    #expect(Self.lines(tasks.first?["rest"]) == ["GET /orders/10248"])
                }
                try await Server.with(["--database", url], in: folder) { server in
                    try await database.write {
                        try $0.executeScript(
                            """
                            ALTER TABLE former_customers RENAME TO a; ALTER TABLE orders RENAME TO b;
                            ALTER TABLE order_details RENAME TO c
                            """)
                    }
                    let failed = try await server.get("/comparison/tasks.json")
                    #expect(failed.status == 503)
                    #expect(try failed.json["code"] == "database-unavailable")
                    #expect(try await server.get("/", Self.browser).status == 200)
                }
            }
        }

        private static let ownTasks = """
            - name: own
              sentence: Show an order with its articles.
              rest: [GET /orders/10248, GET /orders/10248/orderDetails]
              graphql: ["{ order(id: 10248) { note orderDetails { nodes { article } } } }"]
              pick: [note, {orderDetails: [article]}]
            """

        @Test("The tasks can come from a file, which SIGHUP reloads")
        func ownFile() async throws {
            try await Self.withShop { folder, url, _ in
                try Self.write(Self.ownTasks, to: "tasks.yaml", in: folder)
                try await Server.with(["--database", url, "--tasks", "tasks.yaml"], in: folder) { server in
                    #expect(try await Self.tasks(server).map { Self.text($0["name"]) } == ["own"])
                    try Self.write(
                        Self.ownTasks.replacing("name: own", with: "name: other"), to: "tasks.yaml", in: folder)
                    server.program.send(SIGHUP)
                    try await server.program.errors.wait(for: "The API was reloaded")
                    #expect(try await Self.tasks(server).map { Self.text($0["name"]) } == ["other"])
                    try Self.write("- name: broken", to: "tasks.yaml", in: folder)
                    server.program.send(SIGHUP)
                    try await server.program.errors.wait(for: "The description and the tasks could not be reloaded")
                    #expect(try await Self.tasks(server).map { Self.text($0["name"]) } == ["other"])
                }
            }
        }

        @Test(
            "At start, the server rejects a tasks file with an error, and names the file and the location",
            arguments: [
                (
                    ownTasks.replacing("graphql:", with: "graphQL:"),
                    #"the tasks have an error:\ntasks\.yaml, task own, member graphQL is unknown"#
                ),
                ("- name: [", #"tasks\.yaml:\d+:\d+: "#), ("name: own", #"tasks\.yaml is not an array of tasks"#),
            ])
        func mistakes(text: String, message: String) async throws {
            try await Self.withShop { folder, url, _ in
                try Self.write(text, to: "tasks.yaml", in: folder)
                let result = try await Program.run(
                    ["serve", "--database", url, "--tasks", "tasks.yaml", "--port", "0"], in: folder)
                #expect(result.status == 66)
                #expect(result.errors.contains(try Regex(message)), "\(result.errors)")
            }
        }

        @Test("The server rejects a missing tasks file at start")
        func missingFile() async throws {
            try await Self.withShop { folder, url, _ in
                let result = try await Program.run(
                    ["serve", "--database", url, "--tasks", "none.yaml", "--port", "0"], in: folder)
                #expect(result.status == 66)
                #expect(
                    result.errors.contains("there is no file none.yaml; see docs/comparison.md"), "\(result.errors)")
            }
        }
    }
}
