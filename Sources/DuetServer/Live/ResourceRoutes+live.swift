import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHTTPServer
import DuetResourceService
import DuetResultSetJSON
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Reads that a client watches.
extension ResourceRoutes {
    /// Returns the answers to a read as server-sent events: `value` with the representation and its entity tag, and
    /// `gone` if the row no longer exists for the caller.
    ///
    /// If the client sends the entity tag of the current representation in `Last-Event-ID`, the first event follows the
    /// next change.
    func watch(_ operation: RESTOperation, _ routed: RoutedRequest) async throws -> Response {
        let (answers, _) = try await answers(operation, routed, query: routed.rawQuery)
        let tag = tag(of: operation, routed)
        // An error of the first read is a problem, as without events.
        var iterator = answers.makeAsyncIterator()
        guard let first = try await iterator.next() else { return Response(status: .noContent) }
        let known = routed.request.headers.value(of: .lastEventID)
        let events = LiveEvents(
            first: tag(first) == known ? nil : first, answers: answers, tag: tag, requestID: routed.requestID)
        return builder.events(streams.pieces(of: events, for: routed.caller))
    }

    /// Waits until the entity tag of a representation differs from that of the client.
    /// - Returns: The representation, or a response with the status 204 if the time has passed.
    func wait(_ wait: LiveWait, _ operation: RESTOperation, _ routed: RoutedRequest) async throws -> Response {
        let (answers, isPrivate) = try await answers(operation, routed, query: wait.query)
        let tag = tag(of: operation, routed)
        let known = wait.since.map { $0.hasPrefix("\"") ? $0 : "\"\($0)\"" }
        // The current representation is read even if the client does not wait.
        var iterator = answers.makeAsyncIterator()
        var changed = try await iterator.next()
        // Without a tag, the client waits for a change of the current representation.
        if let current = changed, known == nil || tag(current) == known {
            let currentTag = tag(current)
            changed = try await withThrowingTaskGroup(of: LiveAnswer?.self) { tasks in
                tasks.addTask {
                    for try await answer in answers where tag(answer) != currentTag { return answer }
                    return nil
                }
                tasks.addTask {
                    try await Task.sleep(for: wait.time)
                    return nil
                }
                defer { tasks.cancelAll() }
                return try await tasks.next() ?? nil
            }
        }
        // A cache that combines equal requests can serve all clients that wait with one request.
        let cacheControl = isPrivate || routed.caller?.hasToken == true ? "no-store" : "max-age=1"
        guard let changed else { return Response(status: .noContent, headers: [.cacheControl: cacheControl]) }
        return try builder.whole(
            changed.body, mediaType: RowFormat.json.mediaType, for: routed, cacheControl: cacheControl,
            tag: hash(of: operation))
    }

    /// Returns the answers to a read, and true if shared caches must not store them.
    private func answers(
        _ operation: RESTOperation, _ routed: RoutedRequest, query: String?
    ) async throws -> (LiveAnswers, isPrivate: Bool) {
        await leaveEventLoop()
        let plan = try style.plan(operation, query, .json, segment: routed.segment) {
            try query.map { try QueryString($0).parameters.map { ($0.name, $0.value) } } ?? []
        }
        let service = service(for: routed)
        let caller = routed.caller.map { " \($0.fingerprint.low) \($0.fingerprint.high)" } ?? ""
        let key = service.catalogue.view.key("REST \(routed.request.uri.path)?\(query ?? "")\(caller)")
        let answers = try service.live.answers(key) {
            LiveAnswer(body: try await service.answer(plan, .json).body)
        }
        return (answers, plan.cachePolicy.scope == .private)
    }

    private func hash(of operation: RESTOperation) -> ResponseBuilder.TagHash {
        operation.guardsWrites ? .digest : .content
    }

    /// Returns a function that returns the entity tag of an answer for the caller.
    private func tag(
        of operation: RESTOperation, _ routed: RoutedRequest
    ) -> @Sendable (LiveAnswer) -> String {
        let hash = hash(of: operation)
        return { [builder, caller = routed.caller] answer in
            builder.tag(of: answer.body, mediaType: RowFormat.json.mediaType, hash, for: caller)
        }
    }
}

/// The events of a read: `value`, and at the end `gone` or `error` with a problem document.
private struct LiveEvents: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let first: LiveAnswer?
    let answers: LiveAnswers
    let tag: @Sendable (LiveAnswer) -> String
    /// The identifier of the request in problem documents.
    let requestID: String

    func makeAsyncIterator() -> Iterator {
        Iterator(first: first, answers: answers.makeAsyncIterator(), tag: tag, requestID: requestID)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var first: LiveAnswer?
        fileprivate var answers: LiveAnswers.AsyncIterator?
        fileprivate let tag: @Sendable (LiveAnswer) -> String
        fileprivate let requestID: String

        @concurrent
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
                return EventStreamWriter.event("error", data: RequestProblem(error).body(requestID: requestID))
            }
        }

        private func event(_ answer: LiveAnswer) -> ByteBuffer {
            EventStreamWriter.event("value", identifier: tag(answer), data: answer.body)
        }
    }
}
