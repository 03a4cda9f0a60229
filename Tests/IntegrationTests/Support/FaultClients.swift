import DuetJSON
import Foundation
import NIOHTTP1
import ProcessTesting
import SeededTesting
import Synchronization
import Testing

/// Clients that write and read through several servers while parts of the system fail.
///
/// Each client sends one request at a time, with the token of its last write. It repeats a write with the same
/// idempotency key until a server acknowledges it, and checks after each write that a read shows all of its writes. A
/// write has two rows, so that a read can show a part of a transaction.
final class FaultClients: Sendable {
    /// The API description, and the statement that creates its table.
    static let description = """
        duet: 1
        description: Notes.
        resources:
          notes:
            singular: note
            type: Note
            key: [id]
            writes: all
            fields:
              id: {type: int, absent: automatic}
              client: {type: int}
              number: {type: int}
              half: {type: int}
            sort: [half]

        """
    static let table = """
        CREATE TABLE notes (id INT AUTO_INCREMENT PRIMARY KEY, client INT NOT NULL, number INT NOT NULL,
            half INT NOT NULL, KEY (client, number))
        """

    private struct State {
        /// The number of acknowledged writes of each client.
        var acknowledged: [Int]
        /// The answers other than success, and how often they came.
        var failures: [String: Int] = [:]
        /// The event after which the clients waited longest for their writes and reads.
        var longest: (event: String, time: Duration) = ("", .zero)
        var isEnding = false
        /// The error that has ended a client.
        var error: (any Error)?
    }

    private let servers: [any HTTPEndpoint]
    private let state: Mutex<State>
    /// The answers that are correct while a part of the system fails. All other ones are faults.
    private static let acceptable: Set<String> = [
        "database-unavailable", "database-read-only", "outcome-unknown", "query-timeout", "overloaded",
        "idempotency-key-in-use", "connection",
    ]

    private init(_ servers: [any HTTPEndpoint], count: Int) {
        self.servers = servers
        state = Mutex(State(acknowledged: Array(repeating: 0, count: count)))
    }

    /// Runs clients during a closure. Afterwards, each client ends as soon as its current write is acknowledged.
    /// - Parameter count: The number of clients.
    /// - Returns: The number of acknowledged writes of each client.
    static func with(
        _ servers: [any HTTPEndpoint], count: Int, _ body: (FaultClients) async throws -> Void
    ) async throws -> [Int] {
        let clients = FaultClients(servers, count: count)
        defer { print(clients.summary) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<count { group.addTask { await clients.run(client) } }
            try await body(clients)
            clients.state.withLock { $0.isEnding = true }
            try await group.waitForAll()
        }
        return try clients.current().acknowledged
    }

    /// The numbers of writes and failures, and the longest recovery, for the log of the test.
    private var summary: String {
        let state = state.withLock { $0 }
        return "writes: \(state.acknowledged), failures: \(state.failures), longest time until all clients had written "
            + "and read: \(state.longest.time) (\(state.longest.event))"
    }

    /// Waits until each client has written and read twice. At least one write of each, with its reads, has then begun
    /// after the call.
    /// - Parameters:
    ///   - event: The event before which the clients are observed, for the log of the test.
    ///   - work: The work of the operator in the meantime.
    func progress(_ event: String, while work: () async throws -> Void = {}) async throws {
        let beginning = ContinuousClock.now
        let before = state.withLock(\.acknowledged)
        try await work()
        _ = try await Polling.observe {
            try current().acknowledged
        } until: { now in
            zip(before, now).allSatisfy { $1 >= $0 + 2 }
        }
        let time = ContinuousClock.now - beginning
        state.withLock { state in
            if time > state.longest.time { state.longest = (event, time) }
        }
    }

    /// Waits until a client has received a failure.
    func failure() async throws {
        func count() throws -> Int { try current().failures.values.reduce(0, +) }
        let before = try count()
        _ = try await Polling.observe(count, until: { $0 > before })
    }

    /// - Throws: The error that has ended a client.
    private func current() throws -> State {
        let state = state.withLock { $0 }
        if let error = state.error { throw error }
        return state
    }

    /// A client has received a wrong answer, or only failures for five minutes.
    private struct Failed: Error {
        let client: Int
        let failure: String
    }

    // MARK: One client

    private func run(_ client: Int) async {
        do {
            try await sendRequests(client)
        } catch {
            state.withLock { $0.error = error }
        }
    }

    private func sendRequests(_ client: Int) async throws {
        var token: String?
        var number = 0
        // Each client prefers one of the servers for its writes, so that the failure of one part concerns some of them.
        var preferred = client
        while !state.withLock(\.isEnding) {
            number += 1
            try await retry(client, &preferred) { try await self.write(client, number, $0, &token) }
            for turn in 0..<2 {
                var server = number + turn
                try await retry(client, &server) { try await self.count(client, number, $0, &token) }
                try await retry(client, &server) { try await self.list(client, number, $0, &token) }
            }
            // A pause, so that the clients do not occupy the processors alone.
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Repeats a request until it succeeds. If a server cannot be reached, the next one is asked.
    private func retry(
        _ client: Int, _ server: inout Int, _ request: (any HTTPEndpoint) async throws -> String?
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            var failure: String?
            do {
                failure = try await request(servers[server % servers.count])
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                failure = "connection"
                server += 1
            }
            guard let failure else { return }
            state.withLock { $0.failures[failure, default: 0] += 1 }
            guard Self.acceptable.contains(failure), ContinuousClock.now < deadline else {
                throw Failed(client: client, failure: failure)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// - Returns: The code of the failure; nil for success.
    private func write(
        _ client: Int, _ number: Int, _ server: any HTTPEndpoint, _ token: inout String?
    ) async throws -> String? {
        let key = "\(client)-\(number)"
        let rows = (0..<2).map { half -> JSONValue in
            ["client": .integer(Int64(client)), "number": .integer(Int64(number)), "half": .integer(Int64(half))]
        }
        let answer: HTTPAnswer
        if number.isMultiple(of: 3) {
            let body: JSONValue = [
                "query":
                    "mutation ($rows: [CreateNoteInput!]!) { createNotes(inputs: $rows) { errors { message } } }",
                "variables": ["rows": .array(rows)], "extensions": ["idempotencyKey": .string(key)],
            ]
            answer = try await send("POST", server, "/graphql", body, [:], &token)
        } else {
            answer = try await send(
                "POST", server, "/notes", .array(rows), ["Idempotency-Key": "\"\(key)\""], &token)
        }
        if let code = Self.failure(answer) { return code }
        state.withLock { $0.acknowledged[client] = number }
        return nil
    }

    /// Checks that a count over GraphQL shows all writes of the client, and no write in part.
    private func count(
        _ client: Int, _ number: Int, _ server: any HTTPEndpoint, _ token: inout String?
    ) async throws -> String? {
        let position = token ?? "none"
        let query = "{ own: notes(filter: {client: {eq: \(client)}}) { totalCount } all: notes { totalCount } }"
        let answer = try await send("POST", server, "/graphql", ["query": .string(query)], [:], &token)
        if let code = Self.failure(answer) { return code }
        let data = try answer.json["data"]
        #expect(
            data?["own"]?["totalCount"] == .integer(Int64(2 * number)),
            "client \(client), write \(number), position \(position)")
        guard case .integer(let all) = data?["all"]?["totalCount"] else { return answer.body }
        #expect(all.isMultiple(of: 2), "client \(client), write \(number), position \(position)")
        return nil
    }

    /// Checks that a list over REST shows both rows of the last write.
    private func list(
        _ client: Int, _ number: Int, _ server: any HTTPEndpoint, _ token: inout String?
    ) async throws -> String? {
        let position = token ?? "none"
        let path = "/notes?client=\(client)&number=\(number)&fields=half&sort=half"
        let answer = try await send("GET", server, path, nil, [:], &token)
        if let code = Self.failure(answer) { return code }
        #expect(answer.body == #"[{"half":0},{"half":1}]"#, "client \(client), write \(number), position \(position)")
        return nil
    }

    private func send(
        _ method: String, _ server: any HTTPEndpoint, _ path: String, _ body: JSONValue?, _ fields: [String: String],
        _ token: inout String?
    ) async throws -> HTTPAnswer {
        var fields = fields
        fields["Duet-Database-Position"] = token
        let answer = try await server.send(method, path, fields, body: body?.compactText)
        if Self.failure(answer) == nil { token = answer.headers.first(name: "Duet-Database-Position") }
        return answer
    }

    /// Returns the code of the problem document, or of the first error of GraphQL; nil for success.
    private static func failure(_ answer: HTTPAnswer) -> String? {
        guard let json = try? answer.json else { return "\(answer.status) \(answer.body)" }
        if case .string(let type) = json["type"] { return String(type.split(separator: "/").last ?? "") }
        if case .array(let errors) = json["errors"], let first = errors.first {
            if case .string(let code) = first["extensions"]?["code"] {
                return code.lowercased().replacing("_", with: "-")
            }
            return answer.body
        }
        guard [200, 201].contains(answer.status) else { return "\(answer.status) \(answer.body)" }
        if let created = json["data"]?["createNotes"], created["errors"] != .array([]) { return answer.body }
        return nil
    }
}
