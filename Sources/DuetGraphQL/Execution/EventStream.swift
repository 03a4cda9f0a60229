/// The source stream of a subscription (specification, section 6.2.3): the values of its root field.
public struct EventStream: Sendable {
    let makeIterator: @Sendable () -> @concurrent () async throws -> ResolvedValue?

    /// The results of a function for the elements of a sequence. The task that reads the responses iterates the sequence, so its
    /// cancellation reaches the sequence.
    public init<Events: AsyncSequence & Sendable>(
        _ events: Events, _ transform: @escaping @Sendable (Events.Element) throws -> ResolvedValue
    ) {
        makeIterator = {
            var iterator = events.makeAsyncIterator()
            return { @concurrent in try await iterator.next().map(transform) }
        }
    }
}
