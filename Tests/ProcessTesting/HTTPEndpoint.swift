package import AsyncHTTPClient
package import DuetJSON
import Foundation
import NIOCore
package import NIOHTTP1

/// A process on this machine that answers HTTP requests: a server, or a cache in front of a server.
package protocol HTTPEndpoint: Sendable {
    /// `http://127.0.0.1:PORT`.
    var base: String { get }
    /// The client that sends the requests.
    var client: HTTPClient { get }
}

/// A complete response.
package struct HTTPAnswer: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    package let body: String

    package var json: JSONValue { get throws { try JSONValue(parsing: Data(body.utf8)) } }
}

extension HTTPEndpoint {
    package var client: HTTPClient { .shared }
    package var port: Substring { base.split(separator: ":").last ?? "" }

    package func get(_ path: String, _ headers: [String: String] = [:]) async throws -> HTTPAnswer {
        try await send("GET", path, headers)
    }

    package func send(
        _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil
    ) async throws -> HTTPAnswer {
        let response = try await stream(method, path, headers, body: body)
        let bytes = try await response.body.collect(upTo: 64 * 1024 * 1024)
        return HTTPAnswer(status: Int(response.status.code), headers: response.headers, body: String(buffer: bytes))
    }

    /// Sends a part of a request, and closes the connection.
    /// - Parameters:
    ///   - body: The part of the body that is sent.
    ///   - length: The length of the whole body.
    package func sendPart(
        _ method: String, _ path: String, _ headers: [String: String], body: String, length: Int64
    ) async {
        var request = HTTPClientRequest(url: base + path)
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let parts = AsyncThrowingStream<ByteBuffer, any Error> { parts in
            parts.yield(ByteBuffer(string: body))
            parts.finish(throwing: CancellationError())
        }
        request.body = .stream(parts, length: .known(length))
        _ = try? await client.execute(request, timeout: .minutes(10))
    }

    /// Sends a request and returns a response whose body is received while the caller reads the body.
    package func stream(
        _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: base + path)
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body {
            if !request.headers.contains(name: "Content-Type") {
                request.headers.add(name: "Content-Type", value: "application/json")
            }
            request.body = .bytes(ByteBuffer(string: body))
        }
        return try await client.execute(request, timeout: .minutes(10))
    }
}
