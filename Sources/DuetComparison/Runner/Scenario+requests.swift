package import DuetJSON

/// A request that was sent to a server to perform a scenario.
package struct SentRequest: Hashable, Sendable {
    package let method: String
    /// The path and the query, percent-encoded.
    package let target: String
    /// The accepted media types.
    package let accept: String
    /// The request body.
    package let body: JSONValue?

    package init(method: String, target: String, accept: String, body: JSONValue?) {
        self.method = method
        self.target = target
        self.accept = accept
        self.body = body
    }
}

extension Scenario {
    /// Performs the task and returns the requests in the order in which they were sent.
    /// - Parameter base: The base address of the server without a trailing slash, such as `http://127.0.0.1:8080`.
    /// - Throws: An error if there is no response, or if the response does not match the scenario.
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
