import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import Foundation
import ProcessTesting
import SeededTesting
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

/// Compares what a caller of a random role watches with what a caller of a twin watches: a server without roles, whose
/// database has only the rows and whose API has only the fields that the role sees.
@Suite("Random roles that watch", .timeLimit(.minutes(15))) struct ReducedLiveTests {
    @Test("The watchers of a random role receive the events of a reduced database", arguments: TestBackend.available)
    func equalEvents(_ backend: TestBackend) async throws {
        let compared = Mutex(0)
        try await RandomRoleTwin.forEach(backend, seedOffset: 6_000) { twin in
            var test = ReducedLiveTest(twin)
            await #expect(throws: Never.self, "\(twin.name): \(twin.role.permissions), \(twin.role.claims)") {
                try await test.run(steps: 10)
            }
            compared.withLock { $0 += test.compared }
        }
        // Not every change is visible to each role, and not every watcher watches what has changed.
        let number = compared.withLock { $0 }
        #expect(number > 0)
    }
}

private struct ReducedLiveTest {
    private let twin: RandomRoleTwin
    /// The rows of the whole database.
    private var schema: RandomSchema
    private var random: SplitMix64
    /// Removed rows, by table, which a later step can insert again.
    private var removed: [(table: String, row: RandomModel.Row)] = []
    /// The number of compared events after the first events.
    private(set) var compared = 0

    init(_ twin: RandomRoleTwin) {
        self.twin = twin
        schema = twin.whole.schema
        random = twin.random
    }

    private var model: RandomModel { RandomModel(schema: schema, catalogue: twin.whole.catalogue) }

    /// The same request to both servers.
    private struct Watcher {
        /// The target of a GET, or of a POST with the body.
        let target: String
        let body: String?
        var events: EventReader
        var twinEvents: EventReader
        /// The last data.
        var last: String
    }

    mutating func run(steps: Int) async throws {
        var watchers: [Watcher] = []
        for (target, body) in requests() {
            guard let watcher = try await watcher(target, body) else { continue }
            watchers.append(watcher)
        }
        for step in 0..<steps {
            guard let (table, statement) = change() else { continue }
            let visible = schema.keeping { [model] in twin.role.sees($0, of: $1, model) }
            try await twin.database.write { try $0.executeScript(statement) }
            // A condition can depend on rows of other tables, so all visible rows can differ.
            try await twin.twinDatabase.write { connection in
                for table in visible.tables { try connection.execute("DELETE FROM \(table.name)") }
                for table in visible.tables where !table.rows.isEmpty {
                    try connection.execute(table.insertStatement(for: table.rows))
                }
            }
            for index in watchers.indices.reversed() {
                let isOpen = try await compare(&watchers[index], "\(twin.name), step \(step), \(table): \(statement)")
                if !isOpen { watchers.remove(at: index) }
            }
        }
    }

    /// Returns random requests: lists with relations in both styles, and rows.
    private mutating func requests() -> [(target: String, body: String?)] {
        var requests: [(String, String?)] = []
        // The HTTP client has at most eight connections to a server.
        for resource in twin.reduced.resources.shuffled(using: &random).prefix(2) {
            let question = twin.visible.question(resource, depth: 2, &random)
            let query = question.restQuery.map { "\($0.name)=\($0.value.queryValue)" }.joined(separator: "&")
            requests.append(("/\(resource.name)?\(query)", nil))
            let document = "subscription \(question.document(question.first ?? 100))"
            requests.append(("/graphql", JSONValue.object(["query": .string(document)]).compactText))
            for row in (schema.table(resource.table)?.rows ?? []).shuffled(using: &random).prefix(1) {
                requests.append((RandomModel.target(of: row, resource), nil))
            }
        }
        return requests
    }

    /// Opens both streams, and compares their first events.
    /// - Returns: Nil if there is no such row.
    private func watcher(_ target: String, _ body: String?) async throws -> Watcher? {
        let current = try await read(target, body)
        let method = body == nil ? "GET" : "POST"
        guard current.status == 200 else {
            let answer = try await twin.server.get(target, twin.token.merging(["Accept": "text/event-stream"]) { $1 })
            #expect(answer.status == current.status, "\(twin.name): \(target)")
            return nil
        }
        var watcher = Watcher(
            target: target, body: body, events: try await twin.server.events(method, target, twin.token, body: body),
            twinEvents: try await twin.twin.events(method, target, body: body), last: current.body)
        let (event, expected) = (try await watcher.events.next(), try await watcher.twinEvents.next())
        #expect(
            event?.data == expected?.data && expected?.data == current.body, "\(twin.name): \(target) \(body ?? "")")
        return watcher
    }

    /// Reads what a watcher should see.
    private func read(_ target: String, _ body: String?) async throws -> HTTPAnswer {
        try await twin.twin.send(
            body == nil ? "GET" : "POST", target, [:], body: body?.replacing("subscription {", with: "{"))
    }

    /// Compares the next events of both streams, if the answer of the twin has changed. The next comparison finds an
    /// event for an unchanged answer.
    /// - Returns: False if the watched row no longer exists for the caller.
    private mutating func compare(_ watcher: inout Watcher, _ name: String) async throws -> Bool {
        let current = try await read(watcher.target, watcher.body)
        guard current.status != 200 || current.body != watcher.last else { return true }
        let (event, expected) = (try await watcher.events.next(), try await watcher.twinEvents.next())
        compared += 1
        let what = "\(name): \(watcher.target) \(watcher.body ?? "")"
        #expect(event?.name == expected?.name, "\(what)")
        #expect(event?.data == expected?.data, "\(what)")
        guard current.status == 200 else {
            #expect(event?.name == "gone", "\(what)")
            return false
        }
        #expect(event?.data == current.body, "\(what)")
        watcher.last = current.body
        return true
    }

    /// Changes a random row in memory.
    /// - Returns: The table, and the statement that changes the database equally; nil without rows.
    private mutating func change() -> (table: String, statement: String)? {
        if random.chance(perThousand: 300), let (name, row) = removed.popLast(), let table = schema.table(name) {
            schema.change(name) { $0.append(row) }
            return (name, table.insertStatement(for: [row]))
        }
        guard let table = schema.tables.filter({ !$0.rows.isEmpty }).randomElement(using: &random) else { return nil }
        let index = Int.random(in: table.rows.indices, using: &random)
        let row = table.rows[index]
        let key = table.key.map { "\($0) = \((row[$0] ?? .null).sql)" }.joined(separator: " AND ")
        let isReferenced = schema.tables.contains { $0.references.contains { $0.table == table.name } }
        if !isReferenced, random.chance(perThousand: 400) {
            schema.change(table.name) { $0.remove(at: index) }
            removed.append((table.name, row))
            return (table.name, "DELETE FROM \(table.name) WHERE \(key)")
        }
        let values = table.columns.filter { $0.name.hasPrefix("value") }
        guard let column = values.randomElement(using: &random) else { return nil }
        let value =
            column.isNullable && random.chance(perThousand: 250) ? RandomValue.null : column.type.value(&random)
        schema.change(table.name) { $0[index][column.name] = value }
        return (table.name, "UPDATE \(table.name) SET \(column.name) = \(value.sql) WHERE \(key)")
    }
}
