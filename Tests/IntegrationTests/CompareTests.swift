import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("duet compare")
    struct CompareTests {
        /// True if nginx is installed. If so, the tasks also run through nginx.
        private static let hasCache = CachingProxy.Product.nginx.executable != nil

        private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text.utf8) }

        private func list(_ value: JSONValue?) throws -> [JSONValue] {
            guard case .array(let elements)? = value else { throw CocoaError(.coderReadCorrupt) }
            return elements
        }

        @Test("duet compare starts a server, runs every task and removes its files")
        func all() async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.run(
                    ["compare", "--employees", "1000", "--no-timing", "--format", "json"], in: folder,
                    environment: ["TMPDIR": folder.path])
                #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
                let report = try json(result.output)
                let scenarios = try list(report["scenarios"])
                #expect(scenarios.count == 13)
                for scenario in scenarios {
                    #expect(scenario["equal"] == true && scenario["task"] != nil, "\(scenario)")
                    let measures = try list(scenario["conclusion"]?["measures"])
                    #expect(measures.map { $0["name"] } == ["requests", "bytes"], "\(scenario)")
                    let styles = try list(scenario["styles"])
                    let isCached = Self.hasCache && scenario["name"] != "write"
                    let others = scenario["name"] == "report" ? 3 : scenario["name"] == "dashboard" ? 2 : 0
                    #expect(styles.count == (isCached ? 10 : 6) + others)
                    for style in styles where style["name"] == "graphql-hash-warm" {
                        #expect(style["measures"]?["cacheHits"] == style["measures"]?["requests"], "\(scenario)")
                        #expect(style["measures"]?["statements"] == 0)
                    }
                    for style in styles { #expect(style["measures"]?["requests"] != nil && style["name"] != nil) }
                }
                #expect(report["machine"]?["cores"] != nil && report["database"]?["database"] != nil)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }

        @Test("duet compare measures each style with no latency, and with network latencies of 10 and 50 ms")
        func timing() async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.run(
                    ["compare", "published-example", "--employees", "1000", "--turn", "10", "--format", "csv"],
                    in: folder)
                #expect(result.status == 0, "\(result.errors)")
                let lines = result.output.split(separator: "\n").map {
                    $0.split(separator: ",", omittingEmptySubsequences: false)
                }
                func isCached(_ line: [Substring]) -> Bool { line[1].hasSuffix("-cold") || line[1].hasSuffix("-warm") }
                // The style rest has two rows, because its three requests can be sent concurrently or one after
                // another. All other styles need one request.
                #expect(
                    lines.dropFirst().prefix(7).map { $0[1] } == [
                        "rest", "rest", "rest-details", "rest-fields", "graphql", "graphql-minified", "graphql-hash",
                    ])
                for name in [
                    "latencyP50", "latencyTasks", "requestLatencyP50", "throughput", "serverCPU", "clientCPU",
                    "loadRate",
                    "loadedLatencyP50", "loadedLatencyTasks", "latencyFrom0ms",
                ] {
                    let column = try #require(lines[0].firstIndex(of: Substring(name)))
                    for line in lines.dropFirst() {
                        let isLeftOut = isCached(line) && name.hasPrefix("load")
                        #expect(isLeftOut ? line[column].isEmpty : (Double(line[column]) ?? 0) > 0, "\(name)")
                    }
                }
                // Five turns of 10 ms have fewer than the ten thousand tasks that the 99.9th percentile requires.
                let (tail, cache) = try (
                    #require(lines[0].firstIndex(of: "latencyP999")), #require(lines[0].firstIndex(of: "cacheCPU"))
                )
                for line in lines.dropFirst() {
                    #expect(line[tail].isEmpty && line[2] == "true")
                    #expect(isCached(line) ? (Double(line[cache]) ?? 0) > 0 : line[cache].isEmpty, "\(line)")
                }
                // Some values are empty: single resources compress little, a cache does not compress responses again,
                // and the report does not include the memory of the cache.
                let compressed = ["gzippedThroughput", "gzippedServerCPU", "gzippedClientCPU"]
                for name in compressed + ["peakMemory"] {
                    let column = try #require(lines[0].firstIndex(of: Substring(name)))
                    for (line, style) in lines.dropFirst().map({ ($0, $0[1]) }) {
                        let isLeftOut = isCached(line) || style == "rest" && compressed.contains(name)
                        #expect(isLeftOut ? line[column].isEmpty : (Double(line[column]) ?? 0) > 0, "\(style): \(name)")
                    }
                }
                let (near, far) = try (
                    #require(lines[0].firstIndex(of: "latencyFrom10ms")),
                    #require(lines[0].firstIndex(of: "latencyFrom50ms"))
                )
                for line in lines.dropFirst() {
                    // The values are microseconds. The minimum is one round trip, and three for sequential requests.
                    let trips = line[1] == "rest" && line.contains("sequential") ? 3.0 : 1
                    #expect(try #require(Double(line[near])) >= trips * 10_000)
                    #expect(try #require(Double(line[far])) >= trips * 50_000)
                }
            }
        }

        @Test("duet compare --url uses a running server, writes only if requested and restores the old values")
        func url() async throws {
            try await SampleDatabase.with(employees: 100) { folder, database in
                try await Server.with(["--database", database], in: folder) { server in
                    let before = try await server.get("/employees/10050").body
                    let base = server.base + "/"
                    let read = try await Program.run(
                        ["compare", "--url", base, "--no-timing", "--format", "markdown"], in: folder)
                    #expect(read.status == 0, "\(read.errors)")
                    #expect(read.output.hasPrefix("## Which style is cheaper\n\n- names: "))
                    #expect(read.output.contains("## published-example") && !read.output.contains("## write"))
                    #expect(try await server.get("/employees/10050").body == before)
                    let written = try await Program.run(["compare", "write", "--url", base, "--no-timing"], in: folder)
                    #expect(written.status == 0, "\(written.errors)")
                    // The value is restored.
                    #expect(try await server.get("/employees/10050").body == before)
                }
            }
        }

        @Test(
            "duet compare --cache-url uses a running cache, and measures no requests with a cold cache",
            arguments: CachingProxy.Product.installed)
        func cacheURL(product: CachingProxy.Product) async throws {
            try await SampleDatabase.with(employees: 100) { folder, database in
                try await Server.with(["--database", database], in: folder) { server in
                    try await CachingProxy.with(product, before: server, in: folder) { cache in
                        let result = try await Program.run(
                            [
                                "compare", "list", "pages", "--url", server.base, "--cache-url", cache.base + "/",
                                "--no-timing", "--format", "json",
                            ], in: folder)
                        #expect(result.status == 0, "\(result.errors)")
                        let report = try json(result.output)
                        #expect(report["database"]?["cache"] == .string(cache.base))
                        for scenario in try list(report["scenarios"]) {
                            let styles = try list(scenario["styles"])
                            #expect(styles.count == 8 && scenario["equal"] == true, "\(scenario)")
                            for name in ["rest-fields-warm", "graphql-hash-warm"] {
                                let measures = try #require(styles.first { $0["name"] == .string(name) }?["measures"])
                                #expect(measures["cacheHits"] == measures["requests"] && measures["statements"] == 0)
                            }
                        }
                    }
                }
            }
        }

        @Test(
            "If the styles return different results, duet compare names the scenario and has exit status 1",
            .enabled(if: CachingProxy.Product.nginx.executable != nil, "needs nginx"))
        func disagreement() async throws {
            try await TemporaryFolder.with { folder in
                let locations = """
                    location /employees/10004 {
                        default_type application/json;
                        return 200 '{"employeeNumber":10004,"firstName":"Chirstian","lastName":"Koblick"}';
                    }
                    location /graphql {
                        default_type application/json;
                        return 200 '{"data":{"employee":{"firstName":"Chirstian","lastName":"Other"}}}';
                    }
                    """
                try await ScriptedOrigin.with(locations, in: folder) { origin in
                    let base = origin.base
                    let result = try await Program.run(["compare", "names", "--url", base, "--no-timing"], in: folder)
                    #expect(
                        result.status == 1 && result.errors == "The styles return different results: names\n",
                        "\(result)")
                    // The report has a dash for each value that the server does not report.
                    #expect(
                        result.output.contains("–")
                            && result.output.contains("**The styles return different results.**"))
                    let other = try await Program.run(["compare", "list", "--url", base, "--no-timing"], in: folder)
                    #expect(other.status == 65 && other.errors.contains("list"), "\(other.errors)")
                }
            }
        }

        @Test(
            "duet compare --token sends the token with every request, and shows it nowhere",
            .enabled(if: CachingProxy.Product.nginx.executable != nil, "needs nginx"))
        func token() async throws {
            let token = "eyJ0.anna-token_1.c2ln"
            try await SampleDatabase.with(employees: 100) { folder, database in
                try await Server.with(["--database", database], in: folder) { server in
                    let locations = """
                        location / {
                            default_type application/problem+json;
                            if ($http_authorization != "Bearer \(token)") {
                                return 401 '{"detail":"Refused: $http_authorization"}';
                            }
                            proxy_pass \(server.base);
                        }
                        """
                    try await ScriptedOrigin.with(locations, in: folder) { origin in
                        try Data("\(token)\n".utf8).write(to: folder.appending(path: "token"))
                        let arguments = ["compare", "list", "--url", origin.base]
                        // All kinds of measurements send requests.
                        let timed = try await Program.run(
                            arguments + ["--rounds", "5", "--turn", "10", "--format", "json", "--token", "token"],
                            in: folder)
                        #expect(timed.status == 0 && timed.errors.isEmpty, "\(timed.errors)")
                        #expect(
                            try json(timed.output)["database"]?["caller"] == "the caller of the token in --token")
                        let counted = try await Program.run(
                            arguments + ["--no-timing"], in: folder, environment: ["DUET_TOKEN": token])
                        #expect(counted.status == 0, "\(counted.errors)")
                        #expect(counted.output.contains("- caller: the caller of the token in DUET_TOKEN\n"))
                        let anonymous = try await Program.run(arguments + ["--no-timing"], in: folder)
                        #expect(anonymous.status == 65 && anonymous.errors.contains("has status 401"), "\(anonymous)")
                        // The server repeats the token in its error.
                        let wrong = try await Program.run(
                            arguments + ["--no-timing"], in: folder, environment: ["DUET_TOKEN": token + "x"])
                        #expect(wrong.status == 65 && wrong.errors.contains("Bearer (token)"), "\(wrong)")
                        for result in [timed, counted, wrong] {
                            #expect(!(result.output + result.errors).contains(token))
                        }
                    }
                }
            }
        }

        @Test(
            "duet compare --baseline reports the changes since an earlier report, and rejects other files. The HTML report loads no external resource, and has a section for each scenario and for the method"
        )
        func baseline() async throws {
            // All reports are of one server, which is not started for each of them.
            try await SampleDatabase.with(employees: 100) { folder, database in
                try await Server.with(["--database", database], in: folder) { server in
                    let arguments = ["compare", "list", "badge", "--url", server.base, "--no-timing"]
                    let file = folder.appending(path: "report.json")
                    let first = try await Program.run(arguments + ["--format", "json"], in: folder)
                    try Data(first.output.utf8).write(to: file)
                    let same = try await Program.run(arguments + ["--baseline", "report.json"], in: folder)
                    #expect(same.status == 0 && same.output.hasSuffix("## Changes\n\nNone.\n"), "\(same)")
                    // Simulates a list that was read with two statements.
                    let other = first.output.replacing("\"statements\":1", with: "\"statements\":2")
                    try Data(other.utf8).write(to: file)
                    let changed = try await Program.run(arguments + ["--baseline", "report.json"], in: folder)
                    #expect(
                        changed.output.contains("- list, graphql: statements 2 → 1 (-50%)\n"),
                        "\(changed.output.suffix(900))")
                    let page = try await Program.run(
                        arguments + ["--baseline", "report.json", "--format", "html"], in: folder)
                    #expect(page.output.contains("<h2>Changes</h2>") && page.output.contains("<td>statements</td>"))
                    #expect(page.output.hasPrefix("<!DOCTYPE html>"))
                    for reference in ["http:", "https:", "src=", "<link", "<script", "@import"] {
                        // The report names the server, but the page loads nothing from it.
                        let text = page.output.replacing(server.base, with: "")
                        #expect(!text.contains(reference), "\(reference)")
                    }
                    for part in [
                        "id=\"list\"", "id=\"badge\"", "id=\"method\"", "prefers-color-scheme: dark",
                        "GraphQL by hash",
                    ] {
                        #expect(page.output.contains(part), "\(part)")
                    }
                    let table = try await Program.run(
                        arguments + ["--baseline", "report.json", "--format", "csv"], in: folder)
                    #expect(table.status == 64 && table.errors.contains("--baseline"), "\(table)")
                    try Data("{}".utf8).write(to: file)
                    for name in ["report.json", "missing.json"] {
                        let refused = try await Program.run(arguments + ["--baseline", name], in: folder)
                        #expect(refused.status == 66 && refused.errors.contains(name), "\(refused)")
                        #expect(!refused.errors.contains("NSCocoa"), "\(refused)")
                    }
                }
            }
        }

        @Test(
            "duet compare skips what it cannot read because of a value, compares the rest, and has exit status 65",
            arguments: TestBackend.available)
        func unreadableRow(_ backend: TestBackend) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write {
                        try $0.executeScript(
                            """
                            CREATE TABLE lamps (id INTEGER NOT NULL PRIMARY KEY, lit INTEGER, room VARCHAR(9) NOT NULL);
                            INSERT INTO lamps VALUES (1, 1, 'hall'), (2, 7, 'attic'), (3, 0, 'cellar')
                            """)
                    }
                    let description = """
                        duet: 1
                        resources:
                          lamps:
                            singular: lamp
                            type: Lamp
                            key: [id]
                            fields:
                              id: {type: integer}
                              lit: {type: boolean, nullable: true}
                              room: {type: text}
                        """
                    try Data(description.utf8).write(to: folder.appending(path: "api.yaml"))
                    let result = try await Program.run(
                        ["compare", "--database", database.url.text, "--api", "api.yaml", "--no-timing"]
                            + ["--format", "json"], in: folder)
                    #expect(result.status == 65, "\(result)")
                    let report = try json(result.output)
                    let skipped = try list(report["skipped"]).map { skipped in
                        "\(skipped["name"]?.compactText ?? ""): \(skipped["reason"]?.compactText ?? "")"
                    }
                    // The field, and the styles that request the default fields of the second row.
                    #expect(skipped.count == 5, "\(skipped)")
                    #expect(skipped[0].hasPrefix(#""the field lamps.lit": "lamps.lit "#), "\(skipped)")
                    for (entry, name) in zip(skipped[1...], ["list", "list", "pages", "pages"]) {
                        #expect(entry.hasPrefix("\"\(name)\": \"REST"), "\(entry)")
                        #expect(
                            entry.contains("/lamps?first=100 has status 500 instead of 200: lamps.lit "), "\(entry)")
                    }
                    let scenarios = try list(report["scenarios"])
                    #expect(scenarios.map { $0["name"] } == ["one", "list", "search", "pages"])
                    for scenario in scenarios {
                        #expect(scenario["equal"] == true)
                        let styles = try list(scenario["styles"]).map { $0["name"] }
                        #expect(styles.contains("rest-fields") && styles.contains("graphql"), "\(scenario)")
                    }
                    #expect(result.errors.hasPrefix("Skipped: the field lamps.lit: lamps.lit "), "\(result.errors)")
                }
            }
        }

        @Test(
            "Tables and columns can have the names of a connection's fields, of GraphQL's members and of parameters",
            arguments: TestBackend.available)
        func names(_ backend: TestBackend) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write {
                        try $0.executeScript(
                            """
                            CREATE TABLE nodes (node INTEGER NOT NULL PRIMARY KEY, `data` JSON, errors VARCHAR(9) NOT NULL);
                            CREATE TABLE edges (
                                `cursor` INTEGER NOT NULL PRIMARY KEY, nodes VARCHAR(9) NOT NULL, total_count INTEGER NOT NULL,
                                node_id INTEGER NOT NULL, FOREIGN KEY (node_id) REFERENCES nodes (node));
                            CREATE TABLE page_infos (
                                `count` INTEGER NOT NULL PRIMARY KEY, `first` VARCHAR(9) NOT NULL, edges JSON,
                                edge_id INTEGER NOT NULL, FOREIGN KEY (edge_id) REFERENCES edges (`cursor`));
                            INSERT INTO nodes VALUES
                                (1, '{"nodes":[{"id":1}],"pageInfo":{"hasNextPage":true}}', 'none'), (2, '{"edges":[]}', 'two');
                            INSERT INTO edges VALUES (1, 'a', 3, 1), (2, 'b', 4, 1), (3, 'c', 5, 2);
                            INSERT INTO page_infos VALUES (1, 'x', '[{"node":1}]', 1), (2, 'y', '{"nodes":[]}', 1)
                            """)
                    }
                    let result = try await Program.run(
                        ["compare", "--database", database.url.text, "--no-timing", "--format", "json"], in: folder)
                    #expect(result.status == 0, "\(result.errors)")
                    let scenarios = try list(try json(result.output)["scenarios"])
                    #expect(scenarios.count >= 6)
                    #expect(scenarios.allSatisfy { $0["equal"] == true }, "\(scenarios)")
                }
            }
        }

        @Test("duet compare rejects invalid arguments with a message that says what is valid")
        func refusals() async throws {
            try await TemporaryFolder.with { folder in
                for (arguments, status, message) in [
                    (["everything"], Int32(64), "there is no scenario everything; the scenarios are names, published"),
                    (["--url", "example.com"], 64, "--url must be an http:// address"),
                    (
                        ["--url", "http://127.0.0.1:1", "--cache-url", "cache"], 64,
                        "--cache-url must be an http:// address"
                    ),
                    (["--cache-url", "http://127.0.0.1:1"], 64, "--cache-url requires the server behind the cache"),
                    (["--token", "token"], 64, "--token requires the server that accepts the token"),
                    (
                        ["--url", "http://127.0.0.1:1", "--token", "eyJ0.e30.x"], 64,
                        "--token must be the path of a readable"
                    ),
                    (["--employees", "5"], 64, "--employees must be a number from 1000"),
                    (["--rounds", "4"], 64, "--rounds must be a number from 5"), (["--turn", "1"], 64, "--turn"),
                    (["--url", "http://127.0.0.1:1", "names"], 69, "(requested from http://127.0.0.1:1)"),
                ] {
                    let result = try await Program.run(["compare"] + arguments, in: folder)
                    #expect(result.status == status && result.errors.contains(message), "\(arguments): \(result)")
                    #expect(result.output.isEmpty)
                }
            }
        }

        @Test("On SIGTERM, duet compare ends its server and removes its files")
        func termination() async throws {
            try await TemporaryFolder.with { folder in
                try await Program.with(
                    ["compare", "--employees", "1000"], in: folder, environment: ["TMPDIR": folder.path]
                ) { program in
                    try await CommandLines.naming(folder) { !$0.isEmpty }
                    program.send(SIGTERM)
                    _ = await program.result()
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
                #expect(try CommandLines.naming(folder) == [])
            }
        }

        @Test("On SIGTERM, duet compare ends without waiting for the complete sample")
        func earlyTermination() async throws {
            try await TemporaryFolder.with { folder in
                try await Program.with(
                    ["compare", "--employees", "300024"], in: folder, environment: ["TMPDIR": folder.path]
                ) { program in
                    let sample = try await RunningProcess.find(naming: folder, "duet\0sample")
                    // The process that creates the sample is stopped until SIGTERM is pending.
                    sample.send(SIGSTOP)
                    program.send(SIGTERM)
                    try await sample.waitUntilPending(SIGTERM)
                    sample.send(SIGCONT)
                    #expect(await program.result().status == 128 + SIGTERM)
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
                #expect(try CommandLines.naming(folder) == [])
            }
        }

        @Test("On SIGTERM during a write, duet compare restores the old values", .timeLimit(.minutes(15)))
        func interruptedWriting() async throws {
            try await SampleDatabase.with(employees: 100) { folder, database in
                try await Server.with(["--database", database], in: folder) { server in
                    let before = try await server.get("/employees/10050").body
                    try await Program.with(["compare", "write", "--url", server.base], in: folder) { program in
                        while try await server.get("/employees/10050").body == before {}
                        program.send(SIGTERM)
                        #expect(await program.result().status == 128 + SIGTERM)
                    }
                    #expect(try await server.get("/employees/10050").body == before)
                }
            }
        }

        @Test("After a SIGKILL of duet compare, its server and its cache also end")
        func killed() async throws {
            try await TemporaryFolder.with { folder in
                try await Program.with(
                    ["compare", "--employees", "1000"], in: folder, environment: ["TMPDIR": folder.path]
                ) { program in
                    let parts = ["duet\0serve"] + (Self.hasCache ? ["nginx: master"] : [])
                    try await CommandLines.naming(folder) { lines in
                        parts.allSatisfy { part in lines.contains { $0.contains(part) } }
                    }
                    program.send(SIGKILL)
                    #expect(await program.result().status == 128 + SIGKILL)
                    try await CommandLines.naming(folder) { $0.isEmpty }
                }
            }
        }
    }
}
