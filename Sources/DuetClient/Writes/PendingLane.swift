import Synchronization

/// The calls and resumptions that send the writes of an owner in a style. Only one of them sends at a time, in the
/// order of their reservations.
struct PendingLane: Sendable, Hashable {
    let owner: String
    let style: PendingWrite.Style

    init(owner: String, style: PendingWrite.Style) {
        self.owner = owner
        self.style = style
    }

    init(_ write: PendingWrite) { self.init(owner: write.owner, style: write.style) }
}

/// The lanes of a ``PendingWrites``.
final class PendingLanes: Sendable {
    /// A place in the order of a lane. Its owner must call ``PendingLanes/leave(_:)``, unless
    /// ``PendingLanes/enter(_:)`` has returned false.
    struct Place: Sendable, Hashable {
        let lane: PendingLane
        fileprivate let number: Int
    }

    private struct State {
        var lastNumber = 0
        /// The places of each lane in order. The first place has the lane.
        var queues: [PendingLane: [Place]] = [:]
        var waiting: [Place: CheckedContinuation<Bool, Never>] = [:]

        /// Removes a place.
        /// - Returns: The task to resume, because its place now has the lane.
        mutating func remove(_ place: Place) -> CheckedContinuation<Bool, Never>? {
            var queue = queues[place.lane] ?? []
            queue.removeAll { $0 == place }
            queues[place.lane] = queue.isEmpty ? nil : queue
            return queue.first.flatMap { waiting.removeValue(forKey: $0) }
        }
    }

    private let state = Mutex(State())

    /// Adds a place after all others.
    func reserve(_ lane: PendingLane) -> Place {
        state.withLock { state in
            state.lastNumber += 1
            let place = Place(lane: lane, number: state.lastNumber)
            state.queues[lane, default: []].append(place)
            return place
        }
    }

    /// Returns true if a lane has no place.
    func isIdle(_ lane: PendingLane) -> Bool { state.withLock { $0.queues[lane] == nil } }

    /// Waits until a place is the first one.
    /// - Returns: False if the task was canceled before. The place is then removed.
    func enter(_ place: Place) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isFirst, next) = state.withLock { state -> (Bool?, CheckedContinuation<Bool, Never>?) in
                    // If the task is canceled after this check, the handler below finds the continuation.
                    if Task.isCancelled { return (false, state.remove(place)) }
                    if state.queues[place.lane]?.first == place { return (true, nil) }
                    state.waiting[place] = continuation
                    return (nil, nil)
                }
                next?.resume(returning: true)
                if let isFirst { continuation.resume(returning: isFirst) }
            }
        } onCancel: {
            let canceled = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: place)
                // A place that waits is not the first, so no other task has to be resumed.
                if continuation != nil { _ = state.remove(place) }
                return continuation
            }
            canceled?.resume(returning: false)
        }
    }

    /// Removes a place, so that the next one has the lane.
    func leave(_ place: Place) {
        let next = state.withLock { $0.remove(place) }
        next?.resume(returning: true)
    }
}
