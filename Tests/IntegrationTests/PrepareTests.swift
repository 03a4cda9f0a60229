import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("duet prepare")
    struct PrepareTests {
        @Test(
            "The command creates the table for idempotency keys, which is not a part of the API",
            arguments: TestBackend.available)
        func table(_ backend: TestBackend) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write {
                        try $0.executeScript("CREATE TABLE articles (id INTEGER NOT NULL PRIMARY KEY)")
                    }
                    let environment = ["DUET_DATABASE": database.url.text]
                    func run(_ arguments: String...) async throws -> Program.Result {
                        try await Program.run(arguments, in: folder, environment: environment)
                    }
                    let printed = try await run("prepare", "--print")
                    #expect(printed.status == 0)
                    #expect(printed.output.contains("CREATE TABLE IF NOT EXISTS duet_idempotency_keys ("))
                    let description = try await run("introspect", "--writes")
                    for _ in 0..<2 {
                        let result = try await run("prepare")
                        #expect(result.status == 0, "\(result.errors)")
                        #expect(result.output.contains("has the table duet_idempotency_keys"))
                    }
                    let prepared = try await run("introspect", "--writes")
                    #expect(prepared.status == 0 && prepared.output == description.output, "\(prepared.output)")
                    // The printed statements have the same effect.
                    try await database.write { connection in
                        try connection.executeScript("DROP TABLE duet_idempotency_keys")
                        try connection.executeScript(printed.output)
                        try connection.executeScript(
                            """
                            INSERT INTO duet_idempotency_keys (hash, payload, created_at) VALUES ('h', 'p', 1);
                            DROP TABLE duet_idempotency_keys;
                            CREATE TABLE duet_idempotency_keys (id INTEGER NOT NULL PRIMARY KEY, created_at INTEGER)
                            """)
                    }
                    let foreign = try await run("prepare")
                    #expect(foreign.status == 69)
                    #expect(foreign.errors.contains("has a table duet_idempotency_keys with other columns"))
                }
            }
        }

        @Test("A database that does not exist, or cannot be written, is an error")
        func failures() async throws {
            try await TemporaryFolder.with { folder in
                let missing = try await Program.run(["prepare", "--database", "sqlite:none.db"], in: folder)
                #expect(missing.status == 69 && missing.errors.contains("none.db does not exist"), "\(missing.errors)")
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "none.db").path))
                let invalid = try await Program.run(["prepare", "--database", "none.db"], in: folder)
                #expect(invalid.status == 64)
                let unreachable = try await Program.run(
                    ["prepare"], in: folder, environment: ["DUET_DATABASE": "mariadb://nobody@127.0.0.1:1/none"])
                #expect(unreachable.status == 69 && unreachable.errors.contains("the database cannot be used"))
                let lifetime = try await Program.run(["serve", "--idempotency-lifetime", "5"], in: folder)
                #expect(lifetime.status == 64 && lifetime.errors.contains("60 to 31536000"), "\(lifetime.errors)")
            }
        }
    }
}
