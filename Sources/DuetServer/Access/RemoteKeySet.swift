package import DuetTokens
import ServiceLifecycle
import Synchronization

/// The keys of an issuer at a URL. The service fetches them at its start, and again when they expire or a token names a
/// key that they lack. When a request fails, the last keys stay.
package final class RemoteKeySet: TokenKeySource, Service {
    /// An event of a key set.
    package enum Observation: Sendable {
        /// A new set was received. The warnings name the keys that are skipped.
        case changed(address: String, keys: Int, warnings: [String])
        /// A request failed. `hasKeys` is true if there are earlier keys.
        case failed(address: String, reason: String, hasKeys: Bool)
    }

    private struct State {
        var schedule = KeyRefreshSchedule()
        var keys: JSONWebKeySet?
        /// The text of the keys, to find out if a response has the same set.
        var bytes: [UInt8] = []
        var failure: String?
        /// The request in progress.
        var request: Task<Void, Never>?
    }

    /// The functions by which a set reaches the world. Tests replace them.
    struct World: Sendable {
        /// The time since any fixed instant.
        var now: @Sendable () -> Duration
        var sleep: @Sendable (Duration) async throws -> Void
        var fetch: @Sendable () async throws -> KeySetRequest.Answer

        init(
            now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
            fetch: @escaping @Sendable () async throws -> KeySetRequest.Answer
        ) {
            self.now = now
            self.sleep = sleep
            self.fetch = fetch
        }

        init(_ request: KeySetRequest) {
            let start = ContinuousClock.now
            self.init(
                now: { ContinuousClock.now - start }, sleep: { try await Task.sleep(for: $0) },
                fetch: { try await request.send() })
        }
    }

    private let address: KeySetAddress
    private let others: JSONWebKeySet?
    private let observe: @Sendable (Observation) -> Void
    private let world: World
    private let state = Mutex(State())

    /// Creates a set without keys. ``run()`` fetches them.
    /// - Parameters:
    ///   - others: Keys that are used in addition to those of the URL, such as a secret.
    package convenience init(
        _ address: KeySetAddress, adding others: JSONWebKeySet? = nil,
        observe: @escaping @Sendable (Observation) -> Void
    ) {
        self.init(address, adding: others, world: World(KeySetRequest(address: address)), observe: observe)
    }

    init(
        _ address: KeySetAddress, adding others: JSONWebKeySet? = nil, world: World,
        observe: @escaping @Sendable (Observation) -> Void = { _ in }
    ) {
        self.address = address
        self.others = others
        self.world = world
        self.observe = observe
    }

    /// The reason for which there are no keys yet, as a sentence for the operator; nil if there are keys.
    package var problem: String? {
        state.withLock { state in
            guard state.keys == nil else { return nil }
            let reason = state.failure ?? "the first request has not ended"
            return "the token keys could not be fetched from \(address): \(reason)"
        }
    }

    /// Returns the current keys; nil before the first successful request. If they lack a key, the set is fetched again,
    /// at most every ten seconds.
    package func keys(knowing keyID: String?) async -> JSONWebKeySet? {
        if keyID != nil {
            let request = state.withLock { state -> Task<Void, Never>? in
                if let request = state.request { return request }
                guard state.keys != nil, state.schedule.beginForUnknownKey(at: world.now()) else { return nil }
                return begin(&state)
            }
            await request?.value
        }
        return state.withLock(\.keys)
    }

    /// Fetches the keys when they are due, until the process shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let (request, delay) = self.state.withLock { state -> (Task<Void, Never>?, Duration) in
                    let now = self.world.now()
                    if let request = state.request { return (request, .zero) }
                    if state.schedule.beginIfDue(at: now) { return (self.begin(&state), .zero) }
                    return (nil, state.schedule.delay(at: now))
                }
                if let request {
                    await withTaskCancellationHandler(
                        operation: { await request.value }, onCancel: { request.cancel() })
                } else {
                    try? await self.world.sleep(delay)
                }
            }
        }
    }

    /// Starts a request, whose result all waiting tasks share.
    private func begin(_ state: inout State) -> Task<Void, Never> {
        let request = Task { await self.fetch() }
        state.request = request
        return request
    }

    private func fetch() async {
        let result: Result<(keys: JSONWebKeySet, answer: KeySetRequest.Answer), any Error>
        do {
            let answer = try await world.fetch()
            result = .success((try JSONWebKeySet(reading: answer.bytes), answer))
        } catch {
            result = .failure(error)
        }
        let observation = state.withLock { finish(&$0, result) }
        // A request that the shutdown has cancelled is no failure.
        if let observation, !Task.isCancelled { observe(observation) }
    }

    private func finish(
        _ state: inout State, _ result: Result<(keys: JSONWebKeySet, answer: KeySetRequest.Answer), any Error>
    ) -> Observation? {
        state.request = nil
        switch result {
        case .success(let (keys, answer)):
            state.schedule.succeed(lifetime: answer.lifetime, at: world.now())
            state.failure = nil
            guard state.keys == nil || state.bytes != answer.bytes else { return nil }
            state.bytes = answer.bytes
            let all = others.map { keys.adding($0) } ?? keys
            state.keys = all
            return .changed(address: "\(address)", keys: all.count, warnings: all.warnings)
        case .failure(let error):
            let hasKeys = state.keys != nil
            state.schedule.fail(hasKeys: hasKeys, at: world.now())
            let reason = OutgoingRequest.reason(of: error)
            state.failure = reason
            return .failed(address: "\(address)", reason: reason, hasKeys: hasKeys)
        }
    }
}
