import Foundation
import ProcessTesting

/// `nginx`, as the cache with `caching/nginx`, or with another configuration.
enum Nginx {
    /// - Parameter body: is given `http://127.0.0.1:PORT`.
    static func with<Value>(
        before origin: some HTTPEndpoint, in folder: URL, _ body: (String) async throws -> Value
    ) async throws -> Value {
        let working = folder.appending(path: "nginx")
        try FileManager.default.createDirectory(
            at: working.appending(path: "cache"), withIntermediateDirectories: true)
        return try await with(in: working) { port in
            var configuration = try Configuration("caching/nginx/duet.conf")
            try configuration.replace("server 127.0.0.1:8080;", with: "server 127.0.0.1:\(origin.port);")
            try configuration.replace("listen 127.0.0.1:80;", with: "listen 127.0.0.1:\(port);")
            try configuration.replace("/var/cache/nginx/duet", with: working.appending(path: "cache").path)
            return configuration.text
        } _: {
            try await body($0)
        }
    }

    /// Starts it on a port of its own.
    /// - Parameter configuration: what is inside `http { }`, given the port to listen on.
    static func with<Value>(
        in working: URL, configuration: (Int) throws -> String, _ body: (String) async throws -> Value
    ) async throws -> Value {
        let executable = try CachingProxy.Product.nginx.requireExecutable()
        let file = working.appending(path: "nginx.conf")
        // It cannot take a port from the system; one that another has taken meanwhile is worth another try.
        for _ in 0..<5 {
            // Below those from which connections take theirs.
            let port = Int.random(in: 20_000..<32_000)
            try Data(frame(try configuration(port)).utf8).write(to: file)
            let value = try await Program.with(
                ["-p", working.path, "-e", "stderr", "-c", file.path], of: executable, in: working
            ) {
                nginx -> Value? in
                let result: Result<Value, any Error>
                do {
                    // What it says when it has bound its ports.
                    try await nginx.errors.wait(for: "getrlimit(RLIMIT_NOFILE)")
                    result = .success(try await body("http://127.0.0.1:\(port)"))
                } catch let missing as Transcript.Missing where missing.text.contains("Address already in use") {
                    return nil
                } catch {
                    result = .failure(error)
                }
                nginx.send(SIGTERM)
                _ = await nginx.result()
                return try result.get()
            }
            if let value { return value }
        }
        throw POSIXError(.EADDRINUSE)
    }

    /// A configuration for one process without a master, which leaves no workers behind, whatever ends it; and for any
    /// account, so that all files are in its folder.
    private static func frame(_ http: String) -> String {
        """
        daemon off;
        master_process off;
        pid nginx.pid;
        error_log stderr notice;
        events {}
        http {
        access_log off;
        client_body_temp_path body;
        proxy_temp_path proxy;
        fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi;
        scgi_temp_path scgi;
        \(http)
        }
        """
    }
}
