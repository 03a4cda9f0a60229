import TestSupport

extension APIClient {
    /// What `/metrics` tells now.
    func metrics() async throws -> Exposition {
        let response = try await get("/metrics")
        guard response.status == 200 else { throw TestResponse.UnexpectedBody(text: response.text) }
        return try Exposition(response.text)
    }

    /// What it tells once something is so that comes about by itself. The test's time limit bounds the wait, and that for a server, too.
    func metrics(when isSo: (Exposition) -> Bool) async throws -> Exposition {
        while true {
            let metrics = try await metrics()
            if isSo(metrics) { return metrics }
        }
    }
}
