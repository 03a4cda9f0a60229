import DuetGraphQLHTTP
import NIOCore
import Synchronization

/// The live streams of a server. A stream sends a heartbeat if no event occurs, and ends when the server shuts down.
final class LiveStreams: Sendable {
    private struct State {
        var mailboxes: [Int: LiveMailbox] = [:]
        var lastNumber = 0
        var isDraining = false
        /// The task that delivers heartbeats; nil without streams.
        var beating: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let interval: Duration

    /// - Parameter interval: The time between heartbeats. One timer serves all streams.
    init(heartbeatInterval interval: Duration = .seconds(12)) { self.interval = interval }

    /// The number of streams.
    var count: Int { state.withLock { $0.mailboxes.count } }

    /// Returns the bytes of a stream.
    /// - Parameters:
    ///   - events: The events as bytes.
    ///   - caller: The caller, with whose token the stream expires.
    func pieces<Events: AsyncSequence & Sendable>(of events: Events, for caller: Caller?) -> LivePieces
    where Events.Element == ByteBuffer {
        LivePieces(self, caller) { mailbox in
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
        state.withLock { $0.isDraining = true }
        end()
    }

    /// Ends all streams.
    func end() {
        let mailboxes = state.withLock { $0.mailboxes }
        for mailbox in mailboxes.values { mailbox.drain() }
    }

    /// Adds a stream, which must be removed at its end.
    func add(_ mailbox: LiveMailbox) -> Int {
        let (number, isDraining) = state.withLock { state in
            state.lastNumber += 1
            state.mailboxes[state.lastNumber] = mailbox
            if state.beating == nil {
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
        let mailboxes = state.withLock { $0.mailboxes }
        for mailbox in mailboxes.values { mailbox.beat() }
    }
}

/// The bytes of a live stream. The sequence has one consumer, which must send each element at once.
struct LivePieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private let streams: LiveStreams
    private let caller: Caller?
    private let produce: @Sendable (LiveMailbox) async -> Void

    fileprivate init(
        _ streams: LiveStreams, _ caller: Caller?, _ produce: @escaping @Sendable (LiveMailbox) async -> Void
    ) {
        self.streams = streams
        self.caller = caller
        self.produce = produce
    }

    func makeAsyncIterator() -> Iterator { Iterator(subscription: Subscription(streams, caller, produce)) }

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
            number = streams.add(mailbox)
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
        private var hasExpired = false

        fileprivate init(subscription: Subscription) { self.subscription = subscription }

        /// Returns the next bytes; nil at the end.
        mutating func next() async throws -> ByteBuffer? {
            guard !hasExpired else { return nil }
            switch await subscription.mailbox.next() {
            case .event(let event): return event
            case .heartbeat: return EventStreamWriter.comment
            case .expired:
                hasExpired = true
                return EventStreamWriter.event("expired")
            case .drain: return nil
            case .end(nil): return nil
            case .end(let error?): throw error
            }
        }
    }
}
