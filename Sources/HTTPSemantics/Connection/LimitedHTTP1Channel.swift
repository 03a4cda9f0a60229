package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// An HTTP/1 connection for Hummingbird's server that enforces ``RequestLimits``.
///
///     Application(
///         router: router,
///         server: HTTPServerBuilder { responder in
///             LimitedHTTP1Channel(limits: limits, problemResponse: problemResponse, responder: responder)
///         })
///
/// From the socket to the application there are NIO's encoder, NIO's decoder in a ``RequestDecoder``, the
/// ``RequestLimitsHandler``, and the asynchronous channel that Hummingbird reads from. The ``RequestLimitsHandler`` replaces
/// Hummingbird's own timeouts and shutdown handler.
package struct LimitedHTTP1Channel: HTTPChannelHandler {
    /// A connection after its setup.
    package struct Value: ServerChildChannelValue {
        let asyncChannel: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
        let client: ClientPresence
        /// The channel of the connection.
        package var channel: any Channel { self.asyncChannel.channel }
    }

    /// Answers requests.
    package let responder: HTTPChannelHandler.Responder
    private let limits: RequestLimits
    private let problemResponse: @Sendable (ConnectionProblem) -> ProblemResponse
    private let observe: @Sendable (ConnectionObservation) -> Void

    /// - Parameters:
    ///   - limits: The limits of each connection.
    ///   - problemResponse: Makes the answer to a request that does not reach `responder`.
    ///   - observe: Receives each event outside requests and responses, on the connection's event loop.
    ///   - responder: Answers requests.
    package init(
        limits: RequestLimits,
        problemResponse: @escaping @Sendable (ConnectionProblem) -> ProblemResponse,
        observe: @escaping @Sendable (ConnectionObservation) -> Void = { _ in },
        responder: @escaping HTTPChannelHandler.Responder
    ) {
        self.limits = limits
        self.problemResponse = problemResponse
        self.observe = observe
        self.responder = responder
    }

    /// Adds ``handlers(clientLeft:)`` to the pipeline of a new connection.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let client = ClientPresence()
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandlers(self.handlers(clientLeft: { client.left() }))
            let asyncChannel = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true))
            return Value(asyncChannel: asyncChannel, client: client)
        }
    }

    /// The handlers of one connection, in order from the socket.
    /// - Parameter clientLeft: Called when no client waits for a response any more.
    package func handlers(clientLeft: @escaping @Sendable () -> Void = {}) -> [any ChannelHandler] {
        let overhead = ChunkOverhead()
        return [
            HTTPResponseEncoder(),
            ByteToMessageHandler(RequestDecoder(limits: self.limits, overhead: overhead)),
            RequestLimitsHandler(
                limits: self.limits, overhead: overhead, problemResponse: self.problemResponse, observe: self.observe,
                clientLeft: clientLeft),
        ]
    }

    /// Answers the requests of a connection until it ends. The work is cancelled when the client leaves.
    package func handle(value: Value, logger: Logger) async {
        await value.client.whilePresent {
            await self.handleHTTP(asyncChannel: value.asyncChannel, logger: logger)
        }
    }
}
