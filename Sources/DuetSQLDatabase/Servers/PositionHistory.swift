import DequeModule

/// The positions of a primary at the moments of the checks, from which the lag of a replica follows.
struct PositionHistory {
    private var samples: Deque<(position: DatabasePosition, time: ContinuousClock.Instant)> = []

    /// The maximum number of samples. If it is exceeded, the lag of a replica that has reached none of them is unknown.
    private static let maximumSamples = 600

    /// True if the position of the primary has never been read.
    var isEmpty: Bool { samples.isEmpty }

    /// The position of the primary at the last check that has read it.
    var last: DatabasePosition? { samples.last?.position }

    /// Adds the position of the primary at a moment.
    mutating func add(_ position: DatabasePosition, at time: ContinuousClock.Instant) {
        // The age of an unchanged position is the time since it was read for the first time.
        guard position != samples.last?.position else { return }
        if samples.count >= Self.maximumSamples { samples.removeFirst() }
        samples.append((position, time))
    }

    /// Returns the lag of a replica: the age of the oldest position that the replica has not reached.
    /// - Returns: Nil if the replica has reached no position, so that it could have stopped at any earlier time.
    func lag(of replica: DatabasePosition, at time: ContinuousClock.Instant) -> Duration? {
        guard let index = samples.firstIndex(where: { !replica.reaches($0.position) }) else { return .zero }
        return index == samples.startIndex ? nil : samples[index].time.duration(to: time)
    }
}
