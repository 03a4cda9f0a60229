import NIOCore

/// The unfinished handshakes of the connections of an event loop. If there are too many, the oldest one is ended: a
/// client that means to use the connection completes its handshake within a few round trips, so the oldest handshake is
/// most likely one of a client that does not.
final class HandshakeQueue {
    /// A handshake.
    final class Entry {
        /// Ends the connection; nil after the end of the handshake.
        fileprivate var abort: (() -> Void)?

        fileprivate init(_ abort: @escaping () -> Void) { self.abort = abort }
    }

    private let maximumCount: Int
    private var count = 0
    /// The handshakes in the order of their beginnings, and some that have ended.
    private var entries = CircularBuffer<Entry>()

    /// - Parameter maximumCount: The maximum number of unfinished handshakes.
    init(maximumCount: Int) { self.maximumCount = maximumCount }

    /// Handles the beginning of a handshake.
    /// - Parameter abort: Ends the connection.
    func begin(abort: @escaping () -> Void) -> Entry {
        let entry = Entry(abort)
        self.entries.append(entry)
        self.count += 1
        while self.count > self.maximumCount, let oldest = self.entries.popFirst() {
            let abort = oldest.abort
            self.end(oldest)
            abort?()
        }
        return entry
    }

    /// Handles the end of a handshake.
    func end(_ entry: Entry) {
        guard entry.abort != nil else { return }
        entry.abort = nil
        self.count -= 1
        while let first = self.entries.first, first.abort == nil { self.entries.removeFirst() }
        // Ended handshakes behind an unfinished one.
        if self.entries.count > 2 * self.maximumCount { self.entries.removeAll { $0.abort == nil } }
    }
}

@available(*, unavailable)
extension HandshakeQueue: Sendable {}
