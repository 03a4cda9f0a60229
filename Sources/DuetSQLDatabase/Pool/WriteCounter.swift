import Synchronization

/// Counts the write transactions of this process. If no other client writes, the count identifies the database's
/// content.
final class WriteCounter: Sendable {
    private let begun = Atomic<Int>(0)
    private let ended = Atomic<Int>(0)
    /// The time until which the server may still commit after a lost connection; 0 if no connection was lost.
    private let doubtEnds = Atomic<UInt64>(0)

    /// The time after which a server has either committed a write or never will.
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

    /// Returns the version at a moment during this call; `nil` while a write runs or may still be committed.
    func version() -> DatabaseVersion? {
        let ended = ended.load(ordering: .sequentiallyConsistent)
        let doubtEnds = doubtEnds.load(ordering: .sequentiallyConsistent)
        guard begun.load(ordering: .sequentiallyConsistent) == ended, doubtEnds == 0 || doubtEnds < Interrupt.now
        else { return nil }
        return DatabaseVersion(kind: .writes(ended))
    }
}
