import AsyncHTTPClient
import DuetJSON
import DuetSQLDatabase
import Foundation
import NIOCore
import NIOHTTP1
import ProcessTesting
import Synchronization
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Watchers of a server whose roles change", .timeLimit(.minutes(15)))
    struct LiveReloadTests {
        private static let description = """
            duet: 1
            description: Accounts.
            resources:
              accounts:
                singular: account
                type: Account
                key: [id]
                fields:
                  id: {type: int}
                  owner: {type: text}
                  amount: {type: int}
                  note: {type: text}
                sort: [id]

            """

        /// The description with a role that sees the accounts of one owner.
        private static func description(owner: String) -> Data {
            Data(
                """
                \(description)
                roles:
                  reader:
                    resources:
                      accounts: {read: {where: {owner: {eq: \(owner)}}}}

                """.utf8)
        }

        /// The owner whose accounts the role sees, after each reload. An amount is committed after the reload with the
        /// same index.
        private final class Rights: Sendable {
            private let owners: Mutex<[String]>

            init(_ owner: String) { owners = Mutex([owner]) }

            func append(_ owner: String) { owners.withLock { $0.append(owner) } }

            /// Returns true if a state with an amount may show an owner: with the rights at that time or later.
            func permit(_ owner: String, amount: Int) -> Bool {
                owners.withLock { $0[amount...].contains(owner) }
            }

            /// Returns true if the owner is the one whose accounts the role sees since the reload.
            func isOwner(_ owner: String, after reload: Int) -> Bool { owners.withLock { $0[reload] == owner } }
        }

        /// The clients that leave.
        private final class Leaving: Sendable {
            let count = Atomic(0)
            let isEnding = Atomic(false)
        }

        @Test(
            "No state committed after a reload is shown with the rights before it, although other clients leave in the middle of an event",
            arguments: TestBackend.available)
        func reloads(_ backend: TestBackend) async throws {
            try await Self.withServer(backend) { server, file, database in
                try await Self.run(server, file: file, database)
            }
        }

        @Test("The stream of a client that leaves ends at once, and not with the next heartbeat")
        func leaving() async throws {
            try await Self.withServer(.sqlite, ["--live-heartbeat", "3600"]) { server, _, _ in
                let target = "/accounts?fields=owner&first=1"
                do {
                    var events = try await server.events("GET", target)
                    #expect(try await events.next()?.name == "value")
                }
                // The server logs a stream at its end.
                #expect(try await server.requests(of: target, count: 1) == [200])
            }
        }

        /// Runs a server whose role sees the accounts of `a`.
        private static func withServer(
            _ backend: TestBackend, _ options: [String] = [],
            _ body: (_ server: Server, _ description: URL, _ database: Database) async throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write { connection in
                        try connection.executeScript(
                            """
                            CREATE TABLE accounts (id INTEGER NOT NULL PRIMARY KEY, owner VARCHAR(10) NOT NULL,
                                amount INTEGER NOT NULL, note VARCHAR(2000) NOT NULL);
                            """)
                        for id in 0..<200 {
                            try connection.execute(
                                "INSERT INTO accounts VALUES (:id, :owner, 0, :note)",
                                [
                                    "id": .integer(Int64(id)), "owner": .text(id.isMultiple(of: 2) ? "a" : "b"),
                                    "note": .text(String(repeating: "n", count: 2000)),
                                ])
                        }
                    }
                    let file = folder.appending(path: "api.yaml")
                    try description(owner: "a").write(to: file)
                    let options =
                        options + Server.logsRequests + [
                            "--database", database.url.text, "--api", "api.yaml", "--anonymous-role", "reader",
                        ]
                    try await Server.with(options, in: folder, environment: TestToken.environment) {
                        server async throws in
                        try await body(server, file, database)
                    }
                }
            }
        }

        private static func run(_ server: Server, file: URL, _ database: Database) async throws {
            let rights = Rights("a")
            let reloads = 4
            let document: JSONValue = ["query": "subscription { accounts(first: 200) { nodes { owner amount } } }"]
            let requests = [
                ("GET", "/accounts?fields=owner,amount&first=200", nil),
                ("GET", "/accounts?fields=owner,amount&first=200&sort=-id", nil),
                ("POST", "/graphql", document.compactText),
            ]
            let (shown, shows) = AsyncStream<Int>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for (method, path, body) in requests {
                    tasks.addTask {
                        do {
                            try await Self.watch(server, method, path, body, rights, until: reloads) { shows.yield($0) }
                        } catch {
                            // The test does not wait for further states.
                            shows.finish()
                            throw error
                        }
                    }
                }
                let leaving = Leaving()
                let target = "/accounts?first=200"
                tasks.addTask {
                    while !leaving.isEnding.load(ordering: .relaxed) {
                        let response = try await server.stream("GET", target, ["Accept": "text/event-stream"])
                        #expect(response.status == .ok)
                        // The first piece is a comment, and the next ones are parts of the first event.
                        for try await piece in response.body where piece.readableBytes > 3 { break }
                        leaving.count.add(1, ordering: .relaxed)
                    }
                }
                defer { leaving.isEnding.store(true, ordering: .relaxed) }
                var iterator = shown.makeAsyncIterator()
                for reload in 0...reloads {
                    if reload > 0 {
                        let owner = Bool.random() ? "a" : "b"
                        try description(owner: owner).write(to: file)
                        rights.append(owner)
                        server.program.send(SIGHUP)
                        try await server.program.errors.wait(for: "\(reload) reloads") {
                            $0.matches(of: /The API was reloaded/).count >= reload
                        }
                        try await database.write {
                            try $0.execute("UPDATE accounts SET amount = :amount", ["amount": .integer(Int64(reload))])
                        }
                    }
                    for _ in requests { try #require(await iterator.next() == reload) }
                }
                leaving.isEnding.store(true, ordering: .relaxed)
                try await tasks.waitForAll()
                let left = leaving.count.load(ordering: .relaxed)
                #expect(left > 0)
                // The server has noticed each departure.
                #expect(try await server.requests(of: target, count: left).count == left)
            }
        }

        /// Watches the accounts, and again after each end of the stream, until the last amount is shown.
        /// - Parameter show: Receives each amount that is shown with the rights since its reload.
        private static func watch(
            _ server: Server, _ method: String, _ path: String, _ body: String?, _ rights: Rights, until end: Int,
            _ show: (_ amount: Int) -> Void
        ) async throws {
            var last = -1
            while last < end {
                var events = try await server.events(method, path, body: body)
                while last < end, let event = try await events.next() {
                    guard event.name == "value" || event.name == "next" else { continue }
                    let states = try states(event.json)
                    let (owner, amount) = try #require(states.count == 1 ? states.first : nil, "\(states)")
                    let isPermitted = rights.permit(owner, amount: amount)
                    #expect(isPermitted, "\(owner) with \(amount)")
                    if amount > last, rights.isOwner(owner, after: amount) {
                        last = amount
                        show(amount)
                    }
                }
            }
        }

        /// Returns the different pairs of an owner and an amount in an event.
        private static func states(_ json: JSONValue) throws -> [String: Int] {
            let nodes = json["data"]?["accounts"]?["nodes"] ?? json
            guard case .array(let rows) = nodes else { return [:] }
            var states: [String: Int] = [:]
            for row in rows {
                guard case .string(let owner)? = row["owner"], let amount = row["amount"]?.integerValue else {
                    continue
                }
                #expect(states[owner] == nil || states[owner] == Int(amount), "\(owner)")
                states[owner] = Int(amount)
            }
            return states
        }
    }
}
