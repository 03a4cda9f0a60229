import DuetGraphQLHTTP
import DuetHTTPServer
import DuetResourceService
import NIOCore
import Synchronization

/// The live streams of an API. Each stream sends heartbeats, and ends when the server shuts down or
/// the API is replaced.
final class LiveStreams: Sendable {
    private struct State {
        var mailboxes: [Int: (mailbox: LiveMailbox, heartbeats: Heartbeats)] = [:]
        var lastNumber = 0
        var isDraining = false
        /// The task that delivers heartbeats; nil without streams.
        var beating: Task<Void, Never>?
    }

    /// The moments at which a stream receives heartbeats.
    enum Heartbeats: Sendable {
        /// Always, as a comment in a stream of events.
        case always(StreamedConnection)
        /// Only while the database cannot be reached.
        case whenUnavailable
        case never

        fileprivate var isEver: Bool { if case .never = self { false } else { true } }
    }

    private let state = Mutex(State())
    let queries: LiveQueries
    private let interval: Duration

    /// - Parameters:
    ///   - queries: The questions of the streams.
    ///   - interval: The time between heartbeats. One timer serves all streams.
    init(_ queries: LiveQueries, heartbeatInterval interval: Duration = .seconds(12)) {
        self.queries = queries
        self.interval = interval
    }

    /// The number of streams.
    var count: Int { state.withLock { $0.mailboxes.count } }

    /// Returns the bytes of a stream with the events of a read.
    /// - Parameter caller: The caller, with whose token the stream expires.
    func pieces(of events: LiveEvents, for caller: Caller?) -> LivePieces {
        LivePieces(self, caller, expired: EventStreamWriter.event("expired"), .read(events))
    }

    /// Returns the bytes of a stream with the events of a GraphQL operation.
    /// - Parameter caller: The caller, with whose token the stream expires.
    func pieces(of events: GraphQLEvents, for caller: Caller?) -> LivePieces {
        LivePieces(
            self, caller, expired: GraphQLEvents.end(GraphQLRequestError(BearerToken.expired)), .operation(events))
    }

    /// Ends all streams, and all that begin from now on.
    func drain() {
        let mailboxes = state.withLock { state in
            state.isDraining = true
            return state.mailboxes
        }
        for (mailbox, _) in mailboxes.values { mailbox.drain() }
    }

    /// Adds a stream, which must be removed at its end.
    func add(_ mailbox: LiveMailbox, heartbeats: Heartbeats) -> Int {
        let (number, isDraining) = state.withLock { state in
            state.lastNumber += 1
            state.mailboxes[state.lastNumber] = (mailbox, heartbeats)
            if heartbeats.isEver, state.beating == nil {
                // The task belongs to no request, so it does not inherit task-local values.
                state.beating = Task.detached { [weak self, interval] in
                    while !Task.isCancelled {
                        try? await Task.sleep(for: interval)
                        self?.beat()
                    }
                }
            }
            return (state.lastNumber, state.isDraining)
        }
        if isDraining { mailbox.drain() }
        return number
    }

    func remove(_ number: Int) {
        let beating = state.withLock { state -> Task<Void, Never>? in
            state.mailboxes[number] = nil
            return state.mailboxes.isEmpty ? state.beating.take() : nil
        }
        beating?.cancel()
    }

    private func beat() {
        let isUnavailable = queries.isDatabaseUnavailable
        var connections: [StreamedConnection] = []
        for (mailbox, heartbeats) in state.withLock({ $0.mailboxes }).values {
            switch heartbeats {
            case .always(let connection): connections.append(connection)
            case .whenUnavailable where isUnavailable: mailbox.beat()
            case .whenUnavailable, .never: break
            }
        }
        StreamedConnection.send(
            isUnavailable ? EventStreamWriter.comment("The database cannot be reached.") : EventStreamWriter.comment,
            to: connections)
    }
}

/// The bytes of a live stream. The sequence has one consumer, which must send each element at once.
struct LivePieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private let streams: LiveStreams
    private let caller: Caller?
    private let expired: ByteBuffer
    private let source: Source

    /// The events of a stream.
    fileprivate enum Source {
        case read(LiveEvents)
        case operation(GraphQLEvents)
    }

    fileprivate init(_ streams: LiveStreams, _ caller: Caller?, expired: ByteBuffer, _ source: Source) {
        self.streams = streams
        self.caller = caller
        self.expired = expired
        self.source = source
    }

    func makeAsyncIterator() -> Iterator {
        let subscription = Subscription(streams, caller, source)
        guard case .read(let events) = source else { return Iterator(subscription, expired: expired) }
        return Iterator(subscription, expired: expired, events: events.makeAsyncIterator())
    }

    /// The mailbox of a stream, and the task that creates the events of an operation. Both end when the object is
    /// released.
    ///
    /// The events of a read need no task: the task that sends them waits for them, and the end of the stream ends them.
    fileprivate final class Subscription: Sendable {
        let mailbox: LiveMailbox
        private let streams: LiveStreams
        private let number: Int
        private let producing: Task<Void, Never>?
        private let expiry: Task<Void, Never>?

        init(_ streams: LiveStreams, _ caller: Caller?, _ source: Source) {
            self.streams = streams
            let mailbox: LiveMailbox
            switch source {
            case .read(let events):
                mailbox = LiveMailbox { events.end() }
                producing = nil
            case .operation(let events):
                mailbox = LiveMailbox()
                producing = Task {
                    do {
                        for try await event in events { await mailbox.put(event) }
                        await mailbox.end()
                    } catch {
                        await mailbox.end(error)
                    }
                }
            }
            self.mailbox = mailbox
            let connection = StreamedConnection.current
            assert(connection != nil, "a stream without heartbeats")
            number = streams.add(mailbox, heartbeats: connection.map { .always($0) } ?? .never)
            expiry = caller?.expiry { mailbox.expire() }
        }

        deinit {
            producing?.cancel()
            expiry?.cancel()
            mailbox.close()
            streams.remove(number)
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        private let subscription: Subscription
        private let expired: ByteBuffer
        /// The events of a read; nil for an operation, whose events are in the mailbox.
        private var events: LiveEvents.Iterator?
        private var hasEnded = false

        /// The times in milliseconds after which clients connect again after the end of their streams. Different times
        /// spread the return of many clients.
        private static var reconnectionTimes: ClosedRange<Int> { 500...5000 }

        fileprivate init(_ subscription: Subscription, expired: ByteBuffer, events: LiveEvents.Iterator? = nil) {
            self.subscription = subscription
            self.expired = expired
            self.events = events
        }

        /// Returns the next bytes; nil at the end.
        mutating func next() async throws -> ByteBuffer? {
            guard !hasEnded else { return nil }
            switch events == nil ? await subscription.mailbox.next() : await nextOfRead() {
            case .event(let event): return event
            case .heartbeat:
                // Only WebSocket connections receive heartbeats in their mailboxes.
                return EventStreamWriter.comment
            case .expired:
                hasEnded = true
                return expired
            case .drain:
                hasEnded = true
                return EventStreamWriter.retry(milliseconds: .random(in: Self.reconnectionTimes))
            case .end(nil): return nil
            case .end(let error?): throw error
            }
        }

        private mutating func nextOfRead() async -> LiveMailbox.Item {
            let item: LiveMailbox.Item
            do {
                item = try await events?.next().map { .event($0) } ?? .end(nil)
            } catch {
                item = .end(error)
            }
            return subscription.mailbox.last ?? item
        }
    }
}
