import Foundation
import ProcessTesting

/// An origin that answers what a test wants, for what Duet does not answer: nginx again.
struct ScriptedOrigin: HTTPEndpoint {
    let base: String

    /// - Parameter locations: of nginx. `$answer` is different in each answer, so that one from a cache is told from a new
    ///   one; `$arg_control` is the query's `control`.
    static func with<Value>(
        _ locations: String, in folder: URL, _ body: (ScriptedOrigin) async throws -> Value
    ) async throws -> Value {
        let working = folder.appending(path: "origin")
        try FileManager.default.createDirectory(at: working, withIntermediateDirectories: true)
        return try await Nginx.with(in: working) { port in
            """
            server {
            listen 127.0.0.1:\(port);
            set $answer $request_id;
            location /health/ { return 200; }
            \(locations)
            }
            """
        } _: {
            try await body(ScriptedOrigin(base: $0))
        }
    }
}
