import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import Foundation
import NIOHTTP1
import ProcessTesting
import ServerTestSupport
import TestSupport
import Testing

@Suite("Concurrent writers") struct ContentionTests {
    private static let tables = """
        CREATE TABLE counters (id INTEGER NOT NULL PRIMARY KEY, number INTEGER NOT NULL, note VARCHAR(20));
        CREATE TABLE places (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL UNIQUE, counter_id INTEGER,
            FOREIGN KEY (counter_id) REFERENCES counters (id));
        INSERT INTO counters VALUES (1, 0, NULL), (2, 0, NULL), (3, 0, NULL);
        """

    private static let writers = 50

    @Test("No writer with an entity tag loses the change of another writer", arguments: TestBackend.available)
    func counter(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, tables: Self.tables) { (shop: WritableShop) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<Self.writers {
                    group.addTask { while try await !Self.increment(shop, writer) {} }
                }
                try await group.waitForAll()
            }
            let counters = try await shop.send("GET", "/counters?fields=number").body
            #expect(counters == #"[{"number":\#(Self.writers)},{"number":0},{"number":0}]"#)
        }
    }

    /// Adds 1 to a counter.
    /// - Returns: False if another writer has changed the counter since it was read, or if the server is overloaded.
    private static func increment(_ shop: WritableShop, _ writer: Int) async throws -> Bool {
        let read = try await shop.send("GET", "/counters/1")
        guard case .integer(let number)? = try read.json["number"], let tag = read.headers.first(name: "ETag") else {
            throw UnexpectedAnswer(text: read.body)
        }
        let patch: JSONValue = ["number": .integer(number + 1)]
        let answer: HTTPAnswer
        switch writer % 3 {
        case 0:
            answer = try await shop.server.send("PATCH", "/counters/1", ["If-Match": tag], body: patch.compactText)
        case 1:
            // The first request begins the snapshot of the transaction before the counter is locked.
            let note: JSONValue = ["method": "PATCH", "path": "/counters/2", "body": ["note": .string("\(writer)")]]
            let increment: JSONValue = [
                "method": "PATCH", "path": "/counters/1", "headers": ["If-Match": .string(tag)], "body": patch,
            ]
            answer = try await shop.send("POST", "/batch", ["requests": [note, increment]])
        default:
            let document = """
                mutation { updateCounter(id: 1, patch: {number: \(number + 1)}, ifMatch: \(RawJSON.string(tag))) {
                    counter { number } errors { __typename } } }
                """
            answer = try await shop.send("POST", "/graphql", ["query": .string(document)])
            if answer.body.contains("PreconditionFailedError") || answer.body.contains("OVERLOADED") { return false }
            guard answer.body.contains(#"{"number":\#(number + 1)}"#) else { throw UnexpectedAnswer(text: answer.body) }
        }
        switch answer.status {
        case 200: return true
        case 412, 503: return false
        default: throw UnexpectedAnswer(text: "\(answer.status) \(answer.body)")
        }
    }

    @Test("Each of many concurrent writes is stored, or has a clear error", arguments: TestBackend.available)
    func inserts(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, tables: Self.tables) { (shop: WritableShop) async throws in
            // Two writers at a time insert the same name. Others change the rows to which the new rows refer.
            let created = try await withThrowingTaskGroup(of: Int?.self) { group in
                for writer in 0..<Self.writers {
                    group.addTask {
                        let isInsert = !writer.isMultiple(of: 5)
                        let answer =
                            isInsert
                            ? try await shop.send(
                                "POST", "/places",
                                [
                                    "id": .integer(Int64(writer)), "name": .string("place \(writer / 2)"),
                                    "counterId": .integer(Int64(writer % 3 + 1)),
                                ])
                            : try await shop.send(
                                "PATCH", "/counters?id.gt=0", ["note": .string("note \(writer)")])
                        switch answer.status {
                        case 201: return writer
                        case 200, 409, 503: return nil
                        default: throw UnexpectedAnswer(text: "\(answer.status) \(answer.body)")
                        }
                    }
                }
                return try await group.reduce(into: [Int]()) { if let writer = $1 { $0.append(writer) } }
            }
            let rows = try await shop.send("GET", "/places?fields=id&first=100").body
            #expect(rows == "[\(created.sorted().map { "{\"id\":\($0)}" }.joined(separator: ","))]")
            #expect(Set(created.map { $0 / 2 }).count == created.count)
            #expect(!created.isEmpty)
        }
    }

    private struct UnexpectedAnswer: Error { let text: String }

    // MARK: Transactions of MariaDB

    /// Serves the tables while the closure runs.
    /// - Parameter body: Receives the server, its database, and a second database with which the test holds locks.
    private static func withLocks(
        _ body: @Sendable @escaping (ServiceServer, Database, Database) async throws -> Void
    ) async throws {
        // Only the administrator sees which transactions wait.
        try await TestDatabase.withURL(.mariaDB, administrator: true) { url in
            let database = Database(url, configuration: DatabaseConfiguration(poolSize: 2).patient)
            let other = Database(url, configuration: DatabaseConfiguration(poolSize: 2).patient)
            try await database.write { try $0.executeScript(tables) }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let api = try IntrospectedDescription(of: schema, writes: true).api.fitted(to: schema)
            let service = ResourceService(api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
            do {
                try await ServiceServer.with(service) { try await body($0, database, other) }
            } catch {
                await other.close()
                await database.close()
                throw error
            }
            await other.close()
            await database.close()
        }
    }

    /// Returns when a number of the database's transactions wait for locks. The function does not read the tables of
    /// information_schema, because the server does not refresh them while they are read often.
    private static func waitForLocks(_ count: Int, _ database: Database) async throws {
        let waiting: @Sendable (Connection) throws -> Int = { connection in
            let name = try text("SELECT DATABASE()", column: 0, connection)
            let status = try text("SHOW ENGINE INNODB STATUS", column: 2, connection)
            // The part before it can describe an earlier deadlock.
            guard let transactions = status.range(of: "\nTRANSACTIONS\n") else { return -1 }
            return status[transactions.upperBound...].split(separator: "\n").count { line in
                line.contains("of table `\(name)`.") && line.hasSuffix("waiting")
            }
        }
        while try await database.read(waiting) != count {}
    }

    private static func text(_ sql: String, column: Int, _ connection: Connection) throws -> String {
        let rows = try connection.query(sql)
        defer { rows.close() }
        guard try rows.next(), case .text(let text) = rows.value(at: column) else {
            throw DatabaseError(.failed, "no text in the result of \(sql)")
        }
        return text
    }

    private static func batch(_ requests: String...) -> String { "{\"requests\":[\(requests.joined(separator: ","))]}" }

    private static func change(_ id: Int, _ note: String, _ tag: String? = nil) -> String {
        let headers = tag.map { ",\"headers\":{\"If-Match\":\(RawJSON.string($0))}" } ?? ""
        return "{\"method\":\"PATCH\",\"path\":\"/counters/\(id)\",\"body\":{\"note\":\"\(note)\"}\(headers)}"
    }

    @Test(
        "After a deadlock, the stopped transaction is repeated",
        arguments: TestBackend.available.filter { $0 == .mariaDB })
    func deadlock(_ backend: TestBackend) async throws {
        try await Self.withLocks { server, _, other in
            // Both transactions hold a row, and wait for the row 3. The first one that gets it then waits for the other
            // one, which waits for it.
            let one = Self.batch(Self.change(1, "one"), Self.change(3, "one"), Self.change(2, "one"))
            let two = """
                mutation @transaction { a: updateCounter(id: 2, patch: {note: "two"}) { errors { message } }
                    b: updateCounter(id: 3, patch: {note: "two"}) { errors { message } }
                    c: updateCounter(id: 1, patch: {note: "two"}) { errors { message } } }
                """
            let before = try await Self.deadlocks(other)
            try await other.holdingConnection(writing: "SELECT id FROM counters WHERE id = 3 FOR UPDATE") { release in
                async let first = server.send("POST", "/batch", body: one)
                async let second = server.send(
                    "POST", "/graphql", body: JSONValue.object(["query": .string(two)]).compactText)
                try await Self.waitForLocks(2, other)
                release()
                let answers = try await (first, second)
                #expect(answers.0.status == 200, "\(answers.0.body)")
                #expect(
                    answers.1.body == #"{"data":{"a":{"errors":[]},"b":{"errors":[]},"c":{"errors":[]}}}"#)
            }
            #expect(try await Self.deadlocks(other) > before)
            let notes = try await server.get("/counters?fields=note").body
            let possible = ["one", "two"].map { note in
                "[\(Array(repeating: "{\"note\":\"\(note)\"}", count: 3).joined(separator: ","))]"
            }
            #expect(possible.contains(notes), "\(notes)")
        }
    }

    /// Returns the number of deadlocks on the server.
    private static func deadlocks(_ database: Database) async throws -> Int {
        try await database.read { connection in
            let rows = try connection.query("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'")
            defer { rows.close() }
            guard try rows.next(), case .text(let text) = rows.value(at: 1) else { return -1 }
            return Int(text) ?? -1
        }
    }

    @Test(
        "A precondition is compared with the current row, even if the server has no isolated snapshots",
        arguments: TestBackend.available.filter { $0 == .mariaDB })
    func staleSnapshot(_ backend: TestBackend) async throws {
        try await Self.withLocks { server, database, other in
            // Old servers do not have the variable. The connections of the pool remain open.
            let statement = "SET SESSION innodb_snapshot_isolation = 0"
            try await database.holdingConnection(writing: statement) { _ in
                try await database.write { _ = try $0.execute(statement) }
            }
            let tag = try #require(try await server.get("/counters/1").headers.first(name: "ETag"))
            try await other.holdingConnection(writing: "UPDATE counters SET note = 'theirs' WHERE id = 1") { release in
                async let answer = server.send(
                    "POST", "/batch", body: Self.batch(Self.change(2, "mine"), Self.change(1, "mine", tag)))
                try await Self.waitForLocks(1, other)
                release()
                let status = try await answer.status
                #expect(status == 412)
            }
            let notes = try await server.get("/counters?fields=note&id.lt=3").body
            #expect(notes == #"[{"note":"theirs"},{"note":null}]"#)
        }
    }
}
