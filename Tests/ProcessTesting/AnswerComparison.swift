import NIOHTTP1

/// Sends requests to a server with roles and to its twin, and compares the answers. The twin is a server without roles
/// that has only what the caller sees.
package struct AnswerComparison: Sendable {
    /// A request that both servers receive.
    package struct Request: Sendable {
        package var target: String
        package var accept: String
        /// The JSON text of a POST; nil for a GET.
        package var body: String?

        package init(target: String, accept: String = "*/*", body: String? = nil) {
            self.target = target
            self.accept = accept
            self.body = body
        }
    }

    private let server: any HTTPEndpoint
    private let twin: any HTTPEndpoint
    private let token: [String: String]
    private let name: String

    /// - Parameters:
    ///   - token: The header fields of the caller, which only the server receives.
    ///   - name: Identifies the comparison in messages.
    package init(server: any HTTPEndpoint, twin: any HTTPEndpoint, token: [String: String], name: String = "") {
        self.server = server
        self.twin = twin
        self.token = token
        self.name = name
    }

    /// Compares the answers to a request, to its conditional form, and to the requests for the following pages.
    /// - Returns: The differences; empty if the answers are equal.
    package func differences(_ request: Request) async throws -> [String] {
        var differences: [String] = []
        var target: String? = request.target
        var count = 0
        while let current = target, count < 9 {
            let (answer, expected) = try await answers(request, current)
            let what = "\(name) \(current) \(request.accept) \(request.body ?? "")"
            func compare<Value: Equatable>(_ value: Value, _ other: Value) {
                if value != other { differences.append("\(what): \(value) instead of \(other)") }
            }
            compare(answer.status, expected.status)
            compare(answer.body, expected.body)
            compare(answer.comparableFields, expected.comparableFields)
            if let tag = answer.headers.first(name: "ETag"), let other = expected.headers.first(name: "ETag") {
                let unchanged = try await server.get(
                    current, token.merging(["If-None-Match": tag, "Accept": request.accept]) { $1 })
                let same = try await twin.get(current, ["If-None-Match": other, "Accept": request.accept])
                compare(unchanged.status, same.status)
            }
            let link = answer.headers.first(name: "Link")?.firstMatch(of: /<([^>]*)>; rel="next"/)
            target = link.map { String($0.1) }
            count += 1
        }
        return differences
    }

    private func answers(_ request: Request, _ target: String) async throws -> (HTTPAnswer, HTTPAnswer) {
        let fields = ["Accept": request.accept, "X-Request-ID": "the-same"]
        let method = request.body == nil ? "GET" : "POST"
        return (
            try await server.send(method, target, fields.merging(token) { $1 }, body: request.body),
            try await twin.send(method, target, fields, body: request.body)
        )
    }

}

extension HTTPAnswer {
    /// The header fields that are equal in the response of a server with roles and in that of its twin. Only a response
    /// to a token is private.
    package var comparableFields: [String] {
        headers.filter { name, _ in
            !["connection", "date", "etag", "vary", "server-timing", "surrogate-key", "cache-tag"].contains(
                name.lowercased())
        }.map { name, value in
            let value = name.lowercased() == "cache-control" ? value.replacing(/public|private/, with: "") : value
            return "\(name.lowercased()): \(value)"
        }.sorted()
    }
}
