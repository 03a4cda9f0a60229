import HTTPTypes
import NIOCore

/// A response 101 that has not been sent, and the connection that it switches to the WebSocket protocol.
///
/// The application returns such a response as any other one, so code that wraps the bodies of responses, for example to
/// log their ends, also applies to it. The body of the response runs the application's work. It finds the connection in
/// a task-local value, because the writer that it receives can be a wrapper of the connection's writer.
struct WebSocketSwitch: Sendable {
    /// The switch of the response whose body runs in this task.
    @TaskLocal static var pending: WebSocketSwitch?

    let head: HTTPResponse
    let responder: NIOLoopBound<SequentialResponder>

    /// Switches the connection, and runs the application's work.
    /// - Throws: ``WebSocketEnded`` if the connection cannot switch, or the error of the work.
    func run(_ work: @Sendable (WebSocketConnection) async throws -> Void) async throws {
        // The closure always runs in a later turn of the event loop. By then, the handler knows the task of this work,
        // and the work has left the event loop.
        let connection = try await withCheckedThrowingContinuation { continuation in
            self.responder.eventLoop.execute {
                continuation.resume(with: Result { try self.responder.value.switchToWebSocket(self.head) })
            }
        }
        do {
            try await work(connection)
            connection.finish(WebSocketClose(.normal))
        } catch {
            connection.finish(error as? WebSocketClose ?? WebSocketClose(.internalError))
            // After the end of the connection, the work usually fails only because it has ended.
            if error is WebSocketClose || error is WebSocketEnded || error is CancellationError { return }
            throw error
        }
    }
}
