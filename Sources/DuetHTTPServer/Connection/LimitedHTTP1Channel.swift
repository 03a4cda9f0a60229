import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1

/// The HTTP/1 implementation for Hummingbird's server. It enforces ``RequestLimits`` on each connection.
///
///     let channel = LimitedHTTP1Channel(limits: limits, problemResponse: problemResponse, respond: respond)
///     let server = channel.server(
///         configuration: configuration, onServerRunning: nil, eventLoopGroup: group, logger: logger)
///
/// The pipeline from the socket to the application consists of NIO's decoder in a ``RequestDecoder``, the
/// ``RequestLimitsHandler``, and the ``ResponderHandler``. These handlers replace Hummingbird's timeouts, its shutdown
/// handler, and its asynchronous channel. A response of ``WebSocketHandshake`` replaces them by a ``WebSocketHandler``.
package struct LimitedHTTP1Channel: ServerChildChannel {
    /// A connection after its setup.
    package struct Value: ServerChildChannelValue {
        /// The channel of the connection.
        package let channel: any Channel
        /// The future that succeeds after the connection is closed and its work has ended.
        let ended: EventLoopFuture<Void>
    }

    private let limits: RequestLimits
    private let identity: TLSIdentity?
    private let problemResponse: @Sendable (ConnectionProblem) -> ProblemResponse
    private let observe: @Sendable (ConnectionObservation) -> Void
    private let respond: ConnectionResponder
    private let turns: EventLoopTurns

    /// Creates a channel.
    /// - Parameters:
    ///   - limits: The limits of each connection.
    ///   - identity: The identity of the server on encrypted connections; nil for connections without encryption.
    ///   - problemResponse: Creates the response to a request that the connection rejects.
    ///   - observe: Receives each ``ConnectionObservation``, on the connection's event loop.
    ///   - answering: Runs the closure that responds to all requests that an event loop received in one turn; see
    ///     ``EventLoopTurn`` and ``TurnWork``.
    ///   - respond: Answers requests. The closure usually runs on the connection's event loop and must not block the
    ///     event loop. Before a long operation, it must call ``leaveEventLoop()``. The task that runs the closure is
    ///     canceled when the client disconnects. If the closure throws, the connection ends without a response.
    package init(
        limits: RequestLimits,
        identity: TLSIdentity? = nil,
        problemResponse: @escaping @Sendable (ConnectionProblem) -> ProblemResponse,
        observe: @escaping @Sendable (ConnectionObservation) -> Void = { _ in },
        answering: @escaping TurnWork = { $0() },
        respond: @escaping ConnectionResponder
    ) {
        self.limits = limits
        self.identity = identity
        self.problemResponse = problemResponse
        self.observe = observe
        self.turns = EventLoopTurns(answering: answering)
        self.respond = respond
    }

    /// Adds the handlers to the pipeline of a new connection.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let ended = channel.eventLoop.makePromise(of: Void.self)
            let pipeline = channel.pipeline.syncOperations
            do {
                if let identity { try pipeline.addHandler(HandshakeDetector(identity)) }
                try pipeline.addHandlers(self.handlers())
                try pipeline.addHandler(
                    ResponderHandler(respond: self.respond, turn: self.turns[channel.eventLoop], ended: ended))
            } catch {
                ended.fail(error)
                throw error
            }
            return Value(channel: channel, ended: ended.futureResult)
        }
    }

    /// Returns the handlers of a connection that precede its ``ResponderHandler``, in order from the socket.
    package func handlers() -> [any ChannelHandler] {
        let overhead = ChunkOverhead()
        return [
            ByteToMessageHandler(RequestDecoder(limits: self.limits, overhead: overhead)),
            RequestLimitsHandler(
                limits: self.limits, overhead: overhead, problemResponse: self.problemResponse, observe: self.observe),
        ]
    }

    /// Waits until the connection ends. Closes the connection if the task is canceled.
    package func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            // The future fails only if the setup has failed.
            try? await value.ended.get()
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }
}
