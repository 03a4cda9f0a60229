import Foundation
import SQLDatabase
import Testing

extension ProgramTests {
    @Suite("duet serve, when it cannot start")
    struct RefusalTests {
        @Test("a port that is taken is named, and the status is not 0")
        func portInUse() async throws {
            try await SampleDatabase.with { folder, url in
                try await Server.with(["--database", url], in: folder) { server in
                    let port = try #require(server.base.split(separator: ":").last)
                    let second = try await Program.run(
                        ["serve", "--database", url, "--port", String(port)], in: folder)
                    #expect(second.status != 0 && second.status < 128)
                    #expect(second.errors.contains("in use"))
                    #expect(second.errors.contains(port))
                }
            }
        }

        @Test(
            "wrong options end with 64 and a message that names them",
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
            "wrong environment variables end with 64 and a message that names them",
            arguments: [
                ("DUET_PORT", "http"), ("DUET_DATES", "roman"), ("DUET_POOL_SIZE", "many"), ("DUET_LOG_LEVEL", "loud"),
                ("DUET_MIGRATE", "perhaps"), ("DUET_IDLE_TIMEOUT", "soon"),
            ])
        func wrongVariable(name: String, value: String) async throws {
            try await SampleDatabase.with { folder, url in
                let result = try await Program.run(
                    ["serve"], in: folder, environment: ["DUET_DATABASE": url, name: value])
                #expect(result.status == 64)
                #expect(result.errors.contains(name))
            }
        }

        @Test("a wrong variable is found before a sample is made")
        func wrongVariableFirst() async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.run(["serve"], in: folder, environment: ["DUET_MIGRATE": "perhaps"])
                #expect(result.status == 64)
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: ".duet").path))
            }
        }

        @Test(
            "a database that is down ends with 69 and a message without its password", arguments: ["serve", "sample"])
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
            "an address that is not this machine's ends with 69 and is named",
            arguments: ["no.such.invalid", "192.0.2.1"])
        func strangeHost(host: String) async throws {
            try await SampleDatabase.with { folder, url in
                let result = try await Program.run(
                    ["serve", "--database", url, "--port", "0", "--host", host], in: folder)
                #expect(result.status == 69, "\(result.errors)")
                #expect(result.errors.contains(host))
            }
        }

        @Test("a file that was named and is not there ends with 69, and is not made")
        func missingFile() async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.run(["serve", "--database", "sqlite:nowhere.sqlite"], in: folder)
                #expect(result.status == 69)
                #expect(result.errors.contains("nowhere.sqlite"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }

        enum Unusable: String, CaseIterable {
            case corrupt, empty, foreign, cut, damaged
        }

        @Test(
            "a SQLite file that is no employees database is refused with 69, and not a byte of it changes",
            arguments: Unusable.allCases, ["serve", "sample"])
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
                // Every other page, but for those at the beginning, which hold the schema.
                for page in stride(from: 20, to: whole.count / 4096, by: 2) {
                    whole.replaceSubrange(page * 4096..<page * 4096 + 64, with: Data(repeating: 0x5A, count: 64))
                }
                try whole.write(to: file)
            }
        }
    }
}
