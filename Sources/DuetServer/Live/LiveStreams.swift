import DuetGraphQLHTTP
import DuetResourceService
import NIOCore
import Synchronization

/// The live streams of an API. A stream sends a heartbeat if no event occurs, and ends when the server shuts down or
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
    enum Heartbeats {
        case always
        /// Only while the database cannot be reached.
        case whenUnavailable
        case never
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

    /// Returns the bytes of a stream.
    /// - Parameters:
    ///   - events: The events as bytes.
    ///   - caller: The caller, with whose token the stream expires.
    ///   - expired: The last event if the token expires.
    func pieces<Events: AsyncSequence & Sendable>(
        of events: Events, for caller: Caller?, expired: ByteBuffer
    ) -> LivePieces where Events.Element == ByteBuffer {
        LivePieces(self, caller, expired) { mailbox in
            do {
                for try await event in events { await mailbox.put(event) }
                await mailbox.end()
            } catch {
                await mailbox.end(error)
            }
        }
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
            if heartbeats != .never, state.beating == nil {
                state.beating = Task { [weak self, interval] in
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
        let mailboxes = state.withLock { $0.mailboxes }
        for (mailbox, heartbeats) in mailboxes.values {
            guard heartbeats == .always || heartbeats == .whenUnavailable && isUnavailable else { continue }
            mailbox.beat(isDatabaseUnavailable: isUnavailable)
        }
    }
}

/// The bytes of a live stream. The sequence has one consumer, which must send each element at once.
struct LivePieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private let streams: LiveStreams
    private let caller: Caller?
    private let expired: ByteBuffer
    private let produce: @Sendable (LiveMailbox) async -> Void

    fileprivate init(
        _ streams: LiveStreams, _ caller: Caller?, _ expired: ByteBuffer,
        _ produce: @escaping @Sendable (LiveMailbox) async -> Void
    ) {
        self.streams = streams
        self.caller = caller
        self.expired = expired
        self.produce = produce
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(subscription: Subscription(streams, caller, produce), expired: expired)
    }

    /// The mailbox of a stream and the task that creates the events. Both end when the object is released.
    fileprivate final class Subscription: Sendable {
        let mailbox = LiveMailbox()
        private let streams: LiveStreams
        private let number: Int
        private let producing: Task<Void, Never>
        private let expiry: Task<Void, Never>?

        init(
            _ streams: LiveStreams, _ caller: Caller?, _ produce: @escaping @Sendable (LiveMailbox) async -> Void
        ) {
            self.streams = streams
            let mailbox = mailbox
            number = streams.add(mailbox, heartbeats: .always)
            producing = Task { await produce(mailbox) }
            expiry = caller?.expiry { mailbox.expire() }
        }

        deinit {
            producing.cancel()
            expiry?.cancel()
            mailbox.close()
            streams.remove(number)
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription
        private let expired: ByteBuffer
        private var hasEnded = false

        /// The times in milliseconds after which clients connect again after the end of their streams. Different times
        /// spread the return of many clients.
        private static var reconnectionTimes: ClosedRange<Int> { 500...5000 }

        fileprivate init(subscription: Subscription, expired: ByteBuffer) {
            self.subscription = subscription
            self.expired = expired
        }

        /// Returns the next bytes; nil at the end.
        mutating func next() async throws -> ByteBuffer? {
            guard !hasEnded else { return nil }
            switch await subscription.mailbox.next() {
            case .event(let event): return event
            case .heartbeat(isDatabaseUnavailable: false): return EventStreamWriter.comment
            case .heartbeat(isDatabaseUnavailable: true):
                return EventStreamWriter.comment("The database cannot be reached.")
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
    }
}
