import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    /// The commands, figures and examples of the documents. `docs/access.md`, `docs/aggregates.md`,
    /// `docs/any-database.md`, `docs/filters.md` and the shop in `docs/writes.md` have separate tests.
    @Suite("The documents")
    struct DocumentTests {
        /// The documents whose requests the tests send to a new server.
        private static let served = ["README.md", "docs/requests.md", "docs/writes.md", "docs/persisted-queries.md"]

        private static func blocks(
            of documents: [String], where isWanted: (DocumentBlock) -> Bool
        ) -> [DocumentBlock] {
            documents.flatMap { (try? DocumentBlock.all(of: $0)) ?? [] }.filter { $0.language == "sh" && isWanted($0) }
        }

        @Test("The README has at most 150 lines of at most 120 characters")
        func size() throws {
            let lines = try Checkout.text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 151)
            for line in lines { #expect(line.count <= 120, "\(line)") }
        }

        @Test("Each command in the documentation calls a known program")
        func commands() throws {
            let known: Set = [
                "make", "docker", "docker-compose", "curl", "duet", "export", "git", "swift", "tag=$(curl", "sudo",
                "DUET_SCREENSHOTS=/tmp/screenshots",
            ]
            let others: Set = [
                "docs/access.md", "docs/aggregates.md", "docs/any-database.md", "docs/filters.md", "docs/writes.md",
            ]
            for document in try Checkout.documents() where !others.contains(document) {
                let commands = Self.blocks(of: [document]) { _ in true }.flatMap(\.commands)
                #expect(Set(commands).isSubset(of: known), "\(document): \(Set(commands).subtracting(known))")
            }
            #expect(Self.blocks(of: ["README.md"]) { _ in true }.flatMap(\.commands).count > 5)
        }

        @Test("docs/README.md lists each page of docs")
        func index() throws {
            let index = try Checkout.text("docs/README.md")
            for document in try Checkout.documents() where document.hasPrefix("docs/") && document != "docs/README.md" {
                #expect(index.contains("(\(document.dropFirst("docs/".count)))"), "\(document)")
            }
        }

        @Test("The requests of a page, sent to a new server, return the documented responses", arguments: served)
        func requests(document: String) async throws {
            let blocks = Self.blocks(of: [document]) { block in
                block.commands.contains { $0.hasSuffix("curl") }
                    && (document != "docs/writes.md" || block.text.contains("employee"))
            }
            #expect(blocks.count > 1)
            try await TemporaryFolder.with { folder in
                try await Server.with(in: folder) { server in
                    for block in blocks { try await request(block, of: server, in: folder) }
                }
            }
        }

        @Test("A server with --debug-statements returns the SQL of a request, as docs/page.md shows")
        func statements() async throws {
            let block = try #require(Self.blocks(of: ["docs/page.md"]) { $0.commands == ["curl", "curl"] }.first)
            #expect(block.answer != nil)
            try await SampleDatabase.with { folder, database in
                try await Server.with(["--database", database, "--debug-statements"], in: folder) { server in
                    try await request(block, of: server, in: folder)
                }
            }
        }

        /// Runs the requests of a block, and compares the response with the one that the document shows.
        private func request(_ block: DocumentBlock, of server: Server, in folder: URL) async throws {
            let script = block.text.replacing("http://127.0.0.1:8080", with: server.base)
            let result = try await Program.shell(script, in: folder)
            let isRefusal = block.answer?.contains("\"status\":4") ?? false
            #expect((result.status == 0) != isRefusal, "\(block.text)\(result.output)\(result.errors)")
            #expect(block.shows(result.output), "\(block.text)\(result.output)")
        }

        @Test(
            "The commands of docs/data.md work",
            arguments: blocks(of: ["docs/data.md"]) { block in
                block.commands.contains("duet") && !block.text.contains("mariadb:") && !block.text.contains("git clone")
            })
        func programs(block: DocumentBlock) async throws {
            try await TemporaryFolder.with { folder in
                // A schema and a GraphQL document for the commands that validate documents.
                try Data("type Query { employee(id: ID!): Employee } type Employee { lastName: String! }".utf8).write(
                    to: folder.appending(path: "schema.graphql"))
                let queries = folder.appending(path: "queries")
                try FileManager.default.createDirectory(at: queries, withIntermediateDirectories: true)
                try Data("query One { employee(id: 10004) { lastName } }".utf8).write(
                    to: queries.appending(path: "one.graphql"))
                try await run(block.text, in: folder)
            }
        }

        @Test("The command of docs/comparison.md writes an HTML report (tested with one task and --no-timing)")
        func comparison() async throws {
            let block = try #require(Self.blocks(of: ["docs/comparison.md"]) { $0.text.contains("duet compare") }.first)
            try await TemporaryFolder.with { folder in
                let command = "duet compare three-levels --employees 1000 --no-timing"
                try await run(block.text.replacing("duet compare", with: command), in: folder)
                let page = try String(contentsOf: folder.appending(path: "report.html"), encoding: .utf8)
                #expect(page.contains("three-levels"))
            }
        }

        @Test(
            "The commands of docs/data.md for MariaDB work",
            .enabled(if: TestBackend.available.contains(.mariaDB), "needs the MariaDB server that make test starts"))
        func mariaDB() async throws {
            let block = try #require(Self.blocks(of: ["docs/data.md"]) { $0.text.contains("mariadb:") }.first)
            try await TestDatabase.withURL(.mariaDB) { url in
                try await TemporaryFolder.with { folder in
                    let shown = "mariadb://duet:secret@127.0.0.1:3306/employees"
                    #expect(block.text.contains(shown))
                    try await run(block.text.replacing(shown, with: url.text), in: folder)
                }
            }
        }

        @Test(
            "The import of docs/data.md works with part of the original data instead of the download",
            .enabled(if: Checkout.hasPublishedData, "needs the original data in ../shared/data/employees-10k"))
        func importing() async throws {
            let block = try #require(Self.blocks(of: ["docs/data.md"]) { $0.text.contains("git clone") }.first)
            let lines = block.text.split(separator: "\n")
            #expect(lines.first == "git clone https://github.com/datacharmer/test_db")
            try await TemporaryFolder.with { folder in
                try FileManager.default.createSymbolicLink(
                    at: folder.appending(path: "test_db"), withDestinationURL: Checkout.publishedData)
                try await run(lines.dropFirst().joined(separator: "\n"), in: folder)
            }
        }

        @Test("The make targets of the README are in the Makefile")
        func makeTargets() throws {
            let text = try Checkout.text("README.md")
            let makefile = try Checkout.text("Makefile")
            let targets = Set(text.matches(of: /\bmake ([a-z-]+)/).map { String($0.1) })
            #expect(targets.isSuperset(of: ["run", "test", "help", "bench", "docs"]))
            for target in targets.subtracting(["of", "a"]) {
                #expect(makefile.contains("\n.PHONY: \(target)\n\(target):"), "make \(target)")
            }
        }

        @Test(
            "docs/performance.md has the date and the number of cores of a run, and a row for each measurement of the server"
        )
        func figures() throws {
            let text = try Checkout.text("docs/performance.md")
            let section = try #require(text.firstMatch(of: /(?s)<!-- speed: begin.*?-->(.*)<!-- speed: end -->/)?.1)
            #expect(section.contains(/\b20\d\d-\d\d-\d\d, \d+ cores/))
            let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }
            for (backend, what) in try Self.measured() {
                #expect(rows.contains { $0.hasPrefix("| \(backend) | \(what) |") }, "\(backend): \(what)")
            }
            #expect(section.contains("duet sample, 300,024 employees") && section.contains("- resident memory: "))
        }

        @Test("The figures in the README equal figures in docs/performance.md")
        func summary() throws {
            let performance = try Checkout.text("docs/performance.md")
            let rows = DocumentTable.rows(of: try Checkout.text("README.md")).filter { row in
                row.cells["requests/s"].map { !$0.hasPrefix("---") } ?? false
            }
            #expect(rows.count == 5)
            let lines = performance.split(separator: "\n")
            for row in rows {
                let figures = try ["requests/s", "processor time (user + system)"].map { cell in
                    "| \(try #require(row.cells[cell]).replacing(" µs", with: "").replacing(",", with: "")) |"
                }
                #expect(lines.contains { line in figures.allSatisfy { line.contains($0) } }, "\(row.text)")
            }
        }

        /// The backend and the name of each row that duet-bench reports.
        private static func measured() throws -> [(backend: Substring, what: Substring)] {
            var measured: [(backend: Substring, what: Substring)] = []
            let source = try Checkout.text("Benchmarks/duet-bench/DuetBench.swift")
            for function in source.split(separator: #/\n    (?:private )?func /#) {
                for row in function.matches(of: #/report\.add\(\s*(?:"(\w+)"|backend), (?:"([^"]+)"|what)/#) {
                    // If the name is a variable, its values are the names in a list of the same function.
                    let names =
                        row.2.map { [$0] } ?? function.matches(of: #/\("([^"]+)", Target\./#).map { $0.1 }
                    #expect(!names.isEmpty, "\(row.0)")
                    for backend in row.1.map({ [$0] }) ?? ["SQLite", "MariaDB"] {
                        measured += names.map { (backend, $0) }
                    }
                }
            }
            #expect(measured.count > 15)
            return measured
        }

        private static let compose = ["/usr/bin", "/usr/local/bin"].map { $0 + "/docker-compose" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }

        @Test(
            "docker-compose.yml is a valid Compose file with the services that docs/deployment.md uses",
            .enabled(if: compose != nil, "needs docker-compose"))
        func containers() async throws {
            let compose = try #require(Self.compose)
            try await TemporaryFolder.with { folder in
                let file = Checkout.folder.appending(path: "docker-compose.yml").path
                for (profile, expected) in [
                    ([], ["mariadb", "server", "cache"]),
                    (["--profile", "replicas"], ["mariadb", "replica", "server", "server-2", "cache"]),
                ] as [([String], Set<Substring>)] {
                    let result = try await Program.run(
                        ["--file", file] + profile + ["config", "--services"], of: compose, in: folder)
                    #expect(result.status == 0, "\(result.errors)")
                    #expect(Set(result.output.split(separator: "\n")) == expected)
                }
                let blocks = Self.blocks(of: ["docs/deployment.md"]) { $0.commands.contains("docker-compose") }
                #expect(
                    blocks.map(\.text) == [
                        "docker-compose up --build\n", "docker-compose run --rm server sample\n",
                        "docker-compose --env-file deployment/replicas.env --profile replicas up --build\n",
                    ])
            }
        }

        @Test("The example programs of docs/libraries.md succeed with the URL of a server and no standard input")
        func clientExamples() async throws {
            let block = try #require(Self.blocks(of: ["docs/libraries.md"]) { $0.commands.contains("swift") }.first)
            try await SampleDatabase.with { folder, database in
                try await Server.with(["--database", database], in: folder) { server in
                    for line in block.text.split(separator: "\n") {
                        let name = try #require(line.wholeMatch(of: /swift run ([a-z-]+)/)?.1)
                        let result = try await Program.shell("\(name) \(server.base)", in: folder)
                        #expect(result.status == 0, "\(line): \(result.errors)")
                    }
                }
            }
        }

        @Test("The Swift example of docs/libraries.md is the tested code, and returns employees with their titles")
        func example() async throws {
            let shown = try #require(try DocumentBlock.all(of: "docs/libraries.md").first { $0.language == "swift" })
            #expect(shown.text == (try Checkout.text("Tests/IntegrationTests/LibraryExample.swift")))
            try await SampleDatabase.with(employees: 50) { folder, url in
                let database = Database(try DatabaseURL(url))
                let json = try await employees(hiredOn: try #require(CalendarDate(iso: "1986-12-01")), in: database)
                await database.close()
                let published = """
                    {"employeeNumber":10004,"lastName":"Koblick","titles":[{"title":"Senior Engineer","fromDate":"1995-12-01"},\
                    {"title":"Engineer","fromDate":"1986-12-01"}]}
                    """
                #expect(json.contains(published))
            }
        }

        /// Runs a script. If the last line of the script starts a server, the server gets a free port, one request, and
        /// a signal to end.
        private func run(_ script: String, in folder: URL) async throws {
            let lines = script.split(separator: "\n").map(String.init)
            guard let last = lines.last, last.hasPrefix("duet serve"), !last.contains("--help") else {
                let result = try await Program.shell(script, in: folder)
                #expect(result.status == 0, "\(script)\(result.errors)")
                return
            }
            let server = "exec \(last.replacing(" --port 9000", with: "")) --port 0"
            let text = (["set -euo pipefail"] + lines.dropLast() + [server]).joined(separator: "\n")
            try await Program.with(["-c", text], of: "/bin/bash", in: folder) { program in
                let server = try await Server(program)
                #expect(try await server.get("/employees/10004").status == 200)
                #expect(await server.stop().status == 0)
            }
        }
    }
}
