import Crypto
import DuetGraphQL
import DuetJSON
import Foundation
import NIOCore
import NIOHTTP1

/// Asks a server for a task, in a style.
struct Asker: Sendable {
    let client: WireClient

    /// Asks one question after the other.
    /// - Parameter run: The run whose answers a warm cache may have; nil for those of all.
    /// - Throws: if an answer is not what the scenario expects, or there is none.
    func ask(_ scenario: Scenario, _ style: Style, run: String? = nil) async throws -> Recording {
        let change = RequestChange(
            run: style.cacheState == .cold ? UUID().uuidString : run, written: scenario.written)
        return switch style {
        case .restResources: try await ask(scenario.resources, change) { $0 }
        case .restComposite: try await ask(scenario.composite, change) { $0 }
        case .restSparse, .restCold, .restWarm: try await ask(scenario.sparse, change) { $0 }
        case .restExport: try await ask(scenario.export ?? scenario.sparse, change) { $0 }
        case .graphQL: try await ask(scenario.graphQL, change) { Request.posting($0, document: $0.document) }
        case .graphQLMinified:
            try await ask(scenario.graphQL, change) { Request.posting($0, document: try $0.minified()) }
        case .graphQLPersisted, .graphQLCold, .graphQLWarm:
            try await ask(scenario.graphQL, change) { $0.hashed(isWrite: scenario.writes) }
        }
    }

    /// Makes sure that what has been written is stored, for whoever asks next.
    /// - Throws: if another value is.
    func verify(_ scenario: Scenario, _ recording: Recording) async throws {
        guard let written = scenario.written else { return }
        let stored = try await exchange(.get(written.target), recording.change).answer.body
        guard stored == written.stored else {
            throw UnexpectedAnswer("\(written.target) is \(stored.compact) after \(written.value) was written")
        }
    }

    /// Makes the documents of a scenario known to the server by their hash. That is no part of a task: it is done once, by whoever comes
    /// first.
    func register(_ scenario: Scenario) async throws {
        let change = RequestChange(written: scenario.written)
        let (_, operations) = try await askInRounds(scenario.graphQL, change) {
            Request.posting($0, document: $0.document)
        }
        var documents: Set<String> = []
        for operation in operations where documents.insert(operation.document).inserted {
            _ = try await exchange(operation.registration, change)
        }
    }

    private func ask<Question>(
        _ asking: Asking<Question>, _ change: RequestChange, _ request: (Question) throws -> Request
    ) async throws -> Recording {
        try await askInRounds(asking, change, request).0
    }

    private func askInRounds<Question>(
        _ asking: Asking<Question>, _ change: RequestChange, _ request: (Question) throws -> Request
    ) async throws -> (Recording, [Question]) {
        var rounds: [[Exchange]] = []
        var answers: [[Answer]] = []
        var asked: [Question] = []
        while true {
            let questions = try asking.next(answers)
            guard !questions.isEmpty else { break }
            var round: [Exchange] = []
            for question in questions { round.append(try await exchange(try request(question), change)) }
            rounds.append(round)
            answers.append(round.map(\.answer))
            asked += questions
        }
        return (Recording(rounds: rounds, result: try asking.result(answers), change: change), asked)
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
        if let errors = body["errors"] { throw UnexpectedAnswer("\(request.target): \(errors)") }
        var request = request
        request.expectedLength = response.body.readableBytes
        return Exchange(
            request: request,
            answer: Answer(
                status: response.status, body: body, next: Self.next(in: response.fields.first(name: "Link"))),
            up: response.up, down: response.down,
            variableBytes: response.fields["Server-Timing"].reduce(0) { $0 + $1.utf8.count },
            statements: Self.statements(in: response.fields),
            isCacheHit: response.fields.first(name: "X-Cache") == "HIT")
    }

    /// How many statements the server says it has run: `sql;dur=0.104;desc="3"`.
    private static func statements(in fields: HTTPHeaders) -> Int? {
        let timing = fields["Server-Timing"].joined(separator: ",")
        guard !timing.isEmpty else { return nil }
        // Without that phase there was none.
        guard let phase = timing.firstMatch(of: /(?:^|[,\s])sql;[^,]*desc="(\d+)"/) else { return 0 }
        return Int(phase.1)
    }

    /// The target of `<…>; rel="next"` (RFC 8288).
    private static func next(in link: String?) -> String? {
        link?.wholeMatch(of: /<([^>]*)>;\s*rel="next"/).map { String($0.1) }
    }
}

extension Operation {
    /// The document without what the server does not need.
    func minified() throws -> String { try Source(document).strippingIgnoredCharacters() }

    private var extensions: JSONValue {
        let hash = SHA256.hash(data: Data(document.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        return ["persistedQuery": ["version": 1, "sha256Hash": .string(hash)]]
    }

    /// The operation by its document's hash: a read by GET, as caches keep it.
    func hashed(isWrite: Bool) -> Request {
        if isWrite {
            return .posting(["variables": .object(variables), "extensions": extensions])
        }
        var query = "extensions=\(extensions.compact.percentEncoded)"
        if !variables.members.isEmpty { query += "&variables=\(JSONValue.object(variables).compact.percentEncoded)" }
        return .get("/graphql?\(query)")
    }

    /// What registers the document, and executes it.
    var registration: Request {
        .posting(["query": .string(document), "variables": .object(variables), "extensions": extensions])
    }
}

extension Request {
    static func posting(_ operation: Operation, document: String) -> Request {
        var body = JSONObject()
        body["query"] = .string(document)
        if !operation.variables.members.isEmpty { body["variables"] = .object(operation.variables) }
        return .posting(.object(body))
    }

    /// A GraphQL request as JSON.
    static func posting(_ body: JSONValue) -> Request {
        Request(method: .post, target: "/graphql", body: body.compact)
    }
}

extension String {
    /// With all but what RFC 3986 calls unreserved percent-encoded.
    fileprivate var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~"))) ?? self
    }
}
