package import Foundation

/// A `duet serve` process on a free port that accepts requests.
package struct Server: HTTPEndpoint {
    package let program: Program
    package let base: String

    /// Starts a server and ends it after the closure.
    /// - Parameter arguments: The arguments of `duet serve`, except the port.
    package static func with<Value>(
        _ arguments: [String] = [], in folder: URL, environment: [String: String] = [:],
        _ body: (Server) async throws -> Value
    ) async throws -> Value {
        try await Program.with(["serve", "--port", "0"] + arguments, in: folder, environment: environment) { program in
            try await body(Server(program))
        }
    }

    /// Waits until a started server accepts requests.
    package init(_ program: Program) async throws {
        try await program.output.wait(for: ". Try:")
        self.program = program
        let text = program.output.text
        guard let address = text.firstMatch(of: /Duet serves on (https?:\/\/\S+)\. Try:/) else {
            throw Transcript.Missing(phrase: "Duet serves on", text: text)
        }
        base = String(address.1)
    }

    /// Stops the server, and waits for its end.
    package func stop() async -> Program.Result {
        program.send(SIGTERM)
        return await program.result()
    }
}
