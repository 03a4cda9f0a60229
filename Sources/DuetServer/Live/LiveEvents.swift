import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import NIOCore
import Synchronization

/// The first answer of a stream.
final class FirstAnswer: Sendable {
    private let answer: Mutex<LiveAnswer?>

    init(_ answer: LiveAnswer) { self.answer = Mutex(answer) }

    /// Returns the answer; nil if it was taken before.
    func take() -> LiveAnswer? { answer.withLock { $0.take() } }
}

/// The events of a read: `value` with the representation, or `patch` with its changes, and at the end `gone` or `error`
/// with a problem document.
struct LiveEvents: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// The current answer, which the iterator takes. A stream does not keep it after it has been sent.
    let first: FirstAnswer
    /// True if the client has the current answer.
    let isFirstKnown: Bool
    /// The answers after the current one.
    let answers: LiveAnswers
    let tag: @Sendable (LiveAnswer) -> BodyTag
    /// True if the client prefers patches.
    let sendsPatches: Bool
    /// The identifier of the request in problem documents.
    let requestID: String
    let observe: ServerObserver

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    struct Iterator: AsyncIteratorProtocol {
        private let events: LiveEvents
        private var first: LiveAnswer?
        private var answers: LiveAnswers.AsyncIterator?
        /// The body of the answer that the client has; nil if it receives no patches. All streams of equal questions
        /// share the bytes.
        private var known: ByteBuffer?

        /// The maximum size in bytes of an answer of which a patch is made.
        private static let maximumPatchedSize = 64 << 10

        fileprivate init(_ events: LiveEvents) {
            self.events = events
            answers = events.answers.makeAsyncIterator()
            let first = events.first.take()
            if !events.isFirstKnown { self.first = first }
            if events.sendsPatches, events.isFirstKnown { known = first?.body }
        }

        mutating func next() async throws -> ByteBuffer? {
            if let first = first.take() { return event(first) }
            do {
                guard let answer = try await answers?.next() else { return nil }
                return event(answer)
            } catch let error as ServiceError where error.code.missingNoun != nil {
                answers = nil
                return EventStreamWriter.event("gone")
            } catch  where !(error is CancellationError) {
                answers = nil
                let problem = RequestProblem(error)
                if let cause = problem.cause { events.observe(.failure(requestID: events.requestID, cause)) }
                return EventStreamWriter.event("error", data: problem.body(requestID: events.requestID))
            }
        }

        private mutating func event(_ answer: LiveAnswer) -> ByteBuffer {
            let identifier = events.tag(answer).fieldValue(coding: .identity)
            if let patch = patch(to: answer) {
                return EventStreamWriter.event("patch", identifier: identifier, data: patch)
            }
            return EventStreamWriter.event("value", identifier: identifier, data: answer.body)
        }

        /// Returns the changes since the last answer; nil if the whole answer is not longer.
        private mutating func patch(to answer: LiveAnswer) -> ByteBuffer? {
            guard events.sendsPatches else { return nil }
            defer { known = answer.body }
            guard let known, Swift.max(known.readableBytes, answer.body.readableBytes) <= Self.maximumPatchedSize,
                let old = try? JSONValue(parsing: known.readableBytesView),
                let new = try? JSONValue(parsing: answer.body.readableBytesView),
                let operations = JSONPatch.operations(from: old, to: new)
            else { return nil }
            let patch = JSONValue.array(operations).compactText
            return patch.utf8.count < answer.body.readableBytes ? ByteBuffer(string: patch) : nil
        }
    }
}
