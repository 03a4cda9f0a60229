import Foundation
import ProcessTesting

/// An origin server with scripted responses, for responses that Duet does not send. It runs nginx.
struct ScriptedOrigin: HTTPEndpoint {
    let base: String

    /// - Parameter locations: The locations of nginx. `$answer` differs in each response, so that a cached response and
    ///   a new one differ. `$arg_control` is the parameter `control` of the query.
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
