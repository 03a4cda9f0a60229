import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

/// The way of a change from the commit of another program, through the server and a proxy, to a list in a browser.
@Suite(
    "Live lists in a browser", .enabled(if: Nginx.executable != nil, "needs nginx"), .timeLimit(.minutes(15)))
struct LiveListTests {
    private static let description = """
        duet: 1
        resources:
          departments:
            singular: department
            type: Department
            key: [id]
            fields:
              id: {type: int}
              name: {type: text, maxLength: 40}
              region: {type: int}
        roles:
          staff:
            resources:
              departments: {read: {where: {region: {eq: {claim: region}}}}}

        """
    private static let script = """
        CREATE TABLE departments (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, region INTEGER NOT NULL);
        INSERT INTO departments VALUES (1, 'Sales', 1), (2, 'Finance', 2);
        """
    private static let target = "/departments?fields=name"

    /// A page with the code of `docs/live.md`. It shows the departments twice, and records all lists that it has shown.
    private static func page() throws -> String {
        let code = try Checkout.text("docs/live.md").matches(of: /```js\n((?s:.*?))```/).map { String($0.1) }
        #expect(code.count == 2)
        return """
            <!doctype html><meta charset="utf-8"><title>Departments</title><link rel="icon" href="data:,">
            <ul id="rest"></ul><ul id="graphql"></ul>
            <script>
            \(code.joined())
            const shown = { rest: [], graphql: [] };
            const list = (name) => (rows) => {
              const names = rows.map((row) => row.name);
              shown[name].push(names.join());
              const items = names.map((text) => Object.assign(document.createElement('li'), { textContent: text }));
              document.getElementById(name).replaceChildren(...items);
            };
            const token = location.hash.slice(1);
            follow('\(target)', token, list('rest'));
            subscribe('subscription { departments(first: 9) { nodes { name } } }', token,
              ({ departments }) => list('graphql')(departments.nodes));
            </script>
            """
    }

    /// Runs a server with departments, and nginx in front of it, which also serves the page.
    private static func with(
        _ backend: TestBackend, _ body: (Database, Server, _ origin: String) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try await TestDatabase.with(backend, schema: false) { database in
                try await database.write { try $0.executeScript(script) }
                try Data(description.utf8).write(to: folder.appending(path: "api.yaml"))
                let file = folder.appending(path: "page.html")
                try Data(try page().utf8).write(to: file)
                let environment = TestToken.environment.merging(["DUET_DATABASE": database.url.text]) { $1 }
                try await Server.with(
                    ["--api", "api.yaml", "--live-heartbeat", "1"], in: folder, environment: environment
                ) { server in
                    let location = "    location = /page { default_type text/html; alias \(file.path); }"
                    try await Nginx.with(before: server, in: folder, locations: location) { origin in
                        try await body(database, server, origin)
                    }
                }
            }
        }
    }

    /// Commits a change, as another program does.
    private static func commit(_ statement: String, to database: Database) async throws {
        try await database.write { try $0.executeScript(statement) }
    }

    @Test(
        "Lists over events and WebSocket follow what another program commits, through a proxy, with a token that sees a part of the rows, and the server sleeps in between",
        arguments: TestBackend.available)
    func list(_ backend: TestBackend) async throws {
        let token = TestToken(["role": "staff", "region": 1])
        try await Self.with(backend) { database, server, origin in
            try await DevTools.withBrowser { devTools in
                let page = try await BrowserPage(devTools, origin: origin)
                func waitForLists(_ names: String) async throws {
                    for list in ["rest", "graphql"] {
                        let items = "[...document.querySelectorAll('#\(list) li')]"
                        try await page.wait(until: "\(items).map((item) => item.textContent).join() === '\(names)'")
                    }
                }
                try await page.open("/page#\(token.text)")
                try await waitForLists("Sales")
                try await Self.commit("UPDATE departments SET name = 'Secret' WHERE id = 2", to: database)
                try await Self.commit("INSERT INTO departments VALUES (3, 'Research', 1)", to: database)
                try await waitForLists("Sales,Research")

                try await Self.expectSleep(of: server, token, backend)

                try await Self.commit("UPDATE departments SET region = 2 WHERE id = 1", to: database)
                try await waitForLists("Research")
                let lists = ["Sales", "Sales,Research", "Research"]
                for list in ["rest", "graphql"] {
                    #expect(try await page.evaluate("shown.\(list)").items.map(\.string) == lists)
                }
                #expect(page.complaints == [])
                try await page.close()
            }
        }
    }

    /// Checks that the server works neither with the processor nor with the database while nothing commits. The
    /// heartbeats of a further stream measure the time.
    private static func expectSleep(
        of server: Server, _ token: TestToken, _ backend: TestBackend
    ) async throws {
        func statements() async throws -> Double {
            try Exposition(try await server.get("/metrics").body).sum("duet_statements_total")
        }
        var stream = try await server.events("GET", target, token.field)
        #expect(try await stream.next()?.data == #"[{"name":"Sales"},{"name":"Research"}]"#)
        // The answers after the last commit have been sent before the first heartbeat.
        #expect(try await stream.comment())
        let clock = ContinuousClock()
        let before = (statements: try await statements(), time: clock.now, used: try server.program.processorTime())
        for _ in 0..<2 { #expect(try await stream.comment()) }
        let used = try server.program.processorTime() - before.used
        let elapsed = clock.now - before.time
        let count = try await statements() - before.statements
        #expect(used / elapsed < 0.05, "\(used) in \(elapsed)")
        switch backend {
        case .sqlite: #expect(count == 0)
        // One statement asks for commits. If other tests commit on the server, the two questions are read again.
        case .mariaDB: #expect(count <= 3 * (elapsed / .milliseconds(250) + 2), "\(count) in \(elapsed)")
        }
    }
}
