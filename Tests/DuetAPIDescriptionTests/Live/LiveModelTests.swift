import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import Foundation
import ProcessTesting
import Synchronization
import TestSupport
import Testing

@Suite("Random writers and watchers")
struct LiveModelTests {
    private static let script = """
        CREATE TABLE accounts (id INTEGER NOT NULL PRIMARY KEY, owner VARCHAR(10) NOT NULL, amount INTEGER NOT NULL);
        INSERT INTO accounts VALUES (1, 'a', 100), (2, 'a', 100), (3, 'a', 100),
            (4, 'b', 100), (5, 'b', 100), (6, 'b', 100);
        """

    private static let roles = [
        Role("clerk", reads: ["accounts": .init()]),
        Role("owner", reads: ["accounts": .init(where: .compare("owner", .equal, [.parameter("sub")]))]),
    ]

    private static let clerk: JSONObject = ["role": "clerk", "sub": "c"]

    private static func owner(_ name: String) -> JSONObject { ["role": "owner", "sub": .string(name)] }

    /// True when only the last commit follows.
    private final class Rest: Sendable {
        let begun = Atomic<Bool>(false)
    }

    /// Moves an amount between two accounts of one owner in one transaction, so each sum remains the same.
    private static func transfer(on connection: Connection) throws {
        let first = [1, 4].randomElement() ?? 1
        let (from, to) = (first + Int.random(in: 0...2), first + Int.random(in: 0...2))
        let amount = Int64.random(in: 1...9)
        // All writers lock the rows in the same order, so that none is the victim of a deadlock.
        for (id, change) in [(from, -amount), (to, amount)].sorted(by: { $0.0 < $1.0 }) {
            try connection.execute(
                "UPDATE accounts SET amount = amount + :change WHERE id = :id",
                ["change": .integer(change), "id": .integer(Int64(id))])
        }
    }

    /// Returns the sum of the amounts in a list of accounts.
    private static func sum(_ list: JSONValue?) -> Int64? {
        guard case .array(let rows)? = list else { return nil }
        return rows.reduce(0) { $0 + ($1["amount"]?.integerValue ?? 0) }
    }

    @Test(
        "Each watcher sees only committed states of its rows, and at rest the state of the database",
        arguments: TestBackend.available.flatMap { $0 == .mariaDB ? [($0, true), ($0, false)] : [($0, false)] })
    func model(_ backend: TestBackend, readsBinaryLog: Bool) async throws {
        try await WritableShop.with(backend, tables: Self.script, administrator: readsBinaryLog, roles: Self.roles) {
            shop in
            let path = "/accounts?fields=id,amount&sort=id"
            let callers: [(caller: JSONObject, sum: Int64)] = [
                (Self.clerk, 600), (Self.owner("a"), 300), (Self.owner("b"), 300), (Self.owner("x"), 0),
            ]
            let document = "subscription { accounts(first: 10) { nodes { id amount } } }"
            let body: JSONValue = ["query": .string(document)]

            try await withThrowingTaskGroup(of: Void.self) { tasks in
                let rest = Rest()
                // The writers are other programs and the server itself.
                let writing = Task {
                    // Also after an error of a writer, so that the watchers report it instead of waiting.
                    defer { rest.begun.store(true, ordering: .sequentiallyConsistent) }
                    try await withThrowingTaskGroup(of: Void.self) { writers in
                        for _ in 0..<2 {
                            writers.addTask {
                                let other = Database(
                                    shop.database.url, configuration: DatabaseConfiguration(poolSize: 1).patient)
                                for _ in 0..<15 { try await other.write { try Self.transfer(on: $0) } }
                                await other.close()
                            }
                        }
                        writers.addTask {
                            for _ in 0..<15 { try await shop.database.write { try Self.transfer(on: $0) } }
                        }
                        try await writers.waitForAll()
                    }
                    rest.begun.store(true, ordering: .sequentiallyConsistent)
                    // A last commit that changes the rows of both owners wakes the watchers that are waiting.
                    try await shop.database.write { connection in
                        for (id, change) in [(1, -1), (2, 1), (4, -1), (5, 1)] {
                            try connection.execute("UPDATE accounts SET amount = amount + \(change) WHERE id = \(id)")
                        }
                    }
                }
                for (caller, sum) in callers {
                    tasks.addTask {
                        var events = try await shop.server.events("GET", path, TestToken(caller).field)
                        var last: String?
                        while true {
                            if rest.begun.load(ordering: .sequentiallyConsistent) {
                                _ = try await writing.value
                                let read = try await shop.send("GET", path, caller: caller)
                                if read.body == last { return }
                            }
                            let event = try #require(try await events.next())
                            #expect(event.name == "value")
                            #expect(Self.sum(try event.json) == sum, "\(event.data)")
                            last = event.data
                            if sum == 0 { return }
                        }
                    }
                }
                tasks.addTask {
                    var events = try await shop.server.events(
                        "POST", "/graphql", TestToken(Self.owner("a")).field, body: body.compactText)
                    var last: JSONValue?
                    while true {
                        if rest.begun.load(ordering: .sequentiallyConsistent) {
                            _ = try await writing.value
                            let read = try await shop.send("GET", path, caller: Self.owner("a"))
                            if try JSONValue(parsing: Data(read.body.utf8)) == last { return }
                        }
                        let event = try #require(try await events.next())
                        last = try event.json["data"]?["accounts"]?["nodes"]
                        #expect(Self.sum(last) == 300, "\(event.data)")
                    }
                }
                // Clients that leave before or after their first event.
                for isPatient in [false, true] {
                    tasks.addTask {
                        while !rest.begun.load(ordering: .sequentiallyConsistent) {
                            var events = try await shop.server.events("GET", path, TestToken(Self.owner("a")).field)
                            if isPatient { _ = try await events.next() }
                        }
                    }
                }
                try await tasks.waitForAll()
            }
        }
    }
}
