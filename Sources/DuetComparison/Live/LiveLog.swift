import DuetJSON
import Synchronization

/// The answers that the ways have received, with the times of their complete arrival.
final class LiveLog: Sendable {
    private struct State {
        var arrivals: [LiveWay: [ShownChanges.Moment]] = [:]
        var failures: [LiveWay: any Error] = [:]
    }

    private let state = Mutex(State())
    private let (events, event) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    func add(_ arrival: ShownChanges.Moment, _ way: LiveWay) {
        state.withLock { $0.arrivals[way, default: []].append(arrival) }
        event.yield()
    }

    /// Registers that a way has ended because of an error.
    func fail(_ way: LiveWay, _ error: any Error) {
        state.withLock { $0.failures[way] = error }
        event.yield()
    }

    func arrivals(_ way: LiveWay) -> [ShownChanges.Moment] { state.withLock { $0.arrivals[way] ?? [] } }

    func failure(_ way: LiveWay) -> (any Error)? { state.withLock { $0.failures[way] } }

    /// Waits until all ways that have not failed show a state. Only one task may wait.
    /// - Throws: `CancellationError` if the task is canceled.
    func wait(for shown: JSONValue, in ways: [LiveWay]) async throws {
        func isComplete() -> Bool {
            state.withLock { state in
                ways.allSatisfy { state.failures[$0] != nil || state.arrivals[$0]?.last?.state == shown }
            }
        }
        guard !isComplete() else { return }
        for await _ in events where isComplete() { return }
        throw CancellationError()
    }
}
