package import Foundation

extension Nginx {
    /// Starts nginx with the configuration in `caching/nginx`.
    /// - Parameters:
    ///   - locations: Further locations of the server, in the syntax of nginx.
    ///   - body: Receives `http://127.0.0.1:PORT`.
    package static func with<Value>(
        before origin: some HTTPEndpoint, in folder: URL, locations: String = "", _ body: (String) async throws -> Value
    ) async throws -> Value {
        let working = folder.appending(path: "nginx")
        try FileManager.default.createDirectory(
            at: working.appending(path: "cache"), withIntermediateDirectories: true)
        return try await with(in: working) { port in
            var configuration = try Configuration("caching/nginx/duet.conf")
            try configuration.replace("server 127.0.0.1:8080;", with: "server 127.0.0.1:\(origin.port);")
            try configuration.replace("    listen 127.0.0.1:80;", with: "\(locations)\n    listen 127.0.0.1:\(port);")
            try configuration.replace("/var/cache/nginx/duet", with: working.appending(path: "cache").path)
            return configuration.text
        } _: {
            try await body($0)
        }
    }
}
