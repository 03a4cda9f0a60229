import TestSupport

extension APIClient {
    /// Returns the current values of `/metrics`.
    func metrics() async throws -> Exposition {
        let response = try await get("/metrics")
        guard response.status == 200 else { throw TestResponse.UnexpectedBody(text: response.text) }
        return try Exposition(response.text)
    }

    /// Returns the values of `/metrics` as soon as a condition is true. This wait ends at the time limit of the test.
    func metrics(when isSo: (Exposition) -> Bool) async throws -> Exposition {
        while true {
            let metrics = try await metrics()
            if isSo(metrics) { return metrics }
        }
    }
}
