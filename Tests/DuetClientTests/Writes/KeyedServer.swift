import DuetClient
import Foundation
import HTTPTypes
import Synchronization

/// A server of orders over REST and GraphQL that honours idempotency keys. A test makes it lose requests and responses.
final class KeyedServer: Sendable {
    /// The fate of a request.
    enum Fate: Sendable, Hashable {
        /// The server performs the request and responds.
        case answered
        /// The connection is lost before the server has read the request.
        case lostRequest
        /// The connection is lost after the server has performed the request.
        case lostResponse
        /// The server responds with a status, and does not perform the request.
        case status(String)
        /// An earlier request with the same key is still running.
        case inUse
        /// The server refuses the request, because its values are invalid.
        case invalid
    }

    /// A request that the server has read.
    struct Request: Sendable, Equatable {
        let method: String
        let path: String
        let key: String?
        let caller: String?
        let body: String
    }

    private struct Answer {
        let payload: String
        let status: String
        let body: String
    }

    private struct State {
        var fates: [Fate] = []
        var requests: [Request] = []
        var answers: [String: Answer] = [:]
        var notes: [String] = []
    }

    private let state = Mutex(State())

    /// The notes of the orders that were created, in order.
    var notes: [String] { state.withLock { $0.notes } }
    /// All requests so far, in order.
    var requests: [Request] { state.withLock { $0.requests } }

    /// Sets the fates of the next requests. Later requests are answered.
    func expect(_ fates: Fate...) { state.withLock { $0.fates = fates } }
    func expect(_ fates: [Fate]) { state.withLock { $0.fates = fates } }

    /// Starts the server, and ends it after the closure.
    static func with<Value: Sendable>(_ body: (KeyedServer, URL) async throws -> Value) async throws -> Value {
        let server = KeyedServer()
        return try await ScriptedServer.with { connection in
            while let (head, body) = try await connection.request() {
                guard let (status, text) = server.answer(head, body) else { return }
                let type = status.hasPrefix("2") ? "application/json" : "application/problem+json"
                try await connection.respond(
                    status,
                    ["Content-Type": head.contains("/graphql") ? "application/graphql-response+json" : type],
                    body: text)
            }
        } _: { scripted in
            guard let url = URL(string: scripted.base) else { throw URLError(.badURL) }
            return try await body(server, url)
        }
    }

    /// - Returns: The status and the body, or nil if the connection is lost.
    private func answer(_ head: String, _ body: String) -> (String, String)? {
        let request = Self.request(head, body)
        let isGraphQL = request.path == "/graphql"
        // The server does not store the hashes of documents.
        if isGraphQL, !body.contains(#""query":"#) {
            return ("200 OK", #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
        }
        return state.withLock { state in
            let fate = state.fates.isEmpty ? .answered : state.fates.removeFirst()
            if fate == .lostRequest { return nil }
            state.requests.append(request)
            switch fate {
            case .status(let status): return (status, isGraphQL ? #"{"errors":[{"message":"failed"}]}"# : "{}")
            case .inUse: return Self.problem("409 Conflict", "idempotency-key-in-use", isGraphQL)
            case .invalid: return Self.problem("422 Unprocessable Content", "validation-failed", isGraphQL)
            default: break
            }
            let answer: (String, String)
            // The tokens of a caller have different numbers: `anna-1`, `anna-2`.
            let caller = request.caller?.split(separator: "-").first ?? ""
            let scope = request.key.map { "\(caller) \(request.method) \(request.path) \($0)" }
            if let scope, let known = state.answers[scope] {
                answer =
                    known.payload == body
                    ? (known.status, known.body)
                    : Self.problem("422 Unprocessable Content", "idempotency-key-reused", isGraphQL)
            } else {
                answer = Self.perform(body, isGraphQL, &state.notes)
                if let scope { state.answers[scope] = Answer(payload: body, status: answer.0, body: answer.1) }
            }
            return fate == .lostResponse ? nil : answer
        }
    }

    private static func request(_ head: String, _ body: String) -> Request {
        let lines = head.split(separator: "\r\n").map(String.init)
        let first = lines[0].split(separator: " ").map(String.init)
        func field(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
        var key = field("idempotency-key")
        if case .string(let text)? = (try? JSONValue(parsing: Data(body.utf8)))?["extensions"]?["idempotencyKey"] {
            key = text
        }
        return Request(method: first[0], path: first[1], key: key, caller: field("authorization"), body: body)
    }

    private static func perform(_ body: String, _ isGraphQL: Bool, _ notes: inout [String]) -> (String, String) {
        let json = (try? JSONValue(parsing: Data(body.utf8))) ?? .null
        let input = isGraphQL ? json["variables"]?["input"] : json
        guard case .string(let note)? = input?["note"] else { return ("400 Bad Request", "{}") }
        notes.append(note)
        let row = #"{"id":\#(notes.count),"note":"\#(note)"}"#
        guard isGraphQL else { return ("201 Created", row) }
        return ("200 OK", #"{"data":{"createOrder":{"__typename":"OrderPayload","order":\#(row),"errors":[]}}}"#)
    }

    private static func problem(_ status: String, _ code: String, _ isGraphQL: Bool) -> (String, String) {
        guard isGraphQL else {
            return (
                status,
                #"{"type":"/problems/\#(code)","title":"Failed","code":"\#(code)","errors":[{"field":"note","message":"is bad","pointer":"/note"}]}"#
            )
        }
        let name = code.uppercased().replacing("-", with: "_")
        return (status, #"{"errors":[{"message":"failed","extensions":{"code":"\#(name)"}}]}"#)
    }
}
