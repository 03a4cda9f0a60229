/// The events of a subscription: values of its root field, one after the other.
public struct EventStream: Sendable {
    let makeIterator: @Sendable () -> @concurrent () async throws -> ResolvedValue?

    /// What a function makes of each element of a sequence. The sequence is cancelled with the task that reads the responses.
    public init<Events: AsyncSequence & Sendable>(
        _ events: Events, _ transform: @escaping @Sendable (Events.Element) throws -> ResolvedValue
    ) {
        makeIterator = {
            var iterator = events.makeAsyncIterator()
            return { @concurrent in try await iterator.next().map(transform) }
        }
    }
}
