import DuetJSON
import Foundation
import NIOCore
import NIOHTTP1

/// Sends the requests of a task in a given style to a server.
struct Asker: Sendable {
    let client: WireClient

    /// Sends the requests of a task sequentially.
    /// - Parameter run: The run whose responses a warm cache may return; nil if it may return those of every run.
    /// - Throws: An error if a response is not the one that the scenario expects, or if there is no response.
    func ask(_ scenario: Scenario, _ style: Style, run: String? = nil) async throws -> Recording {
        let change = RequestChange(
            run: style.cacheState == .cold ? UUID().uuidString : run, written: scenario.written)
        let (rounds, answers) =
            style.isGraphQL
            ? try await askGraphQL(scenario, style, change) : try await askREST(scenario, style, change)
        return Recording(rounds: rounds, result: try scenario.reduce(answers), change: change)
    }

    /// Verifies that the written value is stored and visible to subsequent requests.
    /// - Throws: ``UnexpectedAnswer`` if another value is stored.
    func verify(_ scenario: Scenario, _ recording: Recording) async throws {
        guard let written = scenario.written else { return }
        let stored = try await exchange(.get(written.target), recording.change).answer.body
        guard stored == written.stored else {
            throw UnexpectedAnswer("\(written.target) is \(stored.compactText) after \(written.value) was written")
        }
    }

    /// Registers the documents of a scenario by their hash. Registration is not part of a task: only the first client
    /// does it.
    func register(_ scenario: Scenario) async throws {
        let change = RequestChange(written: scenario.written)
        for operation in scenario.operations { _ = try await exchange(operation.registration, change) }
    }

    /// - Returns: The rounds, and the responses that ``Scenario/Reduction`` receives.
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
        // If a list is read page by page, it is the only request of its task.
        while rounds.count < scenario.pages, let next = rounds.last?.first?.answer.next {
            rounds.append([try await exchange(.get(next), change)])
        }
        return (rounds, answers + rounds[declared.count...].flatMap { $0.map(\.answer.value) })
    }

    /// - Returns: The rounds, and the responses that ``Scenario/Reduction`` receives.
    private func askGraphQL(
        _ scenario: Scenario, _ style: Style, _ change: RequestChange
    ) async throws -> ([[Exchange]], [JSONValue]) {
        var rounds: [[Exchange]] = []
        for first in scenario.operations {
            var next: Operation? = first
            while let operation = next {
                let request = try operation.request(style, isWrite: scenario.writes)
                let exchange = try await exchange(request, change)
                rounds.append([exchange])
                next = rounds.count < scenario.pages ? try operation.next(after: exchange.answer.body) : nil
            }
        }
        return (rounds, try rounds.flatMap { try $0.map { try $0.answer.body.rootField().withoutConnections } })
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
        // A row of a REST response may have a member named `errors`.
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
            variableBytes: response.fields["Server-Timing"].reduce(0) { $0 + $1.utf8.count },
            statements: Self.statements(in: response.fields),
            isCacheHit: response.fields.first(name: "X-Cache") == "HIT")
    }

    /// The number of statements that the server reports, such as 3 for `sql;dur=0.104;desc="3"`.
    private static func statements(in fields: HTTPHeaders) -> Int? {
        let timing = fields["Server-Timing"].joined(separator: ",")
        guard !timing.isEmpty else { return nil }
        // A missing `sql` phase means that no statement was run.
        guard let phase = timing.firstMatch(of: /(?:^|[,\s])sql;[^,]*desc="(\d+)"/) else { return 0 }
        return Int(phase.1)
    }

    /// Returns the target of `<…>; rel="next"` (RFC 8288).
    private static func next(in link: String?) -> String? {
        link?.wholeMatch(of: /<([^>]*)>;\s*rel="next"/).map { String($0.1) }
    }
}
