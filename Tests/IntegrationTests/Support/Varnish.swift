import Foundation
import ProcessTesting

/// `varnishd` with the configuration in `caching/varnish`.
enum Varnish {
    /// - Parameter body: Receives `http://127.0.0.1:PORT`.
    static func with<Value>(
        before origin: some HTTPEndpoint, in folder: URL, _ body: (String) async throws -> Value
    ) async throws -> Value {
        let executable = try CachingProxy.Product.varnish.requireExecutable()
        let working = Self.working(in: folder)
        try FileManager.default.createDirectory(at: working, withIntermediateDirectories: true)
        try Configuration("caching/varnish/duet.vcl").write(to: working.appending(path: "duet.vcl"))
        var origins = try Configuration("caching/varnish/origin.vcl")
        try origins.replace(".port = \"8080\"", with: ".port = \"\(origin.port)\"")
        try origins.write(to: working.appending(path: "origin.vcl"))

        let arguments =
            [
                // Varnish does not change its user, because only root can do so.
                "-F", "-j", "none", "-n", working.path, "-f", working.appending(path: "duet.vcl").path,
                "-a", "127.0.0.1:0", "-s", "malloc,64m", "-s", "Transient=malloc,64m",
                // More than 5 s may pass between two requests of a test on one connection.
                "-p", "timeout_idle=300",
                // Each start compiles the configuration to a library. Optimizing it would take longer than the requests
                // of a test.
                "-p", "cc_command=%D -O0",
            ] + (try parameters()).flatMap { ["-p", $0] }
        return try await Program.with(arguments, of: executable, in: working) { varnish in
            let result: Result<Value, any Error>
            do {
                try await varnish.errors.wait(for: "Child launched OK")
                result = .success(try await body(listeningAddress(in: working)))
            } catch {
                result = .failure(error)
            }
            // The signal also ends the child process.
            varnish.send(SIGTERM)
            _ = await varnish.result()
            return try result.get()
        }
    }

    /// Returns the working directory of the Varnish that was started in a folder, for `varnishadm -n`.
    static func working(in folder: URL) -> URL { folder.appending(path: "varnish") }

    /// Returns the parameters that Varnish has in the container: `http_req_size=64k`, ….
    private static func parameters() throws -> [String] {
        try Checkout.text("docker-compose.yml").matches(of: /- -p\n +- (\S+)/).map { String($0.1) }
    }

    /// Returns the address with the port that the system assigned.
    private static func listeningAddress(in working: URL) async throws -> String {
        let said = try await Program.run(
            ["-n", working.path, "debug.listen_address"], of: "/usr/bin/varnishadm", in: working)
        let words = said.output.split(whereSeparator: \.isWhitespace)
        guard said.status == 0, words.count >= 3, let port = Int(words[2]) else {
            throw Transcript.Missing(phrase: "a0 127.0.0.1 PORT", text: said.output + said.errors)
        }
        return "http://127.0.0.1:\(port)"
    }
}
