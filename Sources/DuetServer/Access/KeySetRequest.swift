import AsyncHTTPClient
import DuetTokens
import Foundation
import NIOCore
import NIOHTTP1
import Tracing

/// A request for a key set, within limits.
struct KeySetRequest: Sendable {
    /// A key set and the lifetime that its response permits.
    struct Answer: Sendable {
        let bytes: [UInt8]
        let lifetime: Duration?
    }

    /// The reason for which no set was received.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let address: KeySetAddress
    /// The time limit for the whole request, with its redirections and the body of its response.
    var timeLimit = Duration.seconds(5)
    var maximumBytes = 1 << 20
    var maximumRedirections = 3

    /// Sends the request.
    /// - Throws: ``Failure``, ``OutgoingRequest/TimeLimitExceeded``, or an error of the connection.
    func send() async throws -> Answer {
        let client = OutgoingRequest.makeClient()
        let result: Result<Answer, any Error>
        do {
            result = .success(try await OutgoingRequest.withTimeLimit(timeLimit) { try await follow(client) })
        } catch {
            result = .failure(error)
        }
        try? await client.shutdown()
        return try result.get()
    }

    private func follow(_ client: HTTPClient) async throws -> Answer {
        var address = address
        for _ in 0...maximumRedirections {
            var request = HTTPClientRequest(url: address.url)
            request.headers.add(name: "Accept", value: "application/jwk-set+json, application/json")
            request.headers.add(name: "User-Agent", value: "duet/\(DuetServer.version)")
            if let context = ServiceContext.current {
                InstrumentationSystem.tracer.inject(context, into: &request.headers, using: HeaderInjector())
            }
            let response = try await client.execute(request, deadline: .now() + .seconds(60))
            switch response.status.code {
            case 200: return try await answer(response)
            case 301, 302, 303, 307, 308:
                guard let location = response.headers.first(name: "Location"),
                    let target = address.redirected(to: location)
                else { throw Failure(description: "the response redirects to an address that is not permitted") }
                address = target
            default: throw Failure(description: "the status of the response is \(response.status.code)")
            }
        }
        throw Failure(description: "the response redirects more than \(maximumRedirections) times")
    }

    private func answer(_ response: HTTPClientResponse) async throws -> Answer {
        var bytes: [UInt8] = []
        for try await part in response.body {
            guard bytes.count + part.readableBytes <= maximumBytes else {
                throw Failure(description: "the response has more than \(maximumBytes) bytes")
            }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return Answer(bytes: bytes, lifetime: Self.lifetime(response.headers[canonicalForm: "Cache-Control"]))
    }

    /// Returns the argument of the first `max-age` (RFC 9111 §5.2.2.1); nil if there is none.
    static func lifetime(_ directives: [Substring]) -> Duration? {
        for directive in directives {
            let parts = directive.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "max-age" else { continue }
            let digits = parts[1].filter { $0 != "\"" }
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            // A number that is too large is a long time.
            return .seconds(Int64(digits) ?? 1 << 31)
        }
        return nil
    }
}

/// Writes the fields of a trace context.
private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey name: String, into headers: inout HTTPHeaders) {
        headers.replaceOrAdd(name: name, value: value)
    }
}
