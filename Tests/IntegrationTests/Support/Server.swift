import AsyncHTTPClient
import Foundation
import JSON
import NIOCore
import NIOHTTP1

/// A `duet serve` process on a port of its own that takes requests.
struct Server: Sendable {
    let program: Program
    /// `http://127.0.0.1:PORT`.
    let base: String

    struct Response: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: String

        var json: JSONValue { get throws { try JSONValue(parsing: Data(body.utf8)) } }
    }

    /// Starts a server and ends it after the closure.
    /// - Parameter arguments: of `duet serve`, besides the port.
    static func with<Value>(
        _ arguments: [String] = [], in folder: URL, environment: [String: String] = [:],
        _ body: (Server) async throws -> Value
    ) async throws -> Value {
        try await Program.with(["serve", "--port", "0"] + arguments, in: folder, environment: environment) { program in
            try await body(Server(program))
        }
    }

    /// Waits until a program that is a server takes requests.
    init(_ program: Program) async throws {
        try await program.output.wait(for: ". Try:")
        self.program = program
        let text = program.output.text
        guard let address = text.firstMatch(of: /Duet serves on (http:\/\/\S+)\. Try:/) else {
            throw Transcript.Missing(phrase: "Duet serves on", text: text)
        }
        base = String(address.1)
    }

    /// Asks it to end, and waits until it has.
    func stop() async -> Program.Result {
        program.send(SIGTERM)
        return await program.result()
    }

    func get(_ path: String, _ headers: [String: String] = [:]) async throws -> Response {
        try await send("GET", path, headers)
    }

    func send(
        _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil
    ) async throws -> Response {
        let response = try await stream(method, path, headers, body: body)
        let bytes = try await response.body.collect(upTo: 64 * 1024 * 1024)
        return Response(status: Int(response.status.code), headers: response.headers, body: String(buffer: bytes))
    }

    /// A response whose body comes as fast as it is read.
    func stream(
        _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: base + path)
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body {
            request.headers.replaceOrAdd(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body))
        }
        return try await HTTPClient.shared.execute(request, timeout: .minutes(2))
    }
}
