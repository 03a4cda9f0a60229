import Synchronization

/// Counts the write transactions of this process: what a database holds is as old as the last of them, if nobody else writes to it.
final class WriteCounter: Sendable {
    private let begun = Atomic<Int>(0)
    private let ended = Atomic<Int>(0)
    /// Until when the server may still commit what it was sent before a connection was lost; 0 if none was.
    private let doubtEnds = Atomic<UInt64>(0)

    /// Seconds after which a server has either committed what it was sent or never will.
    private static let doubt: Duration = .seconds(60)

    /// Runs a write transaction.
    func counting(_ write: () throws -> Void) throws {
        begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
        defer { ended.wrappingAdd(1, ordering: .sequentiallyConsistent) }
        do {
            try write()
        } catch let error as DatabaseError where error.isConnectionLost || error.code == .commitOutcomeUnknown {
            doubtEnds.max(Interrupt.now + Self.doubt.nanoseconds, ordering: .sequentiallyConsistent)
            throw error
        }
    }

    /// The version at a moment during this call; `nil` while somebody writes, or may do so unseen.
    func version() -> DatabaseVersion? {
        let ended = ended.load(ordering: .sequentiallyConsistent)
        let doubtEnds = doubtEnds.load(ordering: .sequentiallyConsistent)
        guard begun.load(ordering: .sequentiallyConsistent) == ended, doubtEnds == 0 || doubtEnds < Interrupt.now
        else { return nil }
        return DatabaseVersion(kind: .writes(ended))
    }
}
