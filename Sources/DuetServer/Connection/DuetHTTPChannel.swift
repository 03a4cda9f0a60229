package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// An HTTP/1 connection for Hummingbird's server with the manners of ``RequestLimitsHandler``.
///
///     Application(
///         router: router,
///         server: HTTPServerBuilder { responder in
///             DuetHTTPChannel(limits: limits, problemResponse: problemResponse, responder: responder)
///         })
///
/// From the socket to the application there are NIO's encoder, NIO's decoder in a ``RequestDecoder``, the
/// ``RequestLimitsHandler``, and the asynchronous channel that Hummingbird reads from. Hummingbird's own timeouts and
/// shutdown handler are not among them: both are the ``RequestLimitsHandler``'s.
package struct DuetHTTPChannel: HTTPChannelHandler {
    /// A connection that is set up.
    package struct Value: ServerChildChannelValue {
        let asyncChannel: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
        let client: ClientPresence
        package var channel: any Channel { self.asyncChannel.channel }
    }

    package let responder: HTTPChannelHandler.Responder
    private let limits: RequestLimits
    private let problemResponse: @Sendable (ConnectionProblem) -> ProblemResponse
    private let observe: @Sendable (ConnectionObservation) -> Void

    /// - Parameters:
    ///   - problemResponse: Makes the answer to a request that never reaches `responder`.
    ///   - observe: Told what happens outside requests and responses, on the connection's event loop.
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

    package func handle(value: Value, logger: Logger) async {
        await value.client.whilePresent {
            await self.handleHTTP(asyncChannel: value.asyncChannel, logger: logger)
        }
    }
}
