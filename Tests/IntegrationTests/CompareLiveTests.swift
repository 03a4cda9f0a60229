import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    /// A watched screen takes a minute, so these tests end before it. `LiveComparisonTests` watch a screen.
    @Suite("duet compare --live")
    struct CompareLiveTests {
        @Test("--live is refused for a running server, because the comparison writes, with what to do")
        func refused() async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.run(
                    ["compare", "--live", "--no-timing", "--url", "http://127.0.0.1:1"], in: folder)
                #expect(result.status == 64 && result.errors.contains("Specify the database with --database"))
            }
        }

        @Test("The task live exists only with --live. If no row can be changed, it is left out with the reason")
        func leftOut() async throws {
            try await TestDatabase.with(.sqlite, schema: false) { database in
                try await database.write {
                    try $0.executeScript(
                        "CREATE TABLE tags (name TEXT NOT NULL PRIMARY KEY); INSERT INTO tags VALUES ('new')")
                }
                try await TemporaryFolder.with { folder in
                    let environment = ["DUET_DATABASE": database.url.text, "TMPDIR": folder.path]
                    let unknown = try await Program.run(["compare", "live"], in: folder, environment: environment)
                    #expect(unknown.status == 64 && unknown.errors.contains("there is no scenario live"))
                    let result = try await Program.run(
                        ["compare", "live", "--live"], in: folder, environment: environment)
                    #expect(result.status == 0 && result.output.contains("Left out: live: no "), "\(result)")
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
                }
            }
        }
    }
}
