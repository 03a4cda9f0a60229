import NIOCore
import Synchronization

/// The application's end of a WebSocket connection.
package struct WebSocketConnection: Sendable {
    private let handler: NIOLoopBound<WebSocketHandler>

    init(handler: NIOLoopBound<WebSocketHandler>) {
        self.handler = handler
    }

    /// The messages from the client. The sequence ends when either side closes the connection, or when the connection
    /// is lost. One task at a time can wait for a message. While no task does, the server neither reads from the socket
    /// nor answers pings.
    package var messages: WebSocketMessages { WebSocketMessages(handler: self.handler) }

    /// Sends a message. While the client reads slowly, the call waits. Concurrent calls send in their order.
    /// - Throws: ``WebSocketEnded``. If the task is canceled while the call waits, the message is not sent and the call
    ///   throws `CancellationError`.
    package func send(_ message: WebSocketMessage) async throws {
        let ticket = WebSocketHandler.Ticket()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.handler.execute { $0.send(message, ticket: ticket, continuation) }
            }
        } onCancel: {
            ticket.isCanceled.store(true, ordering: .releasing)
            self.handler.execute { $0.cancel(ticket) }
        }
    }

    /// Sends a close frame, unless one was sent or received, and returns at once. Messages that wait in ``send(_:)``
    /// are not sent.
    package func close(_ close: WebSocketClose) {
        self.handler.execute { $0.close(close) }
    }

    /// Ends the connection after the application's work.
    func finish(_ close: WebSocketClose) {
        self.handler.execute { $0.finish(close) }
    }
}

/// The error of a message that was not sent, because the connection has ended or is ending.
package struct WebSocketEnded: Error, Hashable {}

/// The messages of a ``WebSocketConnection``.
package struct WebSocketMessages: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let handler: NIOLoopBound<WebSocketHandler>

    init(handler: NIOLoopBound<WebSocketHandler>) {
        self.handler = handler
    }

    /// Returns the iterator of the sequence.
    package func makeAsyncIterator() -> WebSocketMessages { self }

    /// Returns the next message; `nil` after the last message, and if the task is canceled.
    package func next() async -> WebSocketMessage? {
        let ticket = WebSocketHandler.Ticket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.handler.execute { $0.receive(ticket: ticket, continuation) }
            }
        } onCancel: {
            ticket.isCanceled.store(true, ordering: .releasing)
            self.handler.execute { $0.cancel(ticket) }
        }
    }
}
