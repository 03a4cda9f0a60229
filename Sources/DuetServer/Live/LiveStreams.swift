import DuetGraphQLHTTP
import DuetHTTPServer
import DuetResourceService
import NIOCore
import Synchronization

/// The live streams of an API. Each stream sends heartbeats, and ends when the server shuts down or
/// the API is replaced.
final class LiveStreams: Sendable {
    private struct State {
        var streams: [Int: (signals: LiveSignals, heartbeats: Heartbeats)] = [:]
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
    var count: Int { state.withLock { $0.streams.count } }

    /// Returns the bytes of a stream with the events of a read.
    /// - Parameter caller: The caller, with whose token the stream expires.
    func pieces(of events: LiveEvents, for caller: Caller?) -> LivePieces<LiveEvents> {
        LivePieces(self, caller, expired: EventStreamWriter.event("expired"), events)
    }

    /// Returns the bytes of a stream with the events of a GraphQL operation.
    /// - Parameter caller: The caller, with whose token the stream expires.
    func pieces(of events: GraphQLEvents, for caller: Caller?) -> LivePieces<GraphQLEvents> {
        LivePieces(
            self, caller, expired: GraphQLEvents.end(GraphQLRequestError(BearerToken.expired)), events)
    }

    /// Ends all streams, and all that begin from now on.
    func drain() {
        let streams = state.withLock { state in
            state.isDraining = true
            return state.streams
        }
        for (signals, _) in streams.values { signals.drain() }
    }

    /// Adds a stream, which must be removed at its end.
    func add(_ signals: LiveSignals, heartbeats: Heartbeats) -> Int {
        let (number, isDraining) = state.withLock { state in
            state.lastNumber += 1
            state.streams[state.lastNumber] = (signals, heartbeats)
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
        if isDraining { signals.drain() }
        return number
    }

    func remove(_ number: Int) {
        let beating = state.withLock { state -> Task<Void, Never>? in
            state.streams[number] = nil
            return state.streams.isEmpty ? state.beating.take() : nil
        }
        beating?.cancel()
    }

    private func beat() {
        let isUnavailable = queries.isDatabaseUnavailable
        var connections: [StreamedConnection] = []
        for (signals, heartbeats) in state.withLock({ $0.streams }).values {
            switch heartbeats {
            case .always(let connection): connections.append(connection)
            case .whenUnavailable where isUnavailable: signals.beat()
            case .whenUnavailable, .never: break
            }
        }
        StreamedConnection.send(
            isUnavailable ? EventStreamWriter.comment("The database cannot be reached.") : EventStreamWriter.comment,
            to: connections)
    }
}

/// The bytes of a live stream. The sequence has one consumer, which must send each element at once.
struct LivePieces<Events: AsyncSequence & Sendable>: AsyncSequence, Sendable where Events.Element == ByteBuffer {
    typealias Element = ByteBuffer

    private let streams: LiveStreams
    private let caller: Caller?
    private let expired: ByteBuffer
    private let events: Events

    fileprivate init(_ streams: LiveStreams, _ caller: Caller?, expired: ByteBuffer, _ events: Events) {
        self.streams = streams
        self.caller = caller
        self.expired = expired
        self.events = events
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(LiveSubscription(streams, caller), expired: expired, events: events.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        private let subscription: LiveSubscription
        private let expired: ByteBuffer
        private var events: Events.AsyncIterator
        private var hasEnded = false

        /// The times in milliseconds after which clients connect again after the end of their streams. Different times
        /// spread the return of many clients.
        private static var reconnectionTimes: ClosedRange<Int> { 500...5000 }

        fileprivate init(_ subscription: LiveSubscription, expired: ByteBuffer, events: Events.AsyncIterator) {
            self.subscription = subscription
            self.expired = expired
            self.events = events
        }

        /// Returns the next bytes; nil at the end.
        mutating func next() async throws -> ByteBuffer? {
            guard !hasEnded else { return nil }
            do {
                let event = subscription.end == nil ? try await events.next(isolation: #isolation) : nil
                if subscription.end == nil { return event }
            } catch {
                if subscription.end == nil { throw error }
            }
            hasEnded = true
            if case .expired = subscription.end { return expired }
            return EventStreamWriter.retry(milliseconds: .random(in: Self.reconnectionTimes))
        }
    }
}

/// A stream of events in ``LiveStreams``, until the object is released.
private final class LiveSubscription: Sendable {
    private let streams: LiveStreams
    private let signals: LiveSignals
    private let number: Int
    private let expiry: Task<Void, Never>?

    init(_ streams: LiveStreams, _ caller: Caller?) {
        self.streams = streams
        let connection = StreamedConnection.current
        assert(connection != nil, "a stream without heartbeats")
        let signals = LiveSignals { connection?.cancel() }
        self.signals = signals
        number = streams.add(signals, heartbeats: connection.map { .always($0) } ?? .never)
        expiry = caller?.expiry { signals.expire() }
    }

    deinit {
        expiry?.cancel()
        streams.remove(number)
    }

    /// The reason for which the stream must end before its events; nil otherwise. The task that waits for an event is
    /// then canceled.
    var end: LiveSignals.Signal? { signals.last }
}
