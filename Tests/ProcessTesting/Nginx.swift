package import Foundation

/// `nginx` with the configuration of a test.
package enum Nginx {
    /// The path of the program, or `nil` if it is not installed.
    package static let executable = Program.find("nginx")

    struct NotInstalled: Error {}

    /// Starts nginx on a free port.
    /// - Parameter configuration: The contents of `http { }` for a port.
    package static func with<Value>(
        in working: URL, configuration: (Int) throws -> String, _ body: (String) async throws -> Value
    ) async throws -> Value {
        guard let executable else { throw NotInstalled() }
        let file = working.appending(path: "nginx.conf")
        // nginx cannot use a port that the system selects. If another process uses the random port, nginx is started
        // with another port.
        for _ in 0..<5 {
            // The ports are below the ephemeral range.
            let port = Int.random(in: 20_000..<32_000)
            try Data(frame(try configuration(port)).utf8).write(to: file)
            let value = try await Program.with(
                ["-p", working.path, "-e", "stderr", "-c", file.path], of: executable, in: working
            ) {
                nginx -> Value? in
                let result: Result<Value, any Error>
                do {
                    // nginx logs this line after it has bound its ports.
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

    /// Returns a configuration for one process without a master, which leaves no workers behind. It works for any user,
    /// because all files are in its folder.
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
