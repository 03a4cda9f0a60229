import Foundation
import HTTPTypes
import Synchronization

/// Connects an HTTP library, which delivers the parts of a response by callbacks, with the task that waits for them.
///
/// It bounds what is received and not read yet, and the time of each wait, and it cancels the request for a reader that is cancelled
/// or has gone. Several tasks may wait; they are served in their order.
final class ResponseChannel: Sendable {
    /// A part of a response.
    enum Element: Sendable {
        /// The head, which comes first.
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
    ///   - owner: The transport; it lives until the response is read, as its connections do.
    init(timeout: Duration, owner: any HTTPTransport) {
        self.timeout = timeout
        self.owner = owner
    }

    // MARK: The library's side

    /// Sets how the request is cancelled; done at once if it is to be cancelled already.
    func onCancel(_ cancel: @escaping @Sendable () -> Void) {
        perform { $0.setCancel(cancel) }
    }

    /// Adds a part.
    /// - Parameter resume: Called once, when there is room for the next part.
    func receive(_ element: Element, resume: @escaping @Sendable () -> Void) {
        perform { $0.receive(element, resume: resume) }
    }

    /// Ends the response.
    /// - Parameter error: `nil` if it is whole.
    func finish(_ error: TransportError? = nil) {
        perform { $0.finish(error) }
    }

    // MARK: The reader's side

    /// Waits for the next part.
    /// - Returns: `nil` after the last.
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

    /// Ends the response for its readers, and cancels the request.
    func abandon(_ error: TransportError) {
        perform { $0.abandon(error) }
    }

    private func timer(of waiter: Int, _ timeout: Duration) -> Task<Void, Never> {
        Task {
            do { try await Task.sleep(for: timeout) } catch { return }
            perform { $0.timeOut(waiter, timeout) }
        }
    }

    /// Changes the state under the lock, and does what follows from it outside.
    private func perform(_ change: (inout ResponseChannelState) -> [ResponseChannelState.Action]) {
        for action in state.withLock({ change(&$0) }) { action() }
    }
}

extension ResponseChannel {
    /// Waits for the head of the response.
    /// - Parameter isDecoded: Decides from the head if the library has decoded the body.
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

/// The one who reads a response. When nothing refers to it any more, the rest of the response is of no use.
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
