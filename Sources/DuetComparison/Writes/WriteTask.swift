import DuetJSON

/// A task that writes, with its requests in each style. Each execution has a number, from which the new unique values
/// of its rows follow.
struct WriteTask: Sendable {
    let name: String
    /// The description of the task: one sentence.
    let sentence: String
    /// The GraphQL operations that the task sends, which must be registered under their hashes.
    let documents: [String]
    /// The resource and the field that the task changes in an existing row; nil if there is none.
    var changed: String?
    /// Returns the requests of REST that precede an execution in every style, and are not part of it.
    var setup: @Sendable (_ number: Int) throws -> [Request] = { _ in [] }
    /// Returns the requests of the next round of an execution; nil after the last round. A round has requests that do
    /// not depend on each other.
    let next: @Sendable (_ style: Style, _ execution: Execution) throws -> [Request]?
    /// The same task with other rows or fields, for the case that the database refuses this one.
    var alternatives: [WriteTask] = []

    /// An execution of a task.
    struct Execution: Sendable {
        /// The number of the execution. All styles have the same number for the same values.
        let number: Int
        /// The number of earlier executions on the same copy that have changed the same field.
        let changes: Int
        /// The responses to the requests that preceded the execution.
        var setup: [Reply] = []
        /// The responses to the requests of the earlier rounds.
        var rounds: [[Reply]] = []
    }

    /// A response, as far as later requests depend on it.
    struct Reply: Sendable {
        let body: JSONValue
        let entityTag: String?
    }

    /// The task in the format of a task file, for a task with one request in each style.
    var json: JSONValue {
        get throws {
            let execution = Execution(number: 0, changes: 0)
            guard let rest = try next(.restSparse, execution)?.first, let graphQL = try next(.graphQL, execution)?.first
            else { throw NoRow("the task \(name) has no request") }
            let body = try JSONValue(parsing: (graphQL.body ?? "").utf8)
            let lines = try body.member("query").string().split(separator: "\n").map { JSONValue.string(String($0)) }
            let line = "\(rest.method.rawValue) \(rest.target)\(rest.body.map { " \($0)" } ?? "")"
            return [
                "name": .string(name), "sentence": .string(sentence), "writes": true, "rest": [.string(line)],
                "graphql": .array(lines), "variables": body["variables"] ?? [:],
            ]
        }
    }

    /// The styles in which tasks that write are performed.
    static let styles: [Style] = [.restResources, .restSparse, .graphQL, .graphQLPersisted]
}

extension Request {
    /// Creates a request that writes.
    static func writing(
        _ method: Method, _ target: String, _ body: JSONValue? = nil, ifMatch: String? = nil, expecting status: Int
    ) -> Request {
        var request = Request(method: method, target: target, body: body?.compactText, expectedStatus: status)
        request.ifMatch = ifMatch
        request.isOfWritingTask = true
        return request
    }
}
