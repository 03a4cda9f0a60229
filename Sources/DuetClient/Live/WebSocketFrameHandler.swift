#if canImport(AsyncHTTPClient)
    import NIOCore
    import NIOWebSocket

    /// Passes the messages of a connection to closures, and answers the control frames of the server.
    final class WebSocketFrameHandler: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        /// The maximum time from the client's close frame to the server's close frame.
        private static let closeTimeout = TimeAmount.seconds(5)

        private let events: WebSocketEvents
        private var context: ChannelHandlerContext?
        private var hasEnded = false
        private var hasSentClose = false

        init(events: WebSocketEvents) { self.events = events }

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func channelInactive(context: ChannelHandlerContext) {
            end(.lost(TransportError(.connectionLost)))
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            switch error {
            case NIOWebSocketError.invalidFrameLength,
                NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
                fail(.tooLarge, 1009, error)
            case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error: fail(.invalidResponse, 1002, error)
            default:
                end(.lost(TransportError(asyncHTTPClient: error)))
                context.close(promise: nil)
            }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            // Only the frames of a client are masked (RFC 6455, section 5.1).
            guard frame.maskKey == nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
                return fail(.invalidResponse, 1002)
            }
            switch frame.opcode {
            case .text:
                let bytes = Array(frame.data.readableBytesView)
                guard String(validating: bytes, as: UTF8.self) != nil else { return fail(.invalidResponse, 1007) }
                if !hasEnded { events.message(bytes) }
            case .ping: if !hasSentClose { write(.pong, frame.data) }
            case .connectionClose: closed(context, frame.data)
            case .pong, .continuation: break
            case .binary: fail(.invalidResponse, 1003)
            default: fail(.invalidResponse, 1002)
            }
        }

        private func closed(_ context: ChannelHandlerContext, _ payload: ByteBuffer) {
            var payload = payload
            // Code 1005 means that the frame has no code (RFC 6455, section 7.4.1).
            let code = payload.readInteger(as: UInt16.self)
            end(.closed(code: code ?? 1005, reason: String(buffer: payload)))
            if !hasSentClose { sendClose(code) }
            context.close(promise: nil)
        }

        /// Sends a text message.
        func send(_ text: [UInt8]) {
            if !hasSentClose { write(.text, ByteBuffer(bytes: text)) }
        }

        /// Sends a close frame, and closes the connection after that of the server.
        func close(_ code: UInt16) { close(code, endsEvents: true) }

        private func close(_ code: UInt16, endsEvents: Bool) {
            if endsEvents { hasEnded = true }
            guard !hasSentClose, let context else { return }
            sendClose(code)
            let channel = context.channel
            context.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
        }

        private func fail(_ code: TransportError.Code, _ closeCode: UInt16, _ error: (any Error)? = nil) {
            // The end of the events closes the connection with another code.
            close(closeCode, endsEvents: false)
            end(.lost(TransportError(code, underlyingError: error)))
        }

        private func end(_ end: WebSocketEnd) {
            guard !hasEnded else { return }
            hasEnded = true
            events.end(end)
        }

        private func sendClose(_ code: UInt16?) {
            hasSentClose = true
            write(.connectionClose, code.map { ByteBuffer(integer: $0) } ?? ByteBuffer())
        }

        private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
            guard let context else { return }
            let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        }
    }
#endif
