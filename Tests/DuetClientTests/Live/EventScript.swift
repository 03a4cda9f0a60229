import DuetClient
import Foundation
import HTTPTypes
import SeededTesting
import Synchronization

/// A transport for event streams. Each request receives the next response of a script. The last response is repeated.
final class EventScript: HTTPTransport {
    /// Returns a response.
    typealias Step = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

    private struct State {
        var requests: [TransportRequest] = []
    }

    private let steps: [Step]
    private let state = Mutex(State())

    init(_ steps: [Step]) { self.steps = steps }

    /// The requests that were sent so far.
    var requests: [TransportRequest] { state.withLock { $0.requests } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let count = state.withLock { state in
            state.requests.append(request)
            return state.requests.count
        }
        return try await steps[min(count, steps.count) - 1](request)
    }

    /// A response with events, which then ends.
    static func events(_ text: String, after signal: Signal? = nil) -> Step {
        { _ throws(TransportError) in
            await signal?.wait()
            return TransportResponse(.ok, [.contentType: "text/event-stream; charset=utf-8"], text)
        }
    }

    /// A response with events, which then remains open.
    static func open(_ text: String) -> Step {
        { _ throws(TransportError) in
            let rest = Mutex<Data?>(Data(text.utf8))
            let body = ResponseBody { () throws(TransportError) in
                if let data = rest.withLock({ $0.take() }) { return data }
                await untilCanceled()
                throw TransportError(.cancelled, "The test has ended.")
            }
            return TransportResponse(
                HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]), body: body)
        }
    }

    static func response(
        _ status: HTTPResponse.Status, _ fields: HTTPFields = [:], _ body: String = "", after signal: Signal? = nil
    ) -> Step {
        { _ throws(TransportError) in
            await signal?.wait()
            return TransportResponse(status, fields, body)
        }
    }

    static func failure(_ code: TransportError.Code) -> Step {
        { _ throws(TransportError) in throw TransportError(code, "The test has no connection.") }
    }
}
