import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import SeededTesting
import Synchronization
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Two servers with one database that are killed in turn during writes")
    struct KilledServerTests {
        private static let description = """
            duet: 1
            description: Receipts.
            resources:
              receipts:
                singular: receipt
                type: Receipt
                key: [id]
                writes: all
                fields:
                  id: {type: int, absent: automatic}
                  name: {type: text, maxLength: 20}
                relations:
                  lines: {to: lines, many: 20, columns: {id: receipt_id}}
              lines:
                singular: line
                type: Line
                table: receipt_lines
                key: [receiptId, position]
                writes: all
                fields:
                  receiptId: {type: int, column: receipt_id}
                  position: {type: int}

            """

        /// The number of lines of each receipt.
        private static let lines = 3
        private static let clients = 4

        /// The writes of all clients.
        private final class Progress: Sendable {
            private struct State {
                var acknowledged: Set<String> = []
                /// The latest write of each client that sends keys.
                var pending: [Int: String] = [:]
                var kill: (after: Int, now: @Sendable () -> Void)?
            }

            private let state = Mutex(State())

            var acknowledged: Set<String> { state.withLock(\.acknowledged) }
            var pending: [String] { state.withLock { Array($0.pending.values) } }

            func kill(after count: Int, _ now: @escaping @Sendable () -> Void) {
                state.withLock { $0.kill = ($0.acknowledged.count + count, now) }
            }

            func begin(_ name: String, client: Int) { state.withLock { $0.pending[client] = name } }

            func acknowledge(_ name: String) {
                let kill = state.withLock { state in
                    state.acknowledged.insert(name)
                    return state.kill.flatMap { state.acknowledged.count == $0.after ? $0.now : nil }
                }
                kill?()
            }
        }

        @Test(
            "Each acknowledged write is stored once, no write is stored in part, and a repetition with the same key has its effect once",
            arguments: TestBackend.available)
        func kills(_ backend: TestBackend) async throws {
            let automatic = backend == .sqlite ? "INTEGER PRIMARY KEY" : "INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY"
            try await TemporaryFolder.with { folder in
                try Data(Self.description.utf8).write(to: folder.appending(path: "api.yaml"))
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write { connection in
                        try connection.executeScript(
                            """
                            CREATE TABLE receipts (id \(automatic), name VARCHAR(20) NOT NULL);
                            CREATE TABLE receipt_lines (receipt_id INTEGER NOT NULL, position INTEGER NOT NULL,
                                PRIMARY KEY (receipt_id, position),
                                FOREIGN KEY (receipt_id) REFERENCES receipts (id));
                            """)
                    }
                    let environment = ["DUET_DATABASE": database.url.text]
                    let prepared = try await Program.run(["prepare"], in: folder, environment: environment)
                    #expect(prepared.status == 0, "\(prepared.errors)")
                    let progress = Progress()
                    for seed in TestScale.seeds(2) {
                        var random = SplitMix64(seed: seed)
                        let count = random.within(5...40)
                        try await Server.with(["--api", "api.yaml"], in: folder, environment: environment) { first in
                            try await Server.with(
                                ["--api", "api.yaml"], in: folder, environment: environment
                            ) { second in
                                // The clients whose writes have no answer yet begin with them.
                                for name in progress.pending { try await Self.repeatWrite(name, second, progress) }
                                progress.kill(after: count) {
                                    first.program.send(SIGKILL)
                                    progress.kill(after: count) { second.program.send(SIGKILL) }
                                }
                                await withTaskGroup(of: Void.self) { group in
                                    for client in 0..<Self.clients {
                                        let server = client < Self.clients / 2 ? first : second
                                        group.addTask { await Self.write(client, seed, server, progress) }
                                    }
                                }
                            }
                        }
                        try await Self.check(database, progress, "seed \(seed)")
                    }
                    try await Server.with(["--api", "api.yaml"], in: folder, environment: environment) { server in
                        for name in progress.pending { try await Self.repeatWrite(name, server, progress) }
                    }
                    let stored = try await Self.check(database, progress, "end")
                    // Each write with a key is stored, because it was repeated until it was acknowledged.
                    #expect(progress.pending.allSatisfy(stored.contains))
                }
            }
        }

        /// Sends writes until the server is killed. Clients with an even number send keys.
        private static func write(_ client: Int, _ seed: UInt64, _ server: Server, _ progress: Progress) async {
            var number = 0
            while true {
                number += 1
                let name = "\(seed)-\(client)-\(number)"
                let hasKey = client.isMultiple(of: 2)
                if hasKey { progress.begin(name, client: client) }
                guard let answer = try? await send(name, hasKey: hasKey, server) else { return }
                #expect(answer.status == 201, "\(answer.body)")
                progress.acknowledge(name)
            }
        }

        /// Repeats a write of which the client does not know whether it took effect.
        private static func repeatWrite(_ name: String, _ server: Server, _ progress: Progress) async throws {
            var answer = try await send(name, hasKey: true, server)
            // The database server can still have the transaction of the killed process.
            while answer.status == 409 { answer = try await send(name, hasKey: true, server) }
            #expect(answer.status == 201, "\(answer.body)")
            progress.acknowledge(name)
        }

        private static func send(_ name: String, hasKey: Bool, _ server: Server) async throws -> HTTPAnswer {
            let body: JSONValue = [
                "name": .string(name),
                "lines": .array((0..<lines).map { ["position": .integer(Int64($0))] }),
            ]
            return try await server.send(
                "POST", "/receipts", hasKey ? ["Idempotency-Key": "\"\(name)\""] : [:], body: body.compactText)
        }

        /// Checks the stored receipts, and returns their names.
        @discardableResult
        private static func check(
            _ database: Database, _ progress: Progress, _ moment: String
        ) async throws -> Set<String> {
            let rows = try await database.read { connection in
                let result = try connection.query(
                    """
                    SELECT name, COUNT(receipt_id) FROM receipts LEFT JOIN receipt_lines ON receipt_id = id
                    GROUP BY id, name
                    """)
                var rows: [(name: String, lines: Int64)] = []
                while try result.next() { rows.append((result.text(at: 0), result.integer(at: 1))) }
                return rows
            }
            let names = Set(rows.map(\.name))
            #expect(names.count == rows.count, "a write is stored twice, \(moment)")
            #expect(rows.allSatisfy { $0.lines == lines }, "a write is stored in part, \(moment)")
            let missing = progress.acknowledged.subtracting(names)
            #expect(missing.isEmpty, "\(moment)")
            return names
        }
    }
}
