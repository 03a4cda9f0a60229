import DuetJSON
import Foundation
import NIOCore
import NIOHTTP1

/// Performs a task in a given style: sends the requests of the style to a server.
struct Asker: Sendable {
    let client: WireClient

    /// Sends the requests of a task sequentially.
    /// - Parameter run: The identifier of the run. A cache then returns only responses of this run. If the identifier
    ///   is nil, a cache may return the responses of all runs.
    /// - Throws: An error if there is no response, or if the response does not match the scenario.
    func ask(_ scenario: Scenario, _ style: Style, run: String? = nil) async throws -> Recording {
        let change = RequestChange(
            run: style.cacheState == .cold ? UUID().uuidString : run, written: scenario.written)
        let (rounds, answers) =
            style.isGraphQL
            ? try await askGraphQL(scenario, style, change) : try await askREST(scenario, style, change)
        return Recording(rounds: rounds, result: try scenario.picks.values(of: answers, in: style), change: change)
    }

    /// Verifies that the written value is stored and visible to subsequent requests.
    /// - Throws: ``UnexpectedAnswer`` if the stored value differs from the written value.
    func verify(_ scenario: Scenario, _ recording: Recording) async throws {
        guard let written = scenario.written else { return }
        let stored = try await exchange(.get(written.target), recording.change).answer.body
        guard stored == written.stored else {
            throw UnexpectedAnswer("\(written.target) is \(stored.compactText) after \(written.value) was written")
        }
    }

    /// Registers the documents of a scenario under their hashes. The registration is not part of a task, because only
    /// the first of many clients registers a document.
    func register(_ scenario: Scenario) async throws {
        let change = RequestChange(written: scenario.written)
        for operation in scenario.operations { _ = try await exchange(operation.registration, change) }
    }

    /// - Returns: The exchanges of each round, and the responses for ``Picks``.
    private func askREST(
        _ scenario: Scenario, _ style: Style, _ change: RequestChange
    ) async throws -> ([[Exchange]], [JSONValue]) {
        let declared = scenario.rounds(of: style)
        var rounds: [[Exchange]] = []
        for requests in declared {
            var round: [Exchange] = []
            for request in try requests.filled(from: rounds.last?.map(\.answer.value) ?? []) {
                round.append(try await exchange(request, change))
            }
            rounds.append(round)
        }
        let answers = try RequestRound.joined(rounds.map { $0.map(\.answer.value) }, of: declared)
        // A task that reads several pages declares only one request. The `Link` field has the address of the next page.
        while !style.readsAggregates, rounds.count < scenario.pages,
            let next = rounds.last?.first?.answer.next
        {
            rounds.append([try await exchange(.get(next), change)])
        }
        return (rounds, answers + rounds[declared.count...].flatMap { $0.map(\.answer.value) })
    }

    /// - Returns: The exchanges of each round, and the responses for ``Picks``.
    private func askGraphQL(
        _ scenario: Scenario, _ style: Style, _ change: RequestChange
    ) async throws -> ([[Exchange]], [JSONValue]) {
        var rounds: [[Exchange]] = []
        var values: [JSONValue] = []
        for first in scenario.operations(of: style) {
            let reader = try ConnectionReader(first.document)
            var next: TaskOperation? = first
            while let operation = next {
                let request = try operation.request(style, isWrite: scenario.writes)
                let exchange = try await exchange(request, change)
                rounds.append([exchange])
                guard !style.readsAggregates else {
                    values += try reader.values(of: exchange.answer.body)
                    break
                }
                values.append(try reader.value(of: exchange.answer.body))
                next = rounds.count < scenario.pages ? try operation.next(after: exchange.answer.body) : nil
            }
        }
        return (rounds, values)
    }

    private func exchange(_ request: Request, _ change: RequestChange) async throws -> Exchange {
        try Task.checkCancellation()
        let response = try await client.expecting(change.applied(to: request))
        let text = change.undone(in: String(buffer: response.body))
        let isLines = response.fields.first(name: "Content-Type") == "application/x-ndjson"
        let body: JSONValue =
            isLines
            ? .array(try text.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) })
            : try JSONValue(parsing: text.utf8)
        // Only responses from `/graphql` are checked: a row of a REST response may have a member named `errors`.
        if request.target.prefix(while: { $0 != "?" }) == "/graphql", let errors = body["errors"] {
            throw UnexpectedAnswer("/graphql: \(errors.errorMessages)")
        }
        var request = request
        request.expectedLength = response.body.readableBytes
        return Exchange(
            request: request,
            answer: ServerResponse(
                status: response.status, body: body, next: Self.next(in: response.fields.first(name: "Link"))),
            up: response.up, down: response.down,
            variableBytes: Self.variableBytes(in: response.fields),
            statements: Self.statements(in: response.fields),
            isCacheHit: response.fields.first(name: "X-Cache") == "HIT")
    }

    /// Returns the number of bytes of the values of `Server-Timing`; see ``Exchange/variableBytes``.
    static func variableBytes(in fields: HTTPHeaders) -> Int {
        fields["Server-Timing"].reduce(0) { $0 + $1.utf8.count }
    }

    /// Returns the number of SQL statements that the server reports in `Server-Timing`, such as 3 for
    /// `sql;dur=0.104;desc="3"`.
    static func statements(in fields: HTTPHeaders) -> Int? {
        let timing = fields["Server-Timing"].joined(separator: ",")
        guard !timing.isEmpty else { return nil }
        // If the phase `sql` is missing, no statement was executed.
        guard let phase = timing.firstMatch(of: /(?:^|[,\s])sql;[^,]*desc="(\d+)"/) else { return 0 }
        return Int(phase.1)
    }

    /// Returns the target of a link of the form `<…>; rel="next"` (RFC 8288).
    private static func next(in link: String?) -> String? {
        link?.wholeMatch(of: /<([^>]*)>;\s*rel="next"/).map { String($0.1) }
    }
}

/// A request, its response, and the cost of the request.
struct Exchange: Sendable {
    let request: Request
    let answer: ServerResponse
    let up: WireBytes
    let down: WireBytes
    /// The number of bytes of the `Server-Timing` field. They are excluded from the cost, because the length of the
    /// field varies.
    let variableBytes: Int
    /// The number of SQL statements that the server executed for the request; nil if the server does not report the
    /// number. A cached response reports the statements of the original request.
    let statements: Int?
    /// True if an intermediate cache returned the response.
    let isCacheHit: Bool

    /// The received bytes without ``variableBytes``.
    var stableDown: WireBytes {
        var down = down
        down.head -= variableBytes
        return down
    }
}

/// The recorded requests and responses of a task. Each round contains requests that do not depend on each other.
struct Recording: Sendable {
    let rounds: [[Exchange]]
    /// The result of the task. It should be equal in all styles.
    let result: JSONValue
    /// The parts of the requests that are different in each execution of the task.
    let change: RequestChange

    var exchanges: [Exchange] { rounds.flatMap(\.self) }
}
