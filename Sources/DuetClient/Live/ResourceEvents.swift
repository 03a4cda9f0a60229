import DuetHTTPSemantics
import Foundation
public import HTTPTypes
import Synchronization

/// Handles the events of a resource: `value`, `gone`, `error` and `expired`.
struct ResourceEvents: EventStreamConsumer {
    typealias Failure = WebServiceError

    private let request: TransportRequest
    private let values: NewestValue<WebServiceResponse<Data>, WebServiceError>
    private let last: LastValue

    /// The last value that has arrived.
    private final class LastValue: Sendable {
        private struct State {
            var exists = false
            var tag: String?
        }

        private let state = Mutex(State())

        /// True if a value has arrived.
        var exists: Bool { state.withLock { $0.exists } }

        /// Replaces the entity tag.
        /// - Returns: True if the new value is the same as the last one.
        func replace(_ tag: String?) -> Bool {
            state.withLock { state in
                defer { state = State(exists: true, tag: tag) }
                return state.exists && tag != nil && tag == state.tag
            }
        }
    }

    /// Receives the values of a resource until it is gone.
    static func receive(
        _ call: ResourceCall, _ caller: Caller?, _ values: NewestValue<WebServiceResponse<Data>, WebServiceError>
    ) async throws(WebServiceError) {
        let proxy = call.proxy
        let prepared = try proxy.prepare(
            .get, call.path, arguments: call.arguments, content: nil, precondition: nil,
            headerFields: call.headerFields, accept: MediaType.eventStream)
        var request = TransportRequest(
            prepared.head(proxy.headerFields), timeout: proxy.liveSettings.maximumSilence, caller: caller)
        request.isStream = true
        let events = ResourceEvents(request: request, values: values, last: LastValue())
        let source = EventSource(
            transport: proxy.transport, settings: proxy.liveSettings, maximumLength: proxy.maximumResponseLength)
        try await source.run(events)
    }

    func request(lastIdentifier: String?) -> TransportRequest {
        guard let lastIdentifier else { return request }
        var request = request
        request.head.headerFields[.lastEventID] = lastIdentifier
        return request
    }

    func receive(_ event: ServerSentEvent, isFirst: Bool) async throws(WebServiceError) -> EventSource.Step {
        switch event.name {
        case "value":
            if !last.replace(event.identifier) {
                values.put(response(Data(event.data), tag: event.identifier))
            }
            return .proceed
        case "gone": return .stop
        case "error":
            let body = Data(event.data)
            let status = Problem(type: Self.problemType, body: body)?.status ?? 500
            let head = HTTPResponse(
                status: HTTPResponse.Status(code: (400...599).contains(status) ? status : 500),
                headerFields: [.contentType: Self.problemType])
            if head.status.isTemporaryFailure { return .retry }
            throw WebServiceError(head, body: body, to: request.head)
        case "expired": return .reconnect
        default: return .proceed
        }
    }

    private static let problemType = "application/problem+json"

    private func response(_ content: Data, tag: String?) -> WebServiceResponse<Data> {
        var head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
        head.headerFields[.eTag] = tag
        // The address was checked when the request was prepared.
        return WebServiceResponse(content, head: head, address: request.head.url ?? URL(filePath: "/"))
    }

    func failure(for head: HTTPResponse, _ body: Data, to request: TransportRequest) -> WebServiceError? {
        switch head.status {
        case .noContent: return nil
        // The row has ceased to exist while there was no connection.
        case .notFound where last.exists, .gone where last.exists: return nil
        case .ok:
            return WebServiceError(
                .undecodable,
                "The service does not send events. Read the resource with invoke(_:_:), or use a service that sends server-sent events.",
                head: head)
        default: return WebServiceError(head, body: body, to: request.head)
        }
    }

    func failure(for error: TransportError) -> WebServiceError { WebServiceError(error) }
}

extension WebServiceProxy {
    /// Returns the representations of a resource: the current one at once, and a new one after each change.
    ///
    /// ```swift
    /// for try await department in service.live("departments/d005", as: Department.self) { show(department.content) }
    /// ```
    ///
    /// The service sends server-sent events: `value` with a representation and its entity tag, and `gone` if the row
    /// ends, or the caller may no longer see it. If the connection is lost, the proxy connects again after a pause
    /// (``liveSettings``), and the sequence continues with the last state. If the reader is slower than the changes, it
    /// skips intermediate representations. The entity tag of a response is the precondition of a write
    /// (``WebServiceResponse/unchanged``).
    ///
    /// The sequence ends when the row is gone, when the task that iterates over it is canceled, or when the caller
    /// changes. It throws ``WebServiceError`` if another attempt would not help, such as a response with the status 404
    /// to the first request.
    /// - Parameters:
    ///   - path: The path below ``baseURL``, or the address of a link.
    ///   - arguments: The query parameters.
    ///   - headerFields: The header fields of the requests. They replace fields of the proxy with the same name.
    ///   - type: The type of the content.
    public func live<Value: Decodable & Sendable>(
        _ path: ResourcePath, arguments: WebServiceArguments = [:], headerFields: HTTPFields = [:],
        as type: Value.Type = Value.self
    ) -> LiveValues<Value> {
        LiveValues(
            call: ResourceCall(proxy: self, path: path, arguments: arguments, headerFields: headerFields))
    }
}
