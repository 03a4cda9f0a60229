import DuetJSON
package import DuetSQLDatabase
import Foundation
import NIOCore
import NIOHTTP1

/// A copy of the database, with a server on which one style performs its tasks. All stations begin with equal rows.
struct WriteStation: Sendable {
    let style: Style
    let database: DatabaseURL
    let client: WireClient

    /// Performs the requests that precede an execution.
    func prepare(_ task: WriteTask, number: Int, changes: Int) async throws -> WriteTask.Execution {
        var execution = WriteTask.Execution(number: number, changes: changes)
        for request in try requests({ try task.setup(number) }) {
            execution.setup.append(try await exchange(request, client).reply)
        }
        return execution
    }

    /// Performs the requests of an execution.
    /// - Parameters:
    ///   - mode: The way in which the requests of a round are sent.
    ///   - client: Another client of the same server; nil for the client of the station.
    func perform(
        _ task: WriteTask, _ execution: WriteTask.Execution, _ mode: Timing.Mode = .sequential,
        through client: WireClient? = nil
    ) async throws -> [[(exchange: Exchange, time: Duration)]] {
        var execution = execution
        let client = client ?? self.client
        var rounds: [[(exchange: Exchange, time: Duration)]] = []
        while let requests = try requests({ try task.next(style, execution) }) {
            let answers = try await answers(to: requests, mode, client)
            rounds.append(answers.map { ($0.exchange, $0.time) })
            execution.rounds.append(answers.map(\.reply))
        }
        return rounds
    }

    /// Registers the documents of a task under their hashes, without executing them: the variables are missing.
    func register(_ task: WriteTask) async throws {
        guard style == .graphQLPersisted else { return }
        for document in task.documents { _ = try await client.send(TaskOperation(document: document).registration) }
    }

    /// The rows of all tables.
    func states(of tables: [ComparedTable]) async throws -> TableStates {
        try await TableStates.read(tables, of: database)
    }

    private struct Answered: Sendable {
        let exchange: Exchange
        let reply: WriteTask.Reply
        let time: Duration
    }

    private func answers(
        to requests: [Request], _ mode: Timing.Mode, _ client: WireClient
    ) async throws -> [Answered] {
        guard mode == .parallel, requests.count > 1 else {
            var answers: [Answered] = []
            for request in requests { answers.append(try await exchange(request, client)) }
            return answers
        }
        return try await withThrowingTaskGroup(of: (Int, Answered).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, try await exchange(request, client)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func requests<Value>(_ make: () throws -> Value) throws -> Value {
        do { return try make() } catch let error as NoRow { throw UnexpectedAnswer(error.description) }
    }

    private func exchange(_ request: Request, _ client: WireClient) async throws -> Answered {
        try Task.checkCancellation()
        let start = ContinuousClock.now
        let response = try await client.expecting(request)
        let time = ContinuousClock.now - start
        let text = String(buffer: response.body)
        let body = text.isEmpty ? JSONValue.null : try JSONValue(parsing: text.utf8)
        if request.target.prefix(while: { $0 != "?" }) == "/graphql" { try Self.check(body) }
        let exchange = Exchange(
            request: request, answer: ServerResponse(status: response.status, body: body, next: nil), up: response.up,
            down: response.down, variableBytes: Asker.variableBytes(in: response.fields),
            statements: Asker.statements(in: response.fields), isCacheHit: false)
        let reply = WriteTask.Reply(body: body, entityTag: response.fields.first(name: "ETag"))
        return Answered(exchange: exchange, reply: reply, time: time)
    }

    /// Checks that a response of GraphQL has neither errors nor payloads with errors.
    private static func check(_ body: JSONValue) throws {
        if let errors = body["errors"] { throw UnexpectedAnswer("/graphql: \(errors.errorMessages)") }
        guard case .object(let data)? = body["data"] else { throw UnexpectedAnswer("/graphql: there is no data") }
        for member in data.members {
            if case .array(let errors)? = member.value["errors"], !errors.isEmpty {
                throw UnexpectedAnswer("\(member.key): \(JSONValue.array(errors).errorMessages)")
            }
        }
    }
}

extension DatabaseURL {
    /// The URL with the password, as the server needs it. ``description`` hides the password.
    package var withPassword: String {
        guard case .mariaDB(let location) = location else { return description }
        var components = URLComponents()
        components.scheme = "mariadb"
        components.user = location.user
        components.password = location.password
        components.host = location.host.contains(":") ? "[\(location.host)]" : location.host
        components.port = location.port
        components.path = "/" + location.database
        let items =
            (location.socket.map { [URLQueryItem(name: "socket", value: $0)] } ?? [])
            + (location.requiresTLS ? [URLQueryItem(name: "tls", value: "required")] : [])
        if !items.isEmpty { components.queryItems = items }
        return components.string ?? ""
    }
}
