/// The source stream of a subscription (specification, section 6.2.3.1): the values of its root field, or the sources
/// of its subtree resolver as objects.
@usableFromInline
struct EventStream: Sendable {
    let makeIterator: @Sendable () -> @concurrent () async throws -> ResolvedValue?

    init<Events: AsyncSequence & Sendable>(_ events: Events) where Events.Element: ResolvedValueConvertible {
        makeIterator = {
            var iterator = events.makeAsyncIterator()
            return { @concurrent in try await iterator.next()?.resolvedValue }
        }
    }

    /// Creates a stream of sources for a subtree resolver.
    init<Events: AsyncSequence & Sendable>(sources events: Events) where Events.Element: Sendable {
        makeIterator = {
            var iterator = events.makeAsyncIterator()
            return { @concurrent in try await iterator.next().map { ResolvedValue.object($0) } }
        }
    }
}
