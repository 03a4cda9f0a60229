import HTTPTypes
package import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// Answers the requests of a connection of HTTP/1 sequentially in their order, or the request of a stream of HTTP/2.
///
/// The work for a request usually begins on the event loop and stays there until its first suspension. Therefore a
/// response without a suspension needs no other thread. After a suspension, Swift's executor runs the work, and the
/// event loop only writes the response.
///
/// If the complete body of a request has arrived with the head, the application receives the complete body. Otherwise,
/// the application reads the body while it arrives. The responder stops reading while the application does not read a
/// body, or while many parts of later requests wait.
///
/// All members are used on the event loop of the connection.
final class SequentialResponder {
    private typealias BodyProducer = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, BodyDelegate
    >

    private let respond: ConnectionResponder
    private let peer: ConnectionPeer
    private let turn: EventLoopTurn
    private let ended: EventLoopPromise<Void>
    /// The connection or the stream; nil before its beginning and after its end.
    var transport: (any ResponderTransport)?
    /// The received parts that have not been passed to the application.
    private var parts = CircularBuffer<HTTPRequestPart>(initialCapacity: 4)
    /// The receiver of the rest of the current request's body.
    private var body: BodyProducer.Source?
    private var isBodyFull = false
    /// The number of streamed bodies so far. This number identifies the current body, so that the reader of an earlier
    /// body cannot affect it.
    private var bodyCount = 0
    /// The reason why the last request that has arrived is incomplete.
    private var bodyError: (any Error)?
    private var isReadHeld = false
    /// The work for the current request; nil between requests.
    private var work: Work?
    private var isAdvancing = false
    private var isClosed = false
    /// True if further requests are not answered.
    private var isEnding = false
    /// True if no client waits for responses.
    private var isAbandoned = false
    /// True if the connection has another protocol.
    private var hasSwitched = false
    /// A writer that waits until the client has read more data.
    private var waitingWriter: CheckedContinuation<Void, any Error>?
    private var writeError: (any Error)?
    /// The number of streamed responses so far. It identifies the current one; see ``StreamedConnection``.
    private var streamCount = 0
    /// True while the response is a stream of events, in which a comment can be sent at any time.
    private var isEventStream = false

    /// The work for one request.
    private enum Work {
        /// The work runs on the event loop and has not been suspended yet.
        case immediate
        /// The work has been suspended, or runs on another thread.
        case task(Task<Void, Never>)
    }

    /// The maximum number of consecutive pipelined requests whose work begins on the event loop. The work for further
    /// requests begins on Swift's executor, so that other connections of this event loop are not delayed.
    private static let maximumImmediateRequests = 4
    /// The number of waiting parts at which the responder stops reading: 32 requests without bodies. A
    /// single read can contain that many pipelined requests, and they wait until the loop has read from all sockets.
    private static let maximumParts = 64
    /// The number of waiting pieces of a body at which the responder stops reading.
    private static let maximumBodyPieces = 10

    /// Creates a responder.
    /// - Parameters:
    ///   - peer: The client.
    ///   - turn: The turn of the connection's event loop.
    ///   - ended: The promise that succeeds after ``close()`` has been called and the work for the last request has
    ///     ended.
    init(
        respond: @escaping ConnectionResponder, peer: ConnectionPeer, turn: EventLoopTurn,
        ended: EventLoopPromise<Void>
    ) {
        self.respond = respond
        self.peer = peer
        self.turn = turn
        self.ended = ended
    }

    // MARK: The connection

    /// Handles the end of the connection.
    func close() {
        guard !self.isClosed else { return }
        self.isClosed = true
        self.endBody(RequestAborted(problem: nil))
        self.abandon()
        if self.work == nil { self.ended.succeed() }
    }

    /// Handles the end of the client's output.
    func inputClosed() {
        guard self.isEventStream else { return }
        // The system of a client that has closed both directions rejects the comment, and the connection ends. A client
        // that has only closed its output ignores it.
        self.sendBetween(ByteBuffer(string: ":\n\n"), ofStream: self.streamCount)
    }

    /// Discards further requests. The client cannot receive their responses, so they must not be executed.
    func refuseFurtherRequests() {
        self.isEnding = true
        self.parts.removeAll()
    }

    /// Cancels the work, because no client waits for the response.
    func abandon() {
        self.isAbandoned = true
        self.refuseFurtherRequests()
        if case .task(let task) = self.work { task.cancel() }
        self.resumeWriter(throwing: CancellationError())
        if self.work == nil, !self.isClosed { self.transport?.closeOutput() }
    }

    // MARK: The turn of the event loop

    /// Answers the requests that have arrived.
    func answer() { self.advance() }

    // MARK: Requests

    /// Receives a part of a request. The work for it begins after ``readComplete()``.
    func receive(_ part: HTTPRequestPart) {
        // A client that sends single bytes must not cost much more memory than their number.
        if case .body(var piece) = part, piece.readableBytes < Self.smallPiece, case .body(var last) = self.parts.last,
            last.readableBytes < Self.smallPiece
        {
            self.parts.removeLast()
            last.writeBuffer(&piece)
            self.parts.append(.body(last))
        } else {
            self.parts.append(part)
        }
    }

    /// True if the application reads the body of the current request while it arrives.
    var isReadingBody: Bool { self.body != nil }

    /// The size in bytes below which the pieces of a body are joined.
    private static let smallPiece = 4 << 10

    /// Handles the end of the parts that have arrived together.
    func readComplete() { self.turn.enqueueAnswer(self) }

    /// Handles an error of the last request, which has not ended. Earlier requests are answered first.
    func abort(_ error: any Error) {
        self.bodyError = error
        self.advance()
        self.endBody(error)
    }

    /// Returns true if more parts may be read. If not, the responder calls ``ResponderTransport/resumeReading()``
    /// later.
    func mayRead() -> Bool {
        if !self.hasSpace { self.isReadHeld = true }
        return self.hasSpace
    }

    private var hasSpace: Bool { !self.isBodyFull && self.parts.count < Self.maximumParts }

    private func resumeReading() {
        guard self.isReadHeld, self.hasSpace else { return }
        self.isReadHeld = false
        self.transport?.resumeReading()
    }

    /// Passes the received parts of the current body to the current work, and begins the work for the next requests.
    private func advance() {
        guard !self.isAdvancing, !self.isClosed, let transport else { return }
        self.isAdvancing = true
        var begun = 0
        self.forwardBody()
        while self.work == nil, !self.isClosed, !self.isEnding, transport.mayBegin(),
            let request = self.nextRequest()
        {
            self.begin(request, isImmediate: begun < Self.maximumImmediateRequests)
            begun += 1
        }
        self.isAdvancing = false
        self.resumeReading()
    }

    private func forwardBody() {
        while let body, let part = self.parts.first {
            switch part {
            case .head: return
            case .body(let bytes):
                self.parts.removeFirst()
                if case .stopProducing = body.yield(contentsOf: CollectionOfOne(bytes)) { self.isBodyFull = true }
            case .end:
                self.parts.removeFirst()
                self.endBody(nil)
            }
        }
    }

    private func endBody(_ error: (any Error)?) {
        guard let body else { return }
        self.body = nil
        self.isBodyFull = false
        if let error { body.finish(error) } else { body.finish() }
    }

    /// Removes the next request from the queue and returns it. The body of the request is complete, or is a stream that
    /// begins with the received bytes.
    private func nextRequest() -> Request? {
        while let part = self.parts.popFirst() {
            guard case .head(let head) = part else {
                // This is the rest of a request that was answered before its end.
                continue
            }
            switch self.parts.first {
            case .end:
                self.parts.removeFirst()
                return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            case .body(let bytes):
                if self.parts.count > 1, case .end = self.parts[offset: 1] {
                    self.parts.removeFirst(2)
                    return Request(head: head, body: RequestBody(buffer: bytes))
                }
            default: break
            }
            guard self.bodyError == nil else {
                // The request was rejected or interrupted before its work began. It must not be executed.
                self.parts.removeAll()
                return nil
            }
            return Request(head: head, body: self.streamedBody())
        }
        return nil
    }

    private func streamedBody() -> RequestBody {
        guard let bound else { return RequestBody(buffer: ByteBuffer()) }
        self.bodyCount += 1
        let delegate = BodyDelegate(responder: bound, number: self.bodyCount)
        let producer = BodyProducer.makeSequence(
            elementType: ByteBuffer.self,
            backPressureStrategy: .init(lowWatermark: 2, highWatermark: Self.maximumBodyPieces),
            finishOnDeinit: true, delegate: delegate)
        self.body = producer.source
        self.forwardBody()
        return RequestBody(asyncSequence: producer.sequence)
    }

    /// Resumes reading when the application has consumed the pieces of a body.
    private struct BodyDelegate: NIOAsyncSequenceProducerDelegate {
        let responder: NIOLoopBound<SequentialResponder>
        let number: Int

        func produceMore() { self.responder.execute { $0.bodyHasSpace(self.number) } }

        func didTerminate() { self.produceMore() }
    }

    private func bodyHasSpace(_ number: Int) {
        guard number == self.bodyCount else { return }
        self.isBodyFull = false
        self.resumeReading()
    }

    // MARK: Responses

    /// This responder, for tasks on other threads.
    private var bound: NIOLoopBound<SequentialResponder>? {
        self.transport.map { NIOLoopBound(self, eventLoop: $0.channel.eventLoop) }
    }

    private func begin(_ request: Request, isImmediate: Bool) {
        guard let bound else { return }
        let writer = ConnectionWriter(responder: bound)
        self.writeError = nil
        self.work = .immediate
        self.transport?.workBegan()
        let task = Task.begin(here: isImmediate) { [respond, peer] in
            do {
                try await writer.write(try await respond(request, peer))
            } catch {
                writer.fail()
            }
        }
        // Not if the work has ended, or if another task streams the response.
        if case .immediate = self.work {
            self.work = .task(task)
            if self.isAbandoned { task.cancel() }
        }
    }

    /// Writes parts of the response. They are sent together with the responses of other connections; see
    /// ``EventLoopTurn``.
    /// - Throws: The error of an earlier part.
    func write(_ parts: some Sequence<HTTPResponsePart>) throws {
        guard let transport, !self.isClosed else { throw ChannelError.ioOnClosedChannel }
        if let writeError { throw writeError }
        for part in parts { transport.write(part, promise: nil) }
        transport.flushInTurn()
    }

    /// Begins to stream a response in a task of its own. The task that has created the response then ends. Its memory,
    /// which has grown with its calls to tens of kilobytes, is freed before a stream that may last for hours.
    func stream(_ response: Response) {
        guard let bound else { return self.finish(isComplete: false) }
        self.streamCount += 1
        self.isEventStream = response.headers[.contentType]?.hasPrefix("text/event-stream") == true
        let connection = StreamedConnection(responder: bound, number: self.streamCount)
        let task = Task { await ConnectionWriter(responder: bound).stream(response, connection) }
        self.work = .task(task)
        if self.isAbandoned { task.cancel() }
    }

    /// Cancels the task of a stream of events; see ``StreamedConnection/cancel()``.
    func cancelStream(_ number: Int) {
        guard number == self.streamCount, self.isEventStream, case .task(let task) = self.work else { return }
        task.cancel()
    }

    /// Sends a piece of a stream of events while its body waits; see ``StreamedConnection/send(_:to:)``. Before the
    /// head and after the end of the response, the transport drops the piece.
    func sendBetween(_ piece: ByteBuffer, ofStream number: Int) {
        guard let transport, number == self.streamCount, self.isEventStream, !self.isClosed, !self.isAbandoned,
            transport.isWritable
        else { return }
        transport.write(.body(piece), promise: nil)
        transport.flush()
    }

    /// Writes a part of a streamed response, and waits until there is space for more.
    func write(_ part: HTTPResponsePart, then continuation: CheckedContinuation<Void, any Error>) {
        do {
            guard let transport, !self.isClosed else { throw ChannelError.ioOnClosedChannel }
            if let writeError { throw writeError }
            if self.isAbandoned { throw CancellationError() }
            let written = transport.channel.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenFailure { self.writeError = $0 }
            transport.write(part, promise: written)
            transport.flush()
            if let writeError { throw writeError }
            guard !transport.isWritable else { return continuation.resume() }
            self.waitingWriter = continuation
        } catch {
            continuation.resume(throwing: error)
        }
    }

    /// Handles a change of ``ResponderTransport/isWritable``.
    func writabilityChanged() {
        guard self.transport?.isWritable == true else { return }
        self.resumeWriter(throwing: nil)
        if self.work == nil, !self.parts.isEmpty { self.turn.enqueueAnswer(self) }
    }

    private func resumeWriter(throwing error: (any Error)?) {
        guard let waitingWriter else { return }
        self.waitingWriter = nil
        if let error { waitingWriter.resume(throwing: error) } else { waitingWriter.resume() }
    }

    /// Sends the head of a response 101. The current work belongs to the handler of the new protocol from now on.
    /// - Throws: ``WebSocketEnded`` if the connection cannot switch.
    func switchToWebSocket(_ head: HTTPResponse) throws -> WebSocketConnection {
        guard let transport, !self.isClosed, case .task(let task) = self.work else { throw WebSocketEnded() }
        let handler = try transport.switchToWebSocket(head, task: task, ended: self.ended)
        return WebSocketConnection(handler: NIOLoopBound(handler, eventLoop: transport.channel.eventLoop))
    }

    /// Handles the switch of the connection to another protocol, before this responder loses its transport.
    func switched() {
        self.hasSwitched = true
        self.isClosed = true
    }

    /// Handles the end of the current response or its failure.
    func finish(isComplete: Bool) {
        guard !self.hasSwitched else { return }
        self.work = nil
        self.isEventStream = false
        self.endBody(RequestAborted(problem: nil))
        if self.isClosed {
            self.ended.succeed()
        } else if isComplete, !self.isAbandoned {
            self.advance()
        } else {
            // The client detects an incomplete response, because the connection ends.
            self.refuseFurtherRequests()
            self.transport?.closeOutput()
            self.resumeReading()
        }
    }
}

@available(*, unavailable)
extension SequentialResponder: Sendable {}

/// A closure that answers a request.
package typealias ConnectionResponder = @Sendable (_ request: Request, _ peer: ConnectionPeer) async throws -> Response

extension Task where Success == Void, Failure == Never {
    /// Begins a task.
    /// - Parameter here: True to run the task on the current thread until its first suspension, if the operating system
    ///   supports `Task.immediate`.
    fileprivate static func begin(here: Bool, _ operation: @escaping @Sendable () async -> Void) -> Task {
        if here, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate { await operation() }
        } else {
            Task { await operation() }
        }
    }
}
