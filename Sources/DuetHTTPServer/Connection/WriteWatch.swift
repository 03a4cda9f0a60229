import NIOCore

/// Watches whether a client accepts the bytes that are written to it: ``RequestLimits/minimumWriteProgress`` bytes
/// within each ``RequestLimits/writeTimeout``, as long as bytes are unwritten.
struct WriteWatch {
    private let limits: RequestLimits
    /// The time at which the progress is checked; `nil` while nothing is watched.
    private(set) var deadline: NIODeadline?
    /// The number of unwritten bytes when ``deadline`` was set.
    private var bytesAtDeadline = 0

    init(limits: RequestLimits) { self.limits = limits }

    /// Handles a change of the space in the channel's buffer.
    /// - Parameters:
    ///   - isLastFlush: True during the last flush. Then no further write makes the channel unwritable, so the deadline
    ///     would not be set again.
    ///   - bufferedBytes: The number of unwritten bytes.
    mutating func writabilityChanged(
        _ isWritable: Bool, isLastFlush: Bool, bufferedBytes: Int, now: NIODeadline
    ) {
        if !isWritable {
            if self.deadline == nil { self.set(bufferedBytes, now) }
        } else if !isLastFlush {
            self.end()
        }
    }

    /// Begins to watch, unless nothing is unwritten or the watch has already begun.
    mutating func begin(bufferedBytes: Int, now: NIODeadline) {
        guard bufferedBytes > 0, self.deadline == nil else { return }
        self.set(bufferedBytes, now)
    }

    private mutating func set(_ bufferedBytes: Int, _ now: NIODeadline) {
        self.bytesAtDeadline = bufferedBytes
        self.deadline = now + self.limits.writeTimeout
    }

    mutating func end() { self.deadline = nil }

    /// Checks the progress if the deadline has been reached.
    /// - Returns: True if the client has accepted too few bytes.
    mutating func isStalled(bufferedBytes: Int, now: NIODeadline) -> Bool {
        guard let deadline, now >= deadline else { return false }
        guard self.limits.hasAccepted(bufferedBytes, since: self.bytesAtDeadline) else { return true }
        self.end()
        self.begin(bufferedBytes: bufferedBytes, now: now)
        return false
    }
}

extension RequestLimits {
    /// Returns true if a client has accepted all bytes, or enough of them.
    /// - Parameters:
    ///   - bufferedBytes: The number of unwritten bytes.
    ///   - earlier: The number of unwritten bytes at the beginning of the time.
    func hasAccepted(_ bufferedBytes: Int, since earlier: Int) -> Bool {
        bufferedBytes == 0 || bufferedBytes <= earlier - self.minimumWriteProgress
    }
}
