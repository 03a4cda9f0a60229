import Foundation
import HTTPTypes
import HTTPTypesFoundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Opens WebSocket connections with `URLSession`, on platforms without SwiftNIO.
struct URLSessionWebSocketTransport: WebSocketTransport {
    func connect(
        _ request: TransportRequest, subprotocol: String, maximumMessageSize: Int, events: WebSocketEvents
    ) async throws(TransportError) -> WebSocketOpening {
        guard let address = request.head.url.flatMap(ServiceAddress.init), let url = address.socketURL else {
            throw TransportError(.invalidAddress)
        }
        var converted = URLRequest(url: url)
        for field in request.head.headerFields {
            converted.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        converted.addValue(subprotocol, forHTTPHeaderField: "Sec-WebSocket-Protocol")
        let connection = URLSessionWebSocketConnection(
            converted, maximumMessageSize: maximumMessageSize, events: events)
        let timeout = Task {
            do { try await Task.sleep(for: request.timeout) } catch { return }
            connection.abandon(TransportError(.timedOut))
        }
        defer { timeout.cancel() }
        let opening = await withTaskCancellationHandler {
            await connection.open()
        } onCancel: {
            connection.abandon(TransportError(.cancelled))
        }
        return try opening.get()
    }
}

/// A connection with its own session, because the delegate of a session handles the events of all its tasks.
private final class URLSessionWebSocketConnection: NSObject, WebSocketConnection, URLSessionWebSocketDelegate {
    typealias Opening = Result<WebSocketOpening, TransportError>

    private struct State {
        var opening: CheckedContinuation<Opening, Never>?
        var outcome: Opening?
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let events: WebSocketEvents
    private let started = Mutex<(session: URLSession, task: URLSessionWebSocketTask)?>(nil)
    private let request: URLRequest
    private let maximumMessageSize: Int

    init(_ request: URLRequest, maximumMessageSize: Int, events: WebSocketEvents) {
        self.request = request
        self.maximumMessageSize = maximumMessageSize
        self.events = events
    }

    /// Waits until the connection is open.
    func open() async -> Opening {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.opening = continuation }
                return state.outcome
            }
            if let outcome { return continuation.resume(returning: outcome) }
            let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
            let task = session.webSocketTask(with: request)
            task.maximumMessageSize = maximumMessageSize
            started.withLock { $0 = (session, task) }
            task.resume()
        }
    }

    private var task: URLSessionWebSocketTask? { started.withLock { $0?.task } }

    func send(_ text: [UInt8]) {
        task?.send(.string(String(decoding: text, as: UTF8.self))) { _ in
            // The end of the connection is reported by the delegate.
        }
    }

    func close(_ code: UInt16) {
        state.withLock { $0.hasEnded = true }
        task?.cancel(with: URLSessionWebSocketTask.CloseCode(rawValue: Int(code)) ?? .normalClosure, reason: nil)
        release()
    }

    /// Ends the connection with an error, unless it is open.
    func abandon(_ error: TransportError) {
        guard settle(.failure(error)) else { return }
        task?.cancel()
        release()
    }

    /// Sets the outcome of the opening.
    /// - Returns: False if it was set before.
    private func settle(_ outcome: Opening) -> Bool {
        let (isFirst, continuation) = state.withLock { state in
            let isFirst = state.outcome == nil
            if isFirst { state.outcome = outcome }
            return (isFirst, state.opening.take())
        }
        continuation?.resume(returning: outcome)
        return isFirst
    }

    private func end(_ end: WebSocketEnd) {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        if isFirst { events.end(end) }
        release()
    }

    /// Releases the session, which retains its delegate.
    private func release() { started.withLock { $0?.session }?.finishTasksAndInvalidate() }

    private func receive() {
        task?.receive { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.string(let text)):
                let hasEnded = state.withLock { $0.hasEnded }
                if !hasEnded { events.message(Array(text.utf8)) }
                receive()
            case .success:
                end(.lost(TransportError(.invalidResponse)))
                task?.cancel(with: .unsupportedData, reason: nil)
            case .failure:
                // The delegate reports the end of the connection.
                break
            }
        }
    }

    // MARK: URLSessionWebSocketDelegate

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
        if settle(.success(.open(self))) { receive() }
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        end(
            .closed(
                code: UInt16(clamping: closeCode.rawValue),
                reason: reason.map { String(decoding: $0, as: UTF8.self) } ?? ""))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let failure = error.map { TransportError(urlSession: $0) } ?? TransportError(.connectionLost)
        if let response = (task.response as? HTTPURLResponse)?.httpResponse, response.status != .switchingProtocols,
            settle(.success(.refused(response, Data())))
        {
            return release()
        }
        if settle(.failure(failure)) { return release() }
        end(.lost(failure))
    }
}

extension ServiceAddress {
    /// The address with the scheme `ws` or `wss`.
    fileprivate var socketURL: URL? {
        URL(string: "\(scheme == "https" ? "wss" : "ws")://\(authority)\(pathAndQuery)")
    }
}
