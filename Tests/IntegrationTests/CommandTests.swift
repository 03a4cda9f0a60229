import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Other commands")
    struct CommandTests {
        @Test("duet sample fills an empty database once, and duet serve serves it", arguments: TestBackend.available)
        func sample(backend: TestBackend) async throws {
            try await TestDatabase.withURL(backend) { url in
                try await TemporaryFolder.with { folder in
                    let environment = ["DUET_DATABASE": url.text]
                    let made = try await Program.run(
                        ["sample", "--employees", "120"], in: folder, environment: environment)
                    #expect(made.status == 0, "\(made.errors)")
                    #expect(made.output.contains("120 employees") && made.output.contains("9 departments"))
                    let again = try await Program.run(
                        ["sample", "--employees", "120"], in: folder, environment: environment)
                    #expect(again.status != 0 && again.errors.contains("needs empty tables"))
                    try await Server.with(in: folder, environment: environment) { server in
                        let all = try await server.get("/employees", ["Accept": "text/csv"])
                        #expect(all.body.split(separator: "\r\n").count == 121)
                        let published = try await server.get("/employees/10004?details=titles&details=salaries")
                        #expect(published.body.hasPrefix(#"{"employeeNumber":10004,"firstName":"Chirstian","#))
                        #expect(
                            published.body.hasSuffix(
                                #"{"salary":40054,"fromDate":533797200000,"toDate":565333200000}]}"#))
                        #expect(
                            try await server.get("/comparison/tasks.json").body
                                == Checkout.text("Sources/DuetComparison/Tasks/tasks.json"))
                    }
                }
            }
        }

        @Test("The same seed gives the same sample on both backends")
        func sameSample() async throws {
            var exports: [String] = []
            for backend in TestBackend.available {
                try await TestDatabase.withURL(backend) { url in
                    try await TemporaryFolder.with { folder in
                        try await SampleDatabase.fill(url.text, employees: 300, in: folder)
                        try await Server.with(in: folder, environment: ["DUET_DATABASE": url.text]) { server in
                            let path = "/employees?details=titles&details=salaries&details=departments"
                            exports.append(try await server.get(path, ["Accept": "application/x-ndjson"]).body)
                        }
                    }
                }
            }
            #expect(exports.allSatisfy { $0 == exports.first && $0.split(separator: "\n").count == 300 })
        }

        @Test(
            "duet import loads the dumps of the original database, and duet serve serves them",
            .enabled(if: Checkout.hasPublishedData, "needs the original data in ../shared/data/employees-10k"),
            arguments: TestBackend.available)
        func importDumps(backend: TestBackend) async throws {
            try await TestDatabase.withURL(backend) { url in
                try await TemporaryFolder.with { folder in
                    let environment = ["DUET_DATABASE": url.text]
                    let loaded = try await Program.run(
                        ["import", Checkout.publishedData.path], in: folder, environment: environment)
                    #expect(loaded.status == 0, "\(loaded.errors)")
                    #expect(loaded.output.contains("10,000"))
                    #expect(loaded.output.contains("Imported into"))
                    try await Server.with(in: folder, environment: environment) { server in
                        let published = try await server.get("/employees/10004?details=titles&details=salaries")
                        #expect(
                            published.body.hasPrefix(
                                #"{"employeeNumber":10004,"firstName":"Chirstian","lastName":"Koblick","#))
                        let salaries = try await server.get("/salaries?fields=salary", ["Accept": "text/csv"])
                        #expect(salaries.body.split(separator: "\r\n").count == 94_918)
                    }
                }
            }
        }

        @Test("A failed import removes a database file that it created, and retains an existing file")
        func failedJob() async throws {
            try await TemporaryFolder.with { folder in
                let dumps = folder.appending(path: "dumps")
                try FileManager.default.createDirectory(at: dumps, withIntermediateDirectories: true)
                for table in ["departments", "employees", "dept_emp", "dept_manager", "titles", "salaries"] {
                    try Data("INSERT INTO `\(table)` VALUES \n(nonsense".utf8).write(
                        to: dumps.appending(path: "load_\(table).dump"))
                }
                func files() throws -> [String] {
                    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("sqlite") }
                }
                let failed = try await Program.run(["import", "dumps", "--database", "sqlite:new.sqlite"], in: folder)
                #expect(failed.status != 0 && failed.errors.contains("load_departments.dump:"), "\(failed.errors)")
                #expect(try files() == [])
                try await SampleDatabase.fill("sqlite:old.sqlite", employees: 5, in: folder)
                let refused = try await Program.run(["import", "dumps", "--database", "sqlite:old.sqlite"], in: folder)
                #expect(refused.status != 0)
                #expect(try files() == ["old.sqlite"])
            }
        }

        @Test("duet import names missing files and creates no database")
        func importNothing() async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.run(
                    ["import", "nowhere", "--database", "sqlite:new.sqlite"], in: folder)
                #expect(result.status != 0 && result.errors.contains("nowhere"))
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "new.sqlite").path))
            }
        }

        @Test("duet openapi prints openapi/openapi.yaml, and the server serves the same document")
        func openAPI() async throws {
            try await SampleDatabase.with { folder, url in
                let file = try Checkout.text("openapi/openapi.yaml")
                let yaml = try await Program.run(["openapi"], in: folder)
                #expect(yaml.status == 0)
                #expect(yaml.output == file)
                let json = try await Program.run(["openapi", "--json"], in: folder)
                try await Server.with(["--database", url], in: folder) { server in
                    #expect(try await server.get("/openapi.yaml").body == file)
                    let served = try await server.get("/openapi.json")
                    #expect(
                        try served.json == JSONValue(parsing: Data(json.output.trimmingCharacters(in: .newlines).utf8)))
                    #expect(try served.json["openapi"] == "3.1.0")
                }
            }
        }

        @Test("The OpenAPI document lists the same problem types as /problems")
        func problems() async throws {
            try await SampleDatabase.with { folder, url in
                try await Server.with(["--database", url], in: folder) { server in
                    let document = try await server.get("/openapi.json").json
                    guard case .array(let types) = try await server.get("/problems").json,
                        case .array(let codes) = document["components"]?["schemas"]?["ProblemCode"]?["enum"]
                    else {
                        Issue.record("no list of problems")
                        return
                    }
                    #expect(types.map { $0["code"] } == codes)
                }
            }
        }

        @Test("The server returns the SQL statements of a request only if --debug-statements is set")
        func statements() async throws {
            try await TemporaryFolder.with { folder in
                for (arguments, environment, status) in [
                    ([], [:], 404), (["--debug-statements"], [:], 200), ([], ["DUET_DEBUG_STATEMENTS": "true"], 200),
                    (["--no-debug-statements"], ["DUET_DEBUG_STATEMENTS": "true"], 404),
                ] as [([String], [String: String], Int)] {
                    try await Server.with(arguments, in: folder, environment: environment) { server in
                        _ = try await server.get("/departments", ["X-Request-ID": "one"])
                        let history = try await server.get("/debug/requests/one/statements")
                        #expect(history.status == status, "\(arguments) \(environment)")
                    }
                }
            }
        }

        @Test("duet --version prints the version of the OpenAPI document, the metrics and the latest release")
        func version() async throws {
            try await SampleDatabase.with { folder, url in
                let printed = try await Program.run(["--version"], in: folder)
                #expect(printed.status == 0)
                let version = printed.output.trimmingCharacters(in: .newlines)
                let changelog = try Checkout.text("CHANGELOG.md")
                let release = try #require(changelog.firstMatch(of: /\n## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d\n/))
                #expect(release.1 == version)
                try await Server.with(["--database", url], in: folder) { server in
                    let document = try await server.get("/openapi.json").json
                    #expect(document["info"]?["version"] == .string(version))
                    let metrics = try await server.get("/metrics").body
                    let information = try #require(metrics.firstMatch(of: /\nduet_build_info\{(.+)\} 1\n/)).1
                    #expect(information.contains("version=\"\(version)\""))
                }
            }
        }
    }
}
