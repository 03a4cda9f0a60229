import NIOCore

/// The action after the last byte of a connection is written.
package enum FlushedAction: Equatable {
    /// Close the output and discard further input. If the connection were closed immediately, the client's system could
    /// drop the last bytes before the client reads them.
    case closeOutput
    /// Close the connection.
    case close
    /// Do nothing.
    case none
}

extension ChannelHandlerContext {
    /// Performs the action after the last byte is written.
    func perform(_ action: FlushedAction) {
        switch action {
        case .closeOutput:
            self.close(mode: .output, promise: nil)
            self.read()
        case .close: self.close(promise: nil)
        case .none: break
        }
    }

    /// Flushes, and calls a closure after all preceding bytes are written.
    /// - Parameter empty: An empty buffer as outbound data of the handler.
    func flush(_ empty: NIOAny, whenWritten body: @escaping () -> Void) {
        let flushed = self.eventLoop.makePromise(of: Void.self)
        flushed.futureResult.assumeIsolated().whenComplete { _ in body() }
        self.writeAndFlush(empty, promise: flushed)
    }
}
