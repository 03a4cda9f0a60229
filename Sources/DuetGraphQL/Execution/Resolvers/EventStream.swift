/// The source stream of a subscription (specification, section 6.2.3.1): the values of its root field.
@usableFromInline
struct EventStream: Sendable {
    let makeIterator: @Sendable () -> @concurrent () async throws -> ResolvedValue?

    init<Events: AsyncSequence & Sendable>(_ events: Events) where Events.Element: ResolvedValueConvertible {
        makeIterator = {
            var iterator = events.makeAsyncIterator()
            return { @concurrent in try await iterator.next()?.resolvedValue }
        }
    }
}
