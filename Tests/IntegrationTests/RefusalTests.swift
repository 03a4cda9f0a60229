import DuetSQLDatabase
import Foundation
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("duet serve when it cannot start")
    struct RefusalTests {
        @Test("If the port is in use, the error names the port, and the exit status is not 0")
        func portInUse() async throws {
            try await SampleDatabase.with { folder, url in
                try await Server.with(["--database", url], in: folder) { server in
                    let port = try #require(server.base.split(separator: ":").last)
                    let second = try await Program.run(
                        ["serve", "--database", url, "--port", String(port)], in: folder)
                    #expect(second.status != 0 && second.status < 128)
                    #expect(second.errors.contains("in use") && second.errors.contains("--port"))
                    #expect(second.errors.contains(port))
                    let third = try await Program.run(
                        ["serve"], in: folder, environment: ["DUET_DATABASE": url, "DUET_PORT": String(port)])
                    #expect(third.status == second.status)
                    #expect(third.errors.contains("choose another with DUET_PORT"), "\(third.errors)")
                }
            }
        }

        @Test(
            "An invalid option has exit status 64 and an error that names the option",
            arguments: [
                (["--bogus"], "--bogus"), (["--port", "99999"], "--port"), (["--port", "http"], "port"),
                (["--dates", "roman"], "dates"), (["--time-zone", "Nowhere/Land"], "--time-zone"),
                (["--max-age", "-1"], "max-age"), (["--idle-timeout", "0"], "--idle-timeout"),
                (["something"], "something"),
                (["--database", "postgres://db"], "database URL"), (["--pool-size", "0"], "--pool-size"),
            ])
        func wrongOption(arguments: [String], named: String) async throws {
            try await SampleDatabase.with { folder, url in
                let database = arguments.contains("--database") ? [] : ["--database", url]
                let result = try await Program.run(["serve"] + database + arguments, in: folder)
                #expect(result.status == 64)
                #expect(result.errors.contains(named))
                #expect(result.output.isEmpty)
            }
        }

        @Test(
            "An invalid environment variable has exit status 64 and an error with its name and the valid values",
            arguments: [
                ("DUET_PORT", "99999", "must be a number from 0 to 65535, not \"99999\""),
                ("DUET_PORT", "http", "must be a number from 0 to 65535"),
                ("DUET_POOL_SIZE", "many", "must be a number from 1 to 1024"),
                ("DUET_MAX_BODY_SIZE", "1", "must be a number of bytes from 1024 to 1073741824"),
                ("DUET_MAX_QUERY_DEPTH", "65", "must be a number from 1 to 64"),
                ("DUET_MAX_SCAN", "many", "must be a number from 0 to 1000000000000, or none"),
                ("DUET_MAX_AGE", "-1", "must be a number of seconds from 0 to 31536000"),
                ("DUET_PERSISTED_QUERY_TTL", "0", "must be a number of seconds from 1 to 3155760000"),
                ("DUET_IDLE_TIMEOUT", "soon", "must be a number of seconds from 0.001 to 86400"),
                ("DUET_ACQUIRE_TIMEOUT", "0", "must be a number of seconds from 0.001 to 86400"),
                ("DUET_STATEMENT_TIMEOUT", "nan", "must be a number of seconds from 0.001 to 86400"),
                ("DUET_MIGRATE", "perhaps", "must be true or false"),
                ("DUET_DATES", "roman", "must be one of iso, milliseconds"),
                ("DUET_LOG_LEVEL", "loud", "must be one of trace, debug, info, notice, warning, error, critical"),
                ("DUET_LOG_FORMAT", "xml", "must be one of text, json"),
                ("DUET_TIME_ZONE", "Nowhere/Land", "must be a name from the system's time zone data"),
                ("DUET_PERSISTED_ONLY", "true", "requires a manifest"),
            ])
        func wrongVariable(name: String, value: String, requirement: String) async throws {
            try await SampleDatabase.with { folder, url in
                let result = try await Program.run(
                    ["serve"], in: folder, environment: ["DUET_DATABASE": url, name: value])
                #expect(result.status == 64)
                #expect(result.errors.hasPrefix("Error: \(name) \(requirement)"), "\(result.errors)")
                #expect(result.output.isEmpty)
            }
        }

        @Test("An invalid DUET_DATABASE is reported without its password")
        func wrongDatabaseVariable() async throws {
            try await TemporaryFolder.with { folder in
                for (command, url) in [("serve", "postgres://u:hunter2@h/d"), ("sample", "mariadb://u:hunter2@h")] {
                    let result = try await Program.run([command], in: folder, environment: ["DUET_DATABASE": url])
                    #expect(result.status == 64)
                    #expect(result.errors.hasPrefix("Error: DUET_DATABASE: a "), "\(result.errors)")
                    #expect(!result.errors.contains("hunter2"))
                }
            }
        }

        @Test("An unreadable manifest in DUET_PERSISTED_QUERIES has exit status 66 and an error with the variable")
        func wrongManifestVariable() async throws {
            try await SampleDatabase.with { folder, url in
                let result = try await Program.run(
                    ["serve"], in: folder,
                    environment: ["DUET_DATABASE": url, "DUET_PERSISTED_QUERIES": "nowhere.json"])
                #expect(result.status == 66)
                #expect(result.errors.hasPrefix("duet: DUET_PERSISTED_QUERIES: nowhere.json"), "\(result.errors)")
            }
        }

        @Test(
            "Errors of duet sample and duet compare name the invalid variable or option",
            arguments: [
                (["sample"], ["DUET_EMPLOYEES": "0"], "DUET_EMPLOYEES must be a number from 1 to 300024"),
                (["sample"], ["DUET_SEED": "-1"], "DUET_SEED must be a number from 0 to 18446744073709551615"),
                (["compare"], ["DUET_URL": "ftp://h"], "DUET_URL must be an http:// address"),
                (["compare"], ["DUET_CACHE_URL": "http://h"], "DUET_CACHE_URL requires the server behind the cache"),
                (["compare"], ["DUET_ROUNDS": "4"], "DUET_ROUNDS must be a number from 5 to 1000"),
                (["compare"], ["DUET_TURN": "1"], "DUET_TURN must be a number of milliseconds from 10 to 60000"),
                (["compare", "--turn", "1"], ["DUET_TURN": "60"], "--turn must be a number of milliseconds"),
            ] as [([String], [String: String], String)])
        func wrongSetting(arguments: [String], environment: [String: String], error: String) async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.run(arguments, in: folder, environment: environment)
                #expect(result.status == 64)
                #expect(result.errors.hasPrefix("Error: \(error)"), "\(result.errors)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }

        @Test("An invalid variable is reported before a sample is created")
        func wrongVariableFirst() async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.run(["serve"], in: folder, environment: ["DUET_MIGRATE": "perhaps"])
                #expect(result.status == 64)
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: ".duet").path))
            }
        }

        @Test(
            "An unavailable database has exit status 69 and a message without its password",
            arguments: ["serve", "sample"])
        func databaseDown(command: String) async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.run(
                    [command], in: folder,
                    environment: ["DUET_DATABASE": "mariadb://duet:hunter2-hidden@127.0.0.1:1/employees"])
                #expect(result.status == 69)
                #expect(result.errors.contains("MariaDB"))
                #expect(!(result.errors + result.output).contains("hunter2"))
            }
        }

        @Test(
            "If --host is not an address of this machine, the exit status is 69, and the error names the host",
            arguments: ["no.such.invalid", "192.0.2.1"])
        func strangeHost(host: String) async throws {
            try await SampleDatabase.with { folder, url in
                let result = try await Program.run(
                    ["serve", "--database", url, "--port", "0", "--host", host], in: folder)
                #expect(result.status == 69, "\(result.errors)")
                #expect(result.errors.contains(host))
            }
        }

        @Test("A missing database file has exit status 69 and is not created")
        func missingFile() async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.run(["serve", "--database", "sqlite:nowhere.sqlite"], in: folder)
                #expect(result.status == 69)
                #expect(
                    result.errors == """
                        duet: the SQLite file nowhere.sqlite does not exist; create it with: \
                        duet sample --database sqlite:nowhere.sqlite

                        """)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }

        enum Unusable: String, CaseIterable {
            case corrupt, empty, foreign, cut, damaged

            /// The files that each command rejects. `serve` accepts a database with other tables.
            static let ofCommands = allCases.flatMap { kind in
                (kind == .foreign ? ["sample"] : ["serve", "sample"]).map { (kind, $0) }
            }
        }

        @Test(
            "An unusable SQLite file has exit status 69, and no byte of it changes",
            arguments: Unusable.ofCommands)
        func unusableFile(kind: Unusable, command: String) async throws {
            try await TemporaryFolder.with { folder in
                let file = folder.appending(path: "some.sqlite")
                try await Self.make(kind, at: file, in: folder)
                let before = try Data(contentsOf: file)
                let result = try await Program.run([command, "--database", "sqlite:some.sqlite"], in: folder)
                #expect(result.status == 69)
                #expect(result.errors.contains("some.sqlite"))
                #expect(try Data(contentsOf: file) == before)
            }
        }

        private static func make(_ kind: Unusable, at file: URL, in folder: URL) async throws {
            switch kind {
            case .corrupt:
                try Data((0..<40_960).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }).write(to: file)
            case .empty:
                try Data().write(to: file)
            case .foreign:
                var configuration = DatabaseConfiguration(poolSize: 1)
                configuration.createsMissingFile = true
                let database = Database(DatabaseURL(location: .sqlite(path: file.path)), configuration: configuration)
                try await database.write {
                    try $0.executeScript("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept')")
                }
                await database.close()
            case .cut:
                try await SampleDatabase.fill("sqlite:whole.sqlite", employees: 500, in: folder)
                let whole = try Data(contentsOf: folder.appending(path: "whole.sqlite"))
                try whole.prefix(whole.count / 3).write(to: file)
            case .damaged:
                try await SampleDatabase.fill("sqlite:whole.sqlite", employees: 500, in: folder)
                var whole = try Data(contentsOf: folder.appending(path: "whole.sqlite"))
                // The loop damages every second page, except the first pages, which contain the schema.
                for page in stride(from: 20, to: whole.count / 4096, by: 2) {
                    whole.replaceSubrange(page * 4096..<page * 4096 + 64, with: Data(repeating: 0x5A, count: 64))
                }
                try whole.write(to: file)
            }
        }
    }
}
