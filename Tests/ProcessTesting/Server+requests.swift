import Foundation

extension Server {
    /// The options that ``requests(of:)`` requires.
    package static let logsRequests = ["--log-level", "debug", "--log-format", "text"]

    /// Returns the status of each request for a target that has reached the server, in order.
    /// - Parameter count: The minimum number of requests to wait for. A stream is logged after its last part was sent,
    ///   so a client may receive the part before the request is logged.
    package func requests(of target: String, count: Int = 0) async throws -> [Int] {
        try await program.errors.wait(for: "\(count) requests of \(target)") {
            Self.statuses(of: target, in: $0).count >= count
        }
        // The server logs a request before it answers. The log line of this request therefore follows those of all
        // requests answered before.
        let identifier = UUID().uuidString
        _ = try await get("/health/live", ["X-Request-ID": identifier])
        try await program.errors.wait(for: identifier)
        return Self.statuses(of: target, in: program.errors.text)
    }

    private static func statuses(of target: String, in log: String) -> [Int] {
        log.split(separator: "\n").compactMap { line in
            guard let request = line.firstMatch(of: /Request .*status=(\d+) target="?([^ "]+)"?\s/),
                request.2 == target
            else { return nil }
            return Int(request.1)
        }
    }
}
