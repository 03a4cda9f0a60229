package import NIOCore

/// The connection of a streamed response. With it, other code than the body of the response can send a piece while the
/// body waits for its next piece, or end this wait.
package struct StreamedConnection: Sendable {
    /// The connection of the response whose body runs in this task.
    @TaskLocal package static var current: StreamedConnection?

    let responder: NIOLoopBound<SequentialResponder>
    /// The number of the response on its connection.
    let number: Int

    /// Cancels the task of the body, if the response is a stream of events that has not ended. The body can still send
    /// its last pieces.
    package func cancel() { self.responder.execute { $0.cancelStream(self.number) } }

    /// The number of connections that an event loop serves before it continues with other work.
    private static let sliceLength = 100

    /// Sends a piece to each client whose connection has space. A response that has ended is skipped.
    ///
    /// The event loops send the pieces themselves, without waking the tasks of the bodies, so a heartbeat for thousands
    /// of clients costs little.
    package static func send(_ piece: ByteBuffer, to connections: [StreamedConnection]) {
        let loops = Dictionary(grouping: connections) { ObjectIdentifier($0.responder.eventLoop) }
        for connections in loops.values { self.send(piece, to: connections[...]) }
    }

    /// Sends a piece to connections of one event loop.
    private static func send(_ piece: ByteBuffer, to connections: ArraySlice<StreamedConnection>) {
        guard let eventLoop = connections.first?.responder.eventLoop else { return }
        eventLoop.execute {
            for connection in connections.prefix(self.sliceLength) {
                connection.responder.value.sendBetween(piece, ofStream: connection.number)
            }
            self.send(piece, to: connections.dropFirst(self.sliceLength))
        }
    }
}
