import Foundation

extension Server {
    /// What a server has to be started with for ``requests(of:)``.
    package static let logsRequests = ["--log-level", "debug", "--log-format", "text"]

    /// The status of each request of a target that has reached the server itself, in their order.
    /// - Parameter count: is waited for. A stream is logged after its last part, which a client may have before.
    package func requests(of target: String, count: Int = 0) async throws -> [Int] {
        try await program.errors.wait(for: "\(count) requests of \(target)") {
            Self.statuses(of: target, in: $0).count >= count
        }
        // It logs a request before it answers, so that what it logs of this one comes after all that was answered before.
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
