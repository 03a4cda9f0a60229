import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Writes to any database")
    struct WriteTourTests {
        @Test(
            "The commands of docs/writes.md for the shop work in order, with the documented output",
            .enabled(if: Program.find("sqlite3") != nil, "needs sqlite3"))
        func tour() async throws {
            let blocks = try DocumentBlock.all(of: "docs/writes.md").filter {
                $0.language == "sh" && !$0.text.contains("employee")
            }
            let start = try #require(blocks.firstIndex { $0.text.hasPrefix("duet serve") })
            try await TemporaryFolder.with { folder in
                for block in blocks[..<start] { try await run(block, in: folder) }
                let arguments = blocks[start].text.split(whereSeparator: \.isWhitespace).dropFirst(2).map(String.init)
                try await Server.with(arguments, in: folder) { server in
                    for block in blocks[(start + 1)...] { try await run(block, of: server, in: folder) }
                }
            }
        }

        /// Runs the commands of a block, and compares their output with the documented one.
        private func run(_ block: DocumentBlock, of server: Server? = nil, in folder: URL) async throws {
            let script = block.text.replacing("http://127.0.0.1:8080", with: server?.base ?? "")
            let result = try await Program.shell(script, in: folder)
            let isRefusal = block.answer?.contains("\"status\":4") ?? false
            #expect((result.status == 0) != isRefusal, "\(block.text)\(result.output)\(result.errors)")
            #expect(block.shows(result.output), "\(block.text)\(result.output)")
        }
    }
}
