import Foundation
import HTTPTypes
import Synchronization

/// Passes a response from the callbacks of an HTTP library to the task that reads the response.
///
/// The channel limits the size of received but unread data and the duration of each wait. It cancels the request when
/// the reader is canceled or released. If several tasks wait, they receive parts in the order in which they began to
/// wait.
final class ResponseChannel: Sendable {
    /// A part of a response.
    enum Element: Sendable {
        /// The head. It is the first element.
        case head(HTTPResponse)
        /// The next bytes of the body.
        case bytes(Data)
    }

    typealias Outcome = Result<Element?, TransportError>

    private let state = Mutex(ResponseChannelState())
    private let timeout: Duration
    private let owner: any HTTPTransport

    /// - Parameters:
    ///   - timeout: The maximum duration of each wait.
    ///   - owner: The transport. The channel retains the transport until the response is read, because a transport that
    ///     is released closes its connections.
    init(timeout: Duration, owner: any HTTPTransport) {
        self.timeout = timeout
        self.owner = owner
    }

    // MARK: The library's side

    /// Sets the closure that cancels the request. If the request was already canceled, calls the closure immediately.
    func onCancel(_ cancel: @escaping @Sendable () -> Void) {
        perform { $0.setCancel(cancel) }
    }

    /// Adds a part.
    /// - Parameter resume: Called once, when the channel can accept the next part.
    func receive(_ element: Element, resume: @escaping @Sendable () -> Void) {
        perform { $0.receive(element, resume: resume) }
    }

    /// Ends the response.
    /// - Parameter error: The error; `nil` if the response is complete.
    func finish(_ error: TransportError? = nil) {
        perform { $0.finish(error) }
    }

    // MARK: The reader's side

    /// Waits for the next part.
    /// - Returns: The part, or `nil` after the last part.
    func next() async throws(TransportError) -> Element? {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform { $0.next(continuation) { [timeout] waiter in self.timer(of: waiter, timeout) } }
            }
        } onCancel: {
            abandon(TransportError(.cancelled))
        }
        return try outcome.get()
    }

    /// Ends the response with an error for its readers, and cancels the request.
    func abandon(_ error: TransportError) {
        perform { $0.abandon(error) }
    }

    private func timer(of waiter: Int, _ timeout: Duration) -> Task<Void, Never> {
        Task {
            do { try await Task.sleep(for: timeout) } catch { return }
            perform { $0.timeOut(waiter, timeout) }
        }
    }

    /// Changes the state under the lock. Performs the resulting actions after the lock is released.
    private func perform(_ change: (inout ResponseChannelState) -> [ResponseChannelState.Action]) {
        for action in state.withLock({ change(&$0) }) { action() }
    }
}

extension ResponseChannel {
    /// Waits for the head of the response.
    /// - Parameter isDecoded: Returns true if the library decodes the body of a response with this head.
    func response(
        isDecoded: (HTTPResponse) -> Bool
    ) async throws(TransportError) -> TransportResponse {
        let reader = ResponseReader(self)
        guard case .head(let head) = try await next() else {
            throw TransportError(.invalidResponse)
        }
        return TransportResponse(
            received: head, isDecoded: isDecoded(head),
            body: ResponseBody { () async throws(TransportError) in try await reader.nextBytes() })
    }
}

/// The reader of a response. If it is released, the request is canceled.
private final class ResponseReader: Sendable {
    private let channel: ResponseChannel

    init(_ channel: ResponseChannel) {
        self.channel = channel
    }

    deinit { channel.abandon(TransportError(.cancelled)) }

    func nextBytes() async throws(TransportError) -> Data? {
        while let element = try await channel.next() {
            if case .bytes(let data) = element, !data.isEmpty { return data }
        }
        return nil
    }
}
