#if canImport(AsyncHTTPClient)
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import NIOWebSocket
    import Synchronization

    /// Opens WebSocket connections with SwiftNIO. `URLSession` on Linux supports them only with some versions of
    /// libcurl.
    struct NIOWebSocketTransport: WebSocketTransport {
        /// The maximum size of the body of a response that opens no connection.
        private static let maximumBodySize = 64 << 10

        let tls: TLSConfiguration

        func connect(
            _ request: TransportRequest, subprotocol: String, maximumMessageSize: Int, events: WebSocketEvents
        ) async throws(TransportError) -> WebSocketOpening {
            guard let address = request.head.url.flatMap(ServiceAddress.init), let url = address.url,
                let host = url.host(percentEncoded: false)
            else { throw TransportError(.invalidAddress) }
            let isSecure = address.scheme == "https"
            let attempt = Attempt()
            defer { attempt.end() }
            do {
                let context = try isSecure ? NIOSSLContext(configuration: tls) : nil
                return try await withTaskCancellationHandler {
                    let opening = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                        .connectTimeout(TimeAmount(request.timeout))
                        .connect(host: host, port: url.port ?? (isSecure ? 443 : 80)) { channel in
                            attempt.begin(channel, timeout: TimeAmount(request.timeout))
                            return channel.eventLoop.makeCompletedFuture {
                                let pipeline = channel.pipeline.syncOperations
                                if let context {
                                    try pipeline.addHandler(
                                        try NIOSSLClientHandler(context: context, serverHostname: Self.serverName(host))
                                    )
                                }
                                return try pipeline.configureUpgradableHTTPClientPipeline(
                                    configuration: Self.pipeline(
                                        Self.head(request, address, subprotocol), maximumMessageSize, events))
                            }
                        }
                    return try await opening.get().get()
                } onCancel: {
                    attempt.cancel()
                }
            } catch {
                // After a response that violates the protocol, the connection is still open.
                attempt.cancel()
                if Task.isCancelled { throw TransportError(.cancelled) }
                throw error as? TransportError ?? TransportError(asyncHTTPClient: error)
            }
        }

        /// An IP address is no name of a server (RFC 6066, section 3).
        private static func serverName(_ host: String) -> String? {
            (try? SocketAddress(ipAddress: host, port: 0)) == nil ? host : nil
        }

        private static func head(
            _ request: TransportRequest, _ address: ServiceAddress, _ subprotocol: String
        ) -> HTTPRequestHead {
            var headers = HTTPHeaders([("Host", address.authority)])
            for field in request.head.headerFields { headers.add(name: field.name.rawName, value: field.value) }
            headers.add(name: "Sec-WebSocket-Protocol", value: subprotocol)
            return HTTPRequestHead(version: .http1_1, method: .GET, uri: address.pathAndQuery, headers: headers)
        }

        /// The response to the request, whose body may still arrive.
        private typealias Result = EventLoopFuture<WebSocketOpening>

        private static func pipeline(
            _ head: HTTPRequestHead, _ maximumMessageSize: Int, _ events: WebSocketEvents
        ) -> NIOUpgradableHTTPClientPipelineConfiguration<Result> {
            let upgrader = NIOTypedWebSocketClientUpgrader<Result>(
                maxFrameSize: min(maximumMessageSize, Int(UInt32.max)), enableAutomaticErrorHandling: false
            ) { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    let handler = WebSocketFrameHandler(events: events)
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: .max,
                            maxAccumulatedFrameSize: maximumMessageSize), handler)
                    let connection = NIOWebSocketConnection(
                        handler: NIOLoopBound(handler, eventLoop: channel.eventLoop))
                    return channel.eventLoop.makeSucceededFuture(WebSocketOpening.open(connection))
                }
            }
            var configuration = NIOUpgradableHTTPClientPipelineConfiguration<Result>(
                upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                    upgradeRequestHead: head, upgraders: [upgrader]
                ) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let refusal = channel.eventLoop.makePromise(of: WebSocketOpening.self)
                        try channel.pipeline.syncOperations.addHandler(
                            RefusalHandler(refusal, maximumBodySize: maximumBodySize))
                        return refusal.futureResult
                    }
                })
            // A server can send frames together with its response.
            configuration.leftOverBytesStrategy = .forwardBytes
            return configuration
        }

        /// Ends an attempt that is canceled, or that takes too long.
        private final class Attempt: Sendable {
            private struct State {
                /// The channels of all addresses that were tried.
                var channels: [any Channel] = []
                var timeout: Scheduled<Void>?
                var isCanceled = false
            }

            private let state = Mutex(State())

            func begin(_ channel: any Channel, timeout: TimeAmount) {
                let isCanceled = state.withLock { state in
                    state.channels.append(channel)
                    if state.timeout == nil {
                        state.timeout = channel.eventLoop.scheduleTask(in: timeout) { self.cancel() }
                    }
                    return state.isCanceled
                }
                if isCanceled { channel.close(promise: nil) }
            }

            /// Ends the time limit, because the connection is open or has failed.
            func end() {
                let timeout = state.withLock { state in
                    state.channels = []
                    return state.timeout
                }
                timeout?.cancel()
            }

            func cancel() {
                let channels = state.withLock { state in
                    state.isCanceled = true
                    return state.channels
                }
                for channel in channels { channel.close(promise: nil) }
            }
        }
    }

    private struct NIOWebSocketConnection: WebSocketConnection {
        let handler: NIOLoopBound<WebSocketFrameHandler>

        func send(_ text: [UInt8]) { handler.execute { $0.send(text) } }

        func close(_ code: UInt16) { handler.execute { $0.close(code) } }
    }

    /// Receives a response that opens no connection.
    private final class RefusalHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart

        private let promise: EventLoopPromise<WebSocketOpening>
        private let maximumBodySize: Int
        private var head: HTTPResponse?
        private var body = Data()

        init(_ promise: EventLoopPromise<WebSocketOpening>, maximumBodySize: Int) {
            self.promise = promise
            self.maximumBodySize = maximumBodySize
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): self.head = HTTPResponse(head)
            case .body(let bytes):
                body.append(contentsOf: bytes.readableBytesView.prefix(maximumBodySize - body.count))
                if body.count >= maximumBodySize { end(context) }
            case .end: end(context)
            }
        }

        private func end(_ context: ChannelHandlerContext) {
            if let head {
                promise.succeed(.refused(head, body))
            } else {
                promise.fail(TransportError(.invalidResponse))
            }
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            promise.fail(TransportError(.connectionLost))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            promise.fail(error)
            context.close(promise: nil)
        }
    }

    extension NIOLoopBound {
        /// Calls a closure on the event loop of the value: at once, or as soon as possible.
        fileprivate func execute(_ body: @escaping @Sendable (Value) -> Void) {
            if eventLoop.inEventLoop { body(value) } else { eventLoop.execute { body(value) } }
        }
    }
#endif
