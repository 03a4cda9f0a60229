package import DuetJSON

/// A request of a scenario, as it goes to a server.
package struct SentRequest: Hashable, Sendable {
    package let method: String
    /// Path and query, encoded.
    package let target: String
    /// The media type that is asked for.
    package let accept: String
    /// What is sent with it.
    package let body: JSONValue?

    package init(method: String, target: String, accept: String, body: JSONValue?) {
        self.method = method
        self.target = target
        self.accept = accept
        self.body = body
    }
}

extension Scenario {
    /// Asks a server for the task and tells what was sent for it, in that order.
    /// - Parameter base: `http://127.0.0.1:8080`, without a slash at the end.
    /// - Throws: if an answer is not what the scenario expects, or there is none.
    package func requests(_ style: Style, to base: String) async throws -> [SentRequest] {
        try await WireClient.with(base: base, connections: 1) { client in
            try await Asker(client: client).ask(self, style).exchanges.map { exchange in
                SentRequest(
                    method: exchange.request.method.rawValue, target: exchange.request.target,
                    accept: exchange.request.accept,
                    body: try exchange.request.body.map { try JSONValue(parsing: $0.utf8) })
            }
        }
    }
}
