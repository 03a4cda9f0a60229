import AsyncHTTPClient
import DuetHTTPSemantics
import DuetJSON
import Foundation
import NIOCore
import NIOHTTP1

/// Posts traces to a collector, within limits.
struct OTLPRequest: Sendable {
    /// The response of a collector.
    enum Answer: Sendable, Hashable {
        /// The collector has accepted the spans, except for the number of rejected ones.
        case accepted(rejected: Int, message: String)
        /// The collector cannot accept the spans at the moment.
        case busy(status: Int, retryAfter: Duration?)
        /// The collector does not accept the request, and would not accept it later either.
        case refused(status: Int)
    }

    let settings: OTLPSettings
    let client: HTTPClient
    /// The time limit of a request, including the body of the response.
    var timeLimit = Duration.seconds(10)
    /// The maximum size of a response that is read. The rest is ignored.
    var maximumResponseSize = 64 << 10

    /// Posts a body.
    /// - Throws: ``OutgoingRequest/TimeLimitExceeded``, or an error of the connection.
    func send(_ body: [UInt8]) async throws -> Answer {
        try await OutgoingRequest.withTimeLimit(timeLimit) { try await post(body) }
    }

    private func post(_ body: [UInt8]) async throws -> Answer {
        var request = HTTPClientRequest(url: settings.url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "duet/\(DuetServer.version)")
        for (name, value) in settings.headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        let response = try await client.execute(request, deadline: .now() + .seconds(60))
        var content: [UInt8] = []
        for try await part in response.body {
            content.append(contentsOf: part.readableBytesView)
            guard content.count <= maximumResponseSize else { break }
        }
        return Self.answer(
            status: Int(response.status.code), retryAfter: response.headers.first(name: "Retry-After"), content)
    }

    /// Interprets a response (opentelemetry.io/docs/specs/otlp, "OTLP/HTTP Response").
    static func answer(status: Int, retryAfter: String?, _ content: [UInt8]) -> Answer {
        switch status {
        case 200..<300:
            let partial = (try? JSONValue(parsing: content))?["partialSuccess"]
            let rejected: Int =
                switch partial?["rejectedSpans"] {
                case .string(let digits)?: Int(digits) ?? 0
                case .integer(let number)?: Int(number)
                default: 0
                }
            var message = ""
            if case .string(let text)? = partial?["errorMessage"] { message = text }
            return .accepted(rejected: max(0, rejected), message: message)
        case 429, 502, 503, 504: return .busy(status: status, retryAfter: retryAfter.flatMap(delay))
        default: return .refused(status: status)
        }
    }

    /// Returns the delay in a value of `Retry-After`, which is a number of seconds or a date (RFC 9110 §10.2.3).
    private static func delay(_ value: String) -> Duration? {
        if let seconds = UInt32(value) { return .seconds(Int64(seconds)) }
        return HTTPDate.date(of: value).map { .seconds(max(0, $0.timeIntervalSinceNow)) }
    }
}
