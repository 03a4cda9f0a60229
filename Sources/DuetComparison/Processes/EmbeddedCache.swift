package import Foundation
import NIOCore
import NIOPosix

/// nginx as a cache in front of a server, if nginx is installed. The cache stores responses as `Cache-Control` permits.
/// The cache key consists of the request target and the field `X-Run`, so that a run does not receive cached responses
/// of earlier runs.
package enum EmbeddedCache {
    /// The path of nginx; nil if nginx is not installed.
    package static var executable: URL? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + ["/usr/sbin"]
        return folders.map { URL(filePath: "\($0)/nginx") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
    }

    /// Runs a closure while nginx caches the responses of a server.
    /// - Parameters:
    ///   - base: The address of the server: `http://127.0.0.1:PORT`.
    ///   - body: Receives the cache; nil if nginx is not installed.
    /// - Throws: ``ProcessFailure`` if nginx exits before it accepts requests.
    package static func with<Value>(
        before base: String, _ body: (_ cache: ComparisonRunner.Cache?) async throws -> Value
    ) async throws -> Value {
        guard let executable, let server = URL(string: base), let serverPort = server.port else {
            return try await body(nil)
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "duet-cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (process, port) = try await start(executable, in: folder, before: serverPort)
        defer { process.end() }
        return try await body(
            ComparisonRunner.Cache(
                base: "http://127.0.0.1:\(port)", tellsRunsApart: true,
                processorTime: { [process = process.identifier] in ProcessorTime.ofFamily(process) }))
    }

    private static func start(
        _ executable: URL, in folder: URL, before server: Int
    ) async throws -> (process: DependentProcess, port: Int) {
        let file = folder.appending(path: "nginx.conf")
        let log = folder.appending(path: "error.log")
        var attempt = 1
        while true {
            let port = try await freePort()
            try configuration(folder.path, port: port, server: server).write(
                to: file, atomically: true, encoding: .utf8)
            let process = try DependentProcess(
                executable, ["-p", folder.path, "-c", file.path, "-e", log.path])
            do {
                if try await isListening(process, in: folder) { return (process, port) }
            } catch {
                process.end()
                throw error
            }
            process.end()
            let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            // nginx cannot choose a free port itself. After `freePort` has returned, another process may have bound the
            // port.
            guard said.contains("Address already in use"), attempt < 5 else {
                throw ProcessFailure(description: "nginx did not start: \(said)")
            }
            attempt += 1
        }
    }

    private static func configuration(_ folder: String, port: Int, server: Int) -> String {
        """
        daemon off;
        worker_processes 1;
        pid \(folder)/\(processFile);
        events { worker_connections 1024; }
        http {
            access_log off;
            # Otherwise each response would contain the version of nginx, and the bytes would depend on its length.
            server_tokens off;
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            large_client_header_buffers 4 40k;
            keepalive_requests 1000000;
            proxy_cache_path \(folder)/cache keys_zone=duet:8m max_size=512m inactive=1h use_temp_path=off;
            upstream duet { server 127.0.0.1:\(server); keepalive 64; keepalive_requests 1000000; }
            server {
                listen 127.0.0.1:\(port) backlog=1024;
                location / {
                    proxy_pass http://duet;
                    proxy_http_version 1.1;
                    proxy_set_header Connection "";
                    proxy_cache duet;
                    proxy_cache_key "$request_uri $http_x_run";
                    proxy_buffer_size 64k;
                    proxy_buffers 8 64k;
                    proxy_busy_buffers_size 128k;
                    add_header X-Cache $upstream_cache_status always;
                }
            }
        }

        """
    }

    private static func freePort() async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close()
        return port
    }

    /// The file that nginx writes once it listens. A successful connection to the port would not prove that nginx
    /// listens, because another process may have bound the port.
    private static let processFile = "nginx.pid"

    /// Waits until nginx accepts requests.
    /// - Returns: False if nginx exits instead.
    private static func isListening(_ process: DependentProcess, in folder: URL) async throws -> Bool {
        let file = folder.appending(path: processFile).path
        while process.isRunning {
            if FileManager.default.fileExists(atPath: file) { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }
}

/// The processor time of processes on this machine.
enum ProcessorTime {
    /// Returns the processor time of a process and its current children. Each of them must be single-threaded.
    /// - Returns: The time; nil if the system does not have Linux's `/proc/PID/schedstat`, which reports nanoseconds.
    static func ofFamily(_ identifier: Int32) -> Duration? {
        guard let children = text("/proc/\(identifier)/task/\(identifier)/children") else { return nil }
        var total = Duration.zero
        for member in [identifier] + children.split(whereSeparator: \.isWhitespace).compactMap({ Int32($0) }) {
            guard let time = text("/proc/\(member)/schedstat")?.split(separator: " ").first.flatMap({ Int64($0) })
            else {
                return nil
            }
            total += .nanoseconds(time)
        }
        return total
    }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
