import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("README")
    struct READMETests {
        /// Programs that cannot run inside a test. Their blocks have separate tests.
        private static let others: Set = ["make", "docker-compose"]

        private static func blocks(_ isWanted: (READMEBlock) -> Bool) -> [READMEBlock] {
            ((try? READMEBlock.all()) ?? []).filter { $0.language == "sh" && isWanted($0) }
        }

        @Test("The commands in the README use only known programs, and there are enough commands")
        func commands() throws {
            let commands = Self.blocks { _ in true }.flatMap(\.commands)
            #expect(
                Set(commands).isSubset(of: [
                    "make", "docker-compose", "curl", "duet", "export", "git", "swift", "tag=$(curl",
                ]))
            #expect(commands.count > 15)
        }

        @Test("The requests in the README work in order on a new server and give the responses shown")
        func requests() async throws {
            let blocks = Self.blocks { $0.commands.contains { $0.hasSuffix("curl") } }
            #expect(blocks.count > 5)
            try await TemporaryFolder.with { folder in
                try await Server.with(in: folder) { server in
                    for block in blocks {
                        let script = block.text.replacing("http://127.0.0.1:8080", with: server.base)
                        let result = try await Program.shell(script, in: folder)
                        let isRefusal = block.answer?.contains("\"status\":4") ?? false
                        #expect((result.status == 0) != isRefusal, "\(block.text)\(result.output)\(result.errors)")
                        #expect(block.shows(result.output), "\(block.text)\(result.output)")
                    }
                }
            }
        }

        @Test(
            "The duet commands in the README work",
            arguments: blocks { block in
                block.commands.contains("duet") && !block.text.contains("mariadb:") && !block.text.contains("git clone")
                    && !block.text.contains("duet compare")
            })
        func programs(block: READMEBlock) async throws {
            try await TemporaryFolder.with { folder in
                // The files of a user who checks documents.
                try Data("type Query { employee(id: ID!): Employee } type Employee { lastName: String! }".utf8).write(
                    to: folder.appending(path: "schema.graphql"))
                let queries = folder.appending(path: "queries")
                try FileManager.default.createDirectory(at: queries, withIntermediateDirectories: true)
                try Data("query One { employee(id: 10004) { lastName } }".utf8).write(
                    to: queries.appending(path: "one.graphql"))
                try await run(block.text, in: folder)
            }
        }

        @Test("The comparison in the README works, here with one task and without timing")
        func comparison() async throws {
            let block = try #require(Self.blocks { $0.text.contains("duet compare") }.first)
            try await TemporaryFolder.with { folder in
                let command = "duet compare three-levels --employees 1000 --no-timing"
                try await run(block.text.replacing("duet compare", with: command), in: folder)
                let page = try String(contentsOf: folder.appending(path: "report.html"), encoding: .utf8)
                #expect(page.contains("three-levels"))
            }
        }

        @Test(
            "The duet commands for MariaDB in the README work",
            .enabled(if: TestBackend.available.contains(.mariaDB), "needs the MariaDB server that make test starts"))
        func mariaDB() async throws {
            let block = try #require(Self.blocks { $0.text.contains("mariadb:") }.first)
            try await TestDatabase.withURL(.mariaDB) { url in
                try await TemporaryFolder.with { folder in
                    let shown = "mariadb://duet:secret@127.0.0.1:3306/employees"
                    #expect(block.text.contains(shown))
                    try await run(block.text.replacing(shown, with: url.text), in: folder)
                }
            }
        }

        @Test(
            "The import in the README works, here with a part of the original data instead of the download",
            .enabled(if: Checkout.hasPublishedData, "needs ../shared/data/employees-10k beside the checkout"))
        func importing() async throws {
            let block = try #require(Self.blocks { $0.text.contains("git clone") }.first)
            let lines = block.text.split(separator: "\n")
            #expect(lines.first == "git clone https://github.com/datacharmer/test_db")
            try await TemporaryFolder.with { folder in
                try FileManager.default.createSymbolicLink(
                    at: folder.appending(path: "test_db"), withDestinationURL: Checkout.publishedData)
                try await run(lines.dropFirst().joined(separator: "\n"), in: folder)
            }
        }

        @Test("The Makefile has all make targets in the README")
        func makeTargets() throws {
            let text = try Checkout.text("README.md")
            let makefile = try Checkout.text("Makefile")
            let targets = Set(text.matches(of: /\bmake ([a-z-]+)/).map { String($0.1) })
            #expect(targets.isSuperset(of: ["run", "test", "help", "bench"]))
            for target in targets.subtracting(["of", "a"]) {
                #expect(makefile.contains("\n.PHONY: \(target)\n\(target):"), "make \(target)")
            }
        }

        @Test(
            "The figures in the README have a date, the number of cores and a row for each measurement"
        )
        func figures() throws {
            let text = try Checkout.text("README.md")
            let section = try #require(text.firstMatch(of: /(?s)<!-- speed: begin.*?-->(.*)<!-- speed: end -->/)?.1)
            #expect(section.contains(/\b20\d\d-\d\d-\d\d, \d+ cores/))
            let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }
            for (backend, what) in try Self.measured() {
                #expect(rows.contains { $0.hasPrefix("| \(backend) | \(what) |") }, "\(backend): \(what)")
            }
            #expect(section.contains("duet sample, 300,024 employees") && section.contains("memory: resident"))
        }

        /// Returns the names that duet-bench adds to its table.
        private static func measured() throws -> [(backend: Substring, what: Substring)] {
            var measured: [(backend: Substring, what: Substring)] = []
            let source = try Checkout.text("Benchmarks/duet-bench/DuetBench.swift")
            for function in source.split(separator: #/\n    (?:private )?func /#) {
                for row in function.matches(of: #/report\.add\(\s*(?:"(\w+)"|backend), (?:"([^"]+)"|what)/#) {
                    // If the call has no literal name, the names are those of a list above, all of whose rows are
                    // measured.
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
            "The containers in the README match a valid Compose file",
            .enabled(if: compose != nil, "needs docker-compose"))
        func containers() async throws {
            let compose = try #require(Self.compose)
            try await TemporaryFolder.with { folder in
                let file = Checkout.folder.appending(path: "docker-compose.yml").path
                let result = try await Program.run(["--file", file, "config", "--services"], of: compose, in: folder)
                #expect(result.status == 0, "\(result.errors)")
                let services = Set(result.output.split(separator: "\n"))
                #expect(services == ["mariadb", "server", "cache"])
                let blocks = Self.blocks { $0.commands.contains("docker-compose") }
                #expect(
                    blocks.map(\.text) == ["docker-compose up --build\n", "docker-compose run --rm server sample\n"])
            }
        }

        @Test("The examples of the client library in the README run with a server, here without input")
        func clientExamples() async throws {
            let block = try #require(Self.blocks { $0.commands.contains("swift") }.first)
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

        @Test("The Swift example in the README equals the compiled example and gives the documented result")
        func example() async throws {
            let shown = try #require(try READMEBlock.all().first { $0.language == "swift" })
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

        /// Runs a script. If its last line starts a server, the server runs on a free port, receives a request and is
        /// stopped.
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
