import DuetClient
import Foundation
import HTTPTypes
import ProcessTesting

extension TransportRequest {
    /// Creates a request to a URL of a local server.
    init(
        _ method: HTTPRequest.Method = .get, _ address: String, _ fields: HTTPFields = [:], body: String? = nil,
        timeout: Duration = .seconds(300), isIdempotent: Bool? = nil
    ) throws {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        try self.init(
            method, url: url, headerFields: fields, body: body.map { Data($0.utf8) }, timeout: timeout,
            isIdempotent: isIdempotent)
    }
}

extension TransportResponse {
    /// Returns the complete body as text.
    func text(upTo limit: Int = 64 << 20) async throws -> String {
        String(decoding: try await body.collect(upTo: limit), as: UTF8.self)
    }
}
