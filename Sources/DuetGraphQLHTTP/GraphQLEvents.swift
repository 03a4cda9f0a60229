internal import DuetGraphQL
package import NIOCore

/// The responses of a subscription as server-sent events, in the distinct connections mode of the [GraphQL over
/// server-sent events protocol](https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md): an event `next` for
/// each response, and `complete` at the end.
///
/// The sequence can be iterated only once. A server must send each element at once, without buffering.
package struct GraphQLEvents: AsyncSequence, Sendable {
    private let responses: SubscriptionResponses
    /// A function that is called for each response with errors.
    private let report: @Sendable ([GraphQLError]) -> Void

    init(_ responses: SubscriptionResponses, report: @escaping @Sendable ([GraphQLError]) -> Void) {
        self.responses = responses
        self.report = report
    }

    /// Returns the events of a request with one response.
    static func events(of response: ByteBuffer) -> ByteBuffer {
        var bytes = EventStreamWriter.event("next", data: response)
        bytes.writeImmutableBuffer(complete)
        return bytes
    }

    /// Returns the last events of a stream whose request is no longer permitted.
    package static func end(_ error: GraphQLRequestError) -> ByteBuffer { events(of: error.response.body) }

    private static let complete = EventStreamWriter.event("complete")

    package func makeAsyncIterator() -> Iterator {
        Iterator(responses: responses.makeAsyncIterator(), report: report)
    }

    package struct Iterator: AsyncIteratorProtocol {
        private var responses: SubscriptionResponses.AsyncIterator?
        private let report: @Sendable ([GraphQLError]) -> Void

        fileprivate init(
            responses: SubscriptionResponses.AsyncIterator, report: @escaping @Sendable ([GraphQLError]) -> Void
        ) {
            self.responses = responses
            self.report = report
        }

        /// Returns the next event; nil after the last event. An error of the source stream is the last response.
        @concurrent
        package mutating func next() async throws(CancellationError) -> ByteBuffer? {
            guard responses != nil else { return nil }
            do {
                if let response = try await responses?.next() {
                    if !response.errors.isEmpty { report(response.errors) }
                    return EventStreamWriter.event("next", data: response.body)
                }
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                responses = nil
                let error =
                    error as? GraphQLError
                    ?? GraphQLError("The subscription has ended with an error.", underlyingError: error)
                report([error])
                return GraphQLEvents.events(of: GraphQLResponse(requestErrors: [error]).coded().body)
            }
            responses = nil
            return GraphQLEvents.complete
        }
    }
}
