import DuetHTTPSemantics
import Foundation
import HTTPTypes

/// Handles the events of one live query, and creates its requests.
protocol EventStreamConsumer: Sendable {
    associatedtype Failure: Error

    /// Returns a request for events.
    /// - Parameter lastIdentifier: The identifier of the last event of the previous connection.
    func request(lastIdentifier: String?) throws(Failure) -> TransportRequest

    /// Handles an event.
    /// - Parameter isFirst: True for the first event of a connection.
    func receive(_ event: ServerSentEvent, isFirst: Bool) async throws(Failure) -> EventSource.Step

    /// Handles a response that has no events, and that another attempt would not change.
    /// - Returns: The error; `nil` if the response is the regular end.
    func failure(for head: HTTPResponse, _ body: Data, to request: TransportRequest) -> Failure?

    /// Returns the error for a failure that another attempt would not change.
    func failure(for error: TransportError) -> Failure
}

/// Receives the events of an address (WHATWG HTML, section 9.2). If the connection ends or is lost, it connects again
/// after a pause.
struct EventSource: Sendable {
    /// The continuation after an event.
    enum Step: Sendable {
        /// Wait for the next event.
        case proceed
        /// End without an error.
        case stop
        /// Connect again at once.
        case reconnect
        /// Connect again after a pause.
        case retry
    }

    private enum End<Failure: Error> {
        case stop
        case fail(Failure)
        case reconnect
        case retry(atLeast: Duration)
    }

    let transport: any HTTPTransport
    let settings: LiveSettings
    /// The maximum length of an event in bytes.
    let maximumLength: Int

    /// Receives events until the consumer stops, an error ends the events, or the task is canceled.
    func run<Consumer: EventStreamConsumer>(_ consumer: Consumer) async throws(Consumer.Failure) {
        var retries = Retries(settings)
        var parser = EventStreamParser(maximumLength: maximumLength)
        while true {
            let end = await connect(consumer, &retries, &parser)
            let requested = parser.retry ?? .zero
            switch end {
            case .stop: return
            case .fail(let failure): throw failure
            case .reconnect: break
            case .retry(let minimum):
                guard await retries.wait(atLeast: max(minimum, requested)) else {
                    throw consumer.failure(for: TransportError(.cancelled))
                }
            }
        }
    }

    private func connect<Consumer: EventStreamConsumer>(
        _ consumer: Consumer, _ retries: inout Retries, _ parser: inout EventStreamParser
    ) async -> End<Consumer.Failure> {
        parser.beginConnection()
        let request: TransportRequest
        do throws(Consumer.Failure) {
            request = try consumer.request(lastIdentifier: parser.lastIdentifier)
        } catch {
            return .fail(error)
        }
        let response: TransportResponse
        do throws(TransportError) {
            response = try await transport.send(request)
        } catch {
            return end(after: error, consumer)
        }
        guard response.head.status == .ok, MediaType(response.head.headerFields[.contentType]).isEventStream else {
            let body = await response.body.prefix(upTo: 64 * 1024)
            guard !response.head.status.isTemporaryFailure else {
                let requested = RetryAfter(response.head.headerFields[.retryAfter])?.pause(from: Date())
                return .retry(atLeast: requested ?? .zero)
            }
            return consumer.failure(for: response.head, body, to: request).map { .fail($0) } ?? .stop
        }
        return await receive(response.body, consumer, &retries, &parser)
    }

    private func receive<Consumer: EventStreamConsumer>(
        _ body: ResponseBody, _ consumer: Consumer, _ retries: inout Retries, _ parser: inout EventStreamParser
    ) async -> End<Consumer.Failure> {
        var isFirst = true
        var partCount = 0
        var parts = body.makeAsyncIterator()
        while true {
            let part: Data
            do throws(TransportError) {
                // A server that shuts down ends its streams.
                guard let next = try await parts.next() else { return .retry(atLeast: .zero) }
                part = next
            } catch {
                return end(after: error, consumer)
            }
            let events: [ServerSentEvent]
            do throws(EventTooLong) {
                events = try parser.read(part)
            } catch {
                let message =
                    "An event is longer than \(maximumLength) bytes. Request less data, or raise the limit of the client."
                return end(after: TransportError(.tooLarge, message), consumer)
            }
            // The first two parts can be a comment and the end. More show that the stream was open for a while.
            partCount += 1
            if partCount > 2 { retries.succeeded() }
            for event in events {
                let step: Step
                do throws(Consumer.Failure) {
                    step = try await consumer.receive(event, isFirst: isFirst)
                } catch {
                    return .fail(error)
                }
                switch step {
                case .proceed: retries.succeeded()
                case .stop: return .stop
                // A server that ends each connection at once must not be asked without pauses.
                case .reconnect: return isFirst && partCount <= 2 ? .retry(atLeast: .zero) : .reconnect
                case .retry: return .retry(atLeast: .zero)
                }
                isFirst = false
            }
        }
    }

    private func end<Consumer: EventStreamConsumer>(
        after error: TransportError, _ consumer: Consumer
    ) -> End<Consumer.Failure> {
        error.code.mayBeTemporary ? .retry(atLeast: .zero) : .fail(consumer.failure(for: error))
    }
}

extension MediaType {
    static let eventStream = "text/event-stream"

    fileprivate var isEventStream: Bool { name == Self.eventStream }
}

extension HTTPResponse.Status {
    /// True if the same request may succeed later.
    var isTemporaryFailure: Bool { [408, 425, 429, 500, 502, 503, 504].contains(code) }
}

extension TransportError.Code {
    /// True if the same request may succeed later.
    var mayBeTemporary: Bool {
        switch self {
        case .cannotConnect, .connectionLost, .timedOut, .invalidResponse, .noToken: true
        case .cancelled, .invalidAddress, .insecure, .tooLarge, .callerChanged, .noCaller: false
        }
    }
}
