import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The connection of HTTP/1, or the stream of HTTP/2, whose requests a ``SequentialResponder`` answers. All members are
/// used on its event loop.
protocol ResponderTransport: TurnOutput {
    /// The channel of the connection.
    var channel: any Channel { get }
    /// True if the client has accepted enough of the written parts, so that further ones can follow.
    var isWritable: Bool { get }

    /// Returns true if the work for a request may begin. If not, ``SequentialResponder/writabilityChanged()`` is called
    /// later.
    func mayBegin() -> Bool

    /// Handles the beginning of the work for a request.
    func workBegan()

    /// Writes a part of a response.
    /// - Parameter promise: A promise that fails if the part cannot be sent.
    func write(_ part: HTTPResponsePart, promise: EventLoopPromise<Void>?)

    /// Sends the written parts together with those of other connections; see ``EventLoopTurn``.
    func flushInTurn()

    /// Continues to read, after ``SequentialResponder/mayRead()`` has returned false.
    func resumeReading()

    /// Ends the output after a response that cannot be completed, or to which no client listens.
    func closeOutput()

    /// Sends the head of a response 101, after which the connection has another protocol.
    /// - Parameters:
    ///   - task: The task of the work that uses the new protocol.
    ///   - ended: The promise that succeeds after the end of the connection and of the work.
    /// - Throws: ``WebSocketEnded`` if the connection cannot switch.
    func switchToWebSocket(
        _ head: HTTPResponse, task: Task<Void, Never>, ended: EventLoopPromise<Void>
    ) throws -> WebSocketHandler
}
