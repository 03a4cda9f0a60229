import Synchronization

/// Sends equal idempotent requests that are made at the same time once, and gives its response to all of them.
///
/// Requests are equal if method, address, all header fields, body and timeout are: a request of another user is another request.
/// Cancelling one caller's task leaves the others waiting; the request is cancelled with the last of them.
public final class CoalescingTransport: HTTPTransport {
    private typealias Outcome = Result<WholeResponse, TransportError>

    /// A request that is under way, and those who wait for it.
    private struct Flight {
        let number: Int
        let task: Task<Void, Never>
        var waiters: [Int: CheckedContinuation<Outcome, Never>]
    }

    private struct State {
        var flights: [TransportRequest: Flight] = [:]
        /// Callers that were cancelled before they began to wait.
        var gone: Set<Int> = []
        var nextNumber = 0

        mutating func makeNumber() -> Int {
            nextNumber += 1
            return nextNumber
        }
    }

    private let base: any HTTPTransport
    private let limit: Int
    private let joined: @Sendable (Int) -> Void
    private let state = Mutex(State())

    /// A transport that sends by another.
    /// - Parameter limit: the maximum number of bytes of a body. It is received as a whole, because its readers are several.
    public convenience init(_ base: any HTTPTransport, limit: Int = 64 << 20) {
        self.init(base, limit: limit) { _ in }
    }

    /// - Parameter joined: is called when a request begins to wait, with the number of those that wait together.
    init(_ base: any HTTPTransport, limit: Int, joined: @escaping @Sendable (Int) -> Void) {
        self.base = base
        self.limit = limit
        self.joined = joined
    }

    /// True if nobody waits and nothing is remembered.
    var isIdle: Bool { state.withLock { $0.flights.isEmpty && $0.gone.isEmpty } }

    /// Sends a request, or waits for the response to an equal one. An idempotent request has its response when the whole body is there.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.isIdempotent else { return try await base.send(request) }
        let caller = state.withLock { $0.makeNumber() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { join(request, caller, $0) }
        } onCancel: {
            leave(request, caller)
        }
        state.withLock { _ = $0.gone.remove(caller) }
        return try outcome.get().response
    }

    private func join(_ request: TransportRequest, _ caller: Int, _ continuation: CheckedContinuation<Outcome, Never>) {
        let count = state.withLock { state -> Int in
            guard !state.gone.contains(caller) else { return 0 }
            if state.flights[request] == nil {
                let number = state.makeNumber()
                state.flights[request] = Flight(number: number, task: start(request, number), waiters: [:])
            }
            state.flights[request]?.waiters[caller] = continuation
            return state.flights[request]?.waiters.count ?? 0
        }
        if count == 0 { continuation.resume(returning: .failure(TransportError(.cancelled))) } else { joined(count) }
    }

    private func leave(_ request: TransportRequest, _ caller: Int) {
        let (continuation, task) = state.withLock {
            state -> (CheckedContinuation<Outcome, Never>?, Task<Void, Never>?) in
            guard let continuation = state.flights[request]?.waiters.removeValue(forKey: caller) else {
                state.gone.insert(caller)
                return (nil, nil)
            }
            guard state.flights[request]?.waiters.isEmpty == true else { return (continuation, nil) }
            return (continuation, state.flights.removeValue(forKey: request)?.task)
        }
        task?.cancel()
        continuation?.resume(returning: .failure(TransportError(.cancelled)))
    }

    private func start(_ request: TransportRequest, _ number: Int) -> Task<Void, Never> {
        Task {
            let outcome: Outcome
            do throws(TransportError) {
                outcome = .success(try await WholeResponse(of: request, by: base, limit: limit))
            } catch {
                outcome = .failure(error)
            }
            let waiters = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
                // Another one if all who waited for this one have left.
                guard let flight = state.flights[request], flight.number == number else { return [] }
                state.flights[request] = nil
                return Array(flight.waiters.values)
            }
            for waiter in waiters { waiter.resume(returning: outcome) }
        }
    }
}
