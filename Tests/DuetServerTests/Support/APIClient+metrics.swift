import TestSupport

extension APIClient {
    /// Returns the current values of `/metrics`.
    func metrics() async throws -> Exposition {
        let response = try await get("/metrics")
        guard response.status == 200 else { throw TestResponse.UnexpectedBody(text: response.text) }
        return try Exposition(response.text)
    }

    /// Reads `/metrics` until the values meet a condition, and returns the values. Only the time limit of the test ends
    /// the wait.
    func metrics(when isSo: (Exposition) -> Bool) async throws -> Exposition {
        while true {
            let metrics = try await metrics()
            if isSo(metrics) { return metrics }
        }
    }
}
