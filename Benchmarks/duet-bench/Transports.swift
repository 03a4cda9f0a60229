import Foundation

/// Measures small requests over encrypted connections and HTTP/2, with h2load, and the number of TLS handshakes per
/// second beside nginx.
struct Transports {
    let database: String
    let folder: URL
    let rounds: Int
    let seconds: Int

    /// A way in which requests reach a server.
    private struct Transport {
        let name: String
        let url: String
        let options: [String]
        var goal: Double?
    }

    private static let connections = 16
    private static let streams = 10
    private static let handshakes = 1_000

    func measure(_ report: Report) throws {
        try Duet.shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost \
                -keyout bench.key -out bench.pem 2>/dev/null
            """, in: folder)
        let files = [
            "DUET_TLS_CERTIFICATE": folder.appending(path: "bench.pem").path,
            "DUET_TLS_KEY": folder.appending(path: "bench.key").path,
        ]
        let data = ["DUET_DATABASE": "sqlite:\(database)"]
        let plain = try Duet.serve(environment: data.merging(["DUET_HTTP2_PLAINTEXT": "true"]) { $1 })
        defer { plain.stop() }
        let encrypted = try Duet.serve(environment: data.merging(files) { $1 })
        defer { encrypted.stop() }
        let secure = "https://127.0.0.1:\(encrypted.port)"
        let multiplexed = ["-m", "\(Self.streams)"]
        let transports = [
            Transport(name: "HTTP/1.1", url: plain.base, options: ["--h1"]),
            Transport(name: "HTTP/1.1, TLS", url: secure, options: ["--h1"], goal: 0.8),
            Transport(name: "HTTP/2, \(Self.streams) streams", url: plain.base, options: multiplexed),
            Transport(name: "HTTP/2, \(Self.streams) streams, TLS", url: secure, options: multiplexed, goal: 0.9),
        ]
        var rates = transports.map { _ in [Double]() }
        for _ in 0..<rounds {
            for (index, transport) in transports.enumerated() { rates[index].append(try rate(transport)) }
        }
        let lines = zip(transports, rates).map { transport, figures in
            let ratio = zip(figures, rates[0]).map { $0 / $1 }.median
            let goal = transport.goal.map { String(format: "%.1f", $0) } ?? "–"
            return "| \(transport.name) | \(Int(figures.median)) | \(String(format: "%.2f", ratio)) | \(goal) |"
        }
        report.section(
            """
            One employee with titles and salaries over REST from SQLite, by h2load with one thread and \(Self.connections) connections, median of \(rounds) \
            rounds of \(seconds) s.

            | transport | requests/s | relative to HTTP/1.1 | goal |
            |---|---|---|---|
            \(lines.joined(separator: "\n"))
            """)
        report.section(try handshakes(encrypted))
    }

    private func rate(_ transport: Transport) throws -> Double {
        try h2load(
            transport.options + ["-D", "\(seconds)", "-c", "\(Self.connections)"], transport.url + Target.one.path)
    }

    /// Measures handshakes: each request has a connection of its own.
    private func handshakes(_ duet: ServerProcess) throws -> String {
        let nginx = try ServerProcess(URL(filePath: "/usr/sbin/nginx")) { port in
            let file = folder.appending(path: "nginx.conf")
            let configuration = """
                daemon off; master_process off; error_log stderr crit; pid \(folder.path)/nginx.pid;
                events { worker_connections 4096; }
                http {
                    access_log off;
                    server {
                        listen 127.0.0.1:\(port) ssl http2 backlog=2048;
                        ssl_certificate bench.pem; ssl_certificate_key bench.key;
                        location / { return 200 "{}"; }
                    }
                }
                """
            try? Data(configuration.utf8).write(to: file)
            return ["-p", folder.path, "-c", file.path]
        }
        defer { nginx.stop(by: SIGKILL) }
        let options = ["--h1", "-n", "\(Self.handshakes)", "-c", "\(Self.handshakes)"]
        let comparison = try Comparison.paired(
            rounds: rounds, figure: { try h2load(options, "https://127.0.0.1:\(duet.port)/health/live") },
            floor: { try h2load(options, "https://127.0.0.1:\(nginx.port)/") })
        return """
            TLS handshakes, each with one request: \(Int(comparison.figure)) per second, and \(Int(comparison.floor)) of nginx with one process (ratio \
            \(String(format: "%.2f", comparison.ratio))).
            """
    }

    /// Runs h2load with one thread.
    /// - Returns: The number of requests per second.
    private func h2load(_ options: [String], _ url: String) throws -> Double {
        let output = try Duet.shell("h2load -t1 \((options + ["'\(url)'"]).joined(separator: " "))", in: folder)
        guard let rate = output.firstMatch(of: /([0-9.]+) req\/s/).flatMap({ Double($0.1) }),
            output.contains(" 0 failed, 0 errored")
        else { throw Duet.Failure(description: "h2load failed for \(url): \(output)") }
        return rate
    }
}
