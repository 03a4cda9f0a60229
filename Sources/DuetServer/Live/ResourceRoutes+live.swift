import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHTTPServer
import DuetResourceService
import DuetResultSetJSON
import HTTPTypes
import HummingbirdCore

/// Reads that a client watches.
extension ResourceRoutes {
    /// Returns the answers to a read as server-sent events; see ``LiveEvents``.
    ///
    /// If the client sends the entity tag of the current representation in `Last-Event-ID`, the first event follows the
    /// next change.
    /// - Throws: The problem of the first read, as without events.
    func watch(_ operation: RESTOperation, _ routed: RoutedRequest) async throws -> Response {
        let watched = try await watched(operation, routed, query: routed.rawQuery, .json)
        let first = try await first(of: watched)
        let known = routed.request.headers.value(of: .lastEventID).map(KnownTag.init)
        let sendsPatches = Preferences(routed.request.headers).value(of: "patch") == "json"
        let events = LiveEvents(
            first: FirstAnswer(first), isFirstKnown: known?.matches(watched.tag(first)) == true,
            answers: watched.answers, tag: watched.tag, sendsPatches: sendsPatches, requestID: routed.requestID,
            observe: observe)
        return builder.events(
            streams.pieces(of: events, for: routed.caller),
            headers: sendsPatches ? [.preferenceApplied: "patch=json"] : [:])
    }

    /// Waits until the entity tag of a representation differs from that of the client.
    /// - Returns: The representation, or a response with the status 204 if the time has passed.
    func wait(
        _ wait: LiveWait, _ operation: RESTOperation, _ routed: RoutedRequest, _ format: RowFormat
    ) async throws -> Response {
        let watched = try await watched(operation, routed, query: wait.query, format)
        // The current representation is read even if the client does not wait.
        let current = try await first(of: watched)
        var changed: LiveAnswer? = current
        // Without a tag, the client waits for a change of the current representation.
        if wait.since.map({ $0.matches(watched.tag(current)) }) ?? true {
            let tag = watched.tag(current)
            // The waiting ends if the server shuts down or the API is replaced.
            let signals = LiveSignals()
            let number = streams.add(signals, heartbeats: .never)
            defer { streams.remove(number) }
            changed = try await answer(
                within: wait.time, timeToExpiry: routed.caller?.timeToExpiry, signals: signals
            ) {
                for try await answer in watched.answers where watched.tag(answer) != tag { return answer }
                return nil
            }
        }
        // A cache that combines equal requests can serve all clients that wait with one request.
        let isPrivate = watched.plan.cachePolicy.scope == .private || routed.caller?.isIdentified == true
        let cacheControl = isPrivate ? "no-store" : "max-age=1"
        guard let changed else { return Response(status: .noContent, headers: [.cacheControl: cacheControl]) }
        return try builder.whole(
            changed.body, mediaType: format.mediaType, for: routed, cacheControl: cacheControl,
            headers: changed.answer.map { fields(of: $0, routed, query: wait.query) } ?? [:],
            tag: hash(of: operation))
    }

    /// Returns the current answer.
    /// - Throws: The error of the question; `ServiceError` if other questions have delayed the read for too long.
    private func first(of watched: Watched) async throws -> LiveAnswer {
        // The read also ends if the API is replaced. Then the stream begins with its end, and the client returns.
        let first = try await answer(within: service.requestTimeout, timeToExpiry: nil, signals: nil) {
            var answers = watched.answers.makeAsyncIterator()
            return try await answers.next()
        }
        guard let first else {
            throw ServiceError(.overloaded, "too many live queries wait for the database; try again later")
        }
        return first
    }

    /// Returns the answer of a closure; nil if there is none within a time, or if the stream receives a signal.
    /// - Throws: The error of the closure; ``RequestProblem`` if the token of the caller expires.
    private func answer(
        within time: Duration, timeToExpiry: Duration?, signals: LiveSignals?,
        _ answer: @escaping @Sendable () async throws -> LiveAnswer?
    ) async throws -> LiveAnswer? {
        try await withThrowingTaskGroup(of: LiveAnswer?.self) { tasks in
            tasks.addTask { try await answer() }
            tasks.addTask {
                try await Task.sleep(for: min(time, timeToExpiry ?? time))
                if let timeToExpiry, timeToExpiry < time { throw BearerToken.expired }
                return nil
            }
            if let signals {
                tasks.addTask {
                    _ = await signals.next()
                    return nil
                }
            }
            defer { tasks.cancelAll() }
            return try await tasks.next() ?? nil
        }
    }

    /// A read that a client watches.
    private struct Watched {
        let plan: Plan
        let answers: LiveAnswers
        /// Returns the entity tag of an answer for the caller.
        let tag: @Sendable (LiveAnswer) -> BodyTag
    }

    private func watched(
        _ operation: RESTOperation, _ routed: RoutedRequest, query: String?, _ format: RowFormat
    ) async throws -> Watched {
        await leaveEventLoop()
        let plan = try style.plan(operation, query, format, segment: routed.segment) {
            try query.map { try QueryString($0).parameters.map { ($0.name, $0.value) } } ?? []
        }
        let caller = routed.caller.map { " \($0.fingerprint.low) \($0.fingerprint.high)" } ?? ""
        let answers = try service(for: routed).watch(
            plan, format, request: "REST \(format) \(routed.request.uri.path)?\(query ?? "")\(caller)",
            owner: routed.caller?.identity)
        let hash = hash(of: operation)
        return Watched(plan: plan, answers: answers) { [caller = routed.caller] answer in
            ResponseBuilder.tag(of: answer.body, format.mediaType, hash).tag(for: caller)
        }
    }

    private func hash(of operation: RESTOperation) -> ResponseBuilder.TagHash {
        operation.guardsWrites ? .digest : .content
    }
}
