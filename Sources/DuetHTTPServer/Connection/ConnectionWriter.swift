import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// Writes one response to a connection, from any thread.
struct ConnectionWriter: Sendable {
    private let responder: NIOLoopBound<SequentialResponder>

    init(responder: NIOLoopBound<SequentialResponder>) {
        self.responder = responder
    }

    /// Writes a response. If the length of the body is known, the body is collected and sent together with the head,
    /// and the call does not wait for the client. Otherwise, another task streams the body; see
    /// ``SequentialResponder/stream(_:)``.
    /// - Throws: The error of a body whose length is known.
    func write(_ response: Response) async throws {
        guard response.body.contentLength != nil else {
            self.responder.execute { $0.stream(response) }
            return
        }
        let collector = CollectingBodyWriter(.head(response.head))
        try await response.body.write(collector)
        let parts = collector.parts
        self.responder.execute { responder in
            let isWritten: Void? = try? responder.write(parts)
            responder.finish(isComplete: isWritten != nil)
        }
    }

    /// Streams the body of a response, and waits while the client reads slowly. The body of a response 101 switches the
    /// connection to another protocol; see ``WebSocketSwitch``.
    func stream(_ response: Response, _ connection: StreamedConnection) async {
        do {
            if response.status.code == 101 {
                let pending = WebSocketSwitch(head: response.head, responder: self.responder)
                try await WebSocketSwitch.$pending.withValue(pending) {
                    try await response.body.write(StreamingBodyWriter(writer: self))
                }
            } else {
                try await self.write(.head(response.head))
                try await StreamedConnection.$current.withValue(connection) {
                    try await response.body.write(StreamingBodyWriter(writer: self))
                }
                self.responder.execute { $0.finish(isComplete: true) }
                return
            }
        } catch {}
        // The connection ends after an error, and if the body has not switched it to another protocol.
        self.fail()
    }

    /// Ends the connection after an error of the response.
    func fail() {
        self.responder.execute { $0.finish(isComplete: false) }
    }

    fileprivate func write(_ part: HTTPResponsePart) async throws {
        try await withCheckedThrowingContinuation { continuation in
            self.responder.execute { $0.write(part, then: continuation) }
        }
    }
}

/// Collects the parts of a response whose body has a known length.
private final class CollectingBodyWriter: ResponseBodyWriter {
    var parts: [HTTPResponsePart]

    init(_ head: HTTPResponsePart) {
        self.parts = []
        self.parts.reserveCapacity(3)
        self.parts.append(head)
    }

    func write(_ buffer: ByteBuffer) { self.parts.append(.body(buffer)) }

    func finish(_ trailers: HTTPFields?) { self.parts.append(.end(trailers)) }
}

private struct StreamingBodyWriter: ResponseBodyWriter {
    let writer: ConnectionWriter

    func write(_ buffer: ByteBuffer) async throws { try await self.writer.write(.body(buffer)) }

    func finish(_ trailers: HTTPFields?) async throws { try await self.writer.write(.end(trailers)) }
}

extension NIOLoopBound {
    /// Runs a closure on the event loop: immediately if the caller is on it, otherwise later.
    func execute(_ body: @escaping @Sendable (Value) -> Void) {
        if self.eventLoop.inEventLoop {
            body(self.value)
        } else {
            self.eventLoop.execute { body(self.value) }
        }
    }
}
