import Synchronization

/// Counts the write transactions of one ``Database``. If no other client writes, the count identifies the database's
/// content.
final class WriteCounter: Sendable {
    private let begun = Atomic<Int>(0)
    private let ended = Atomic<Int>(0)
    /// The moment until which the server may still commit a write whose connection was lost; 0 if no connection was
    /// lost.
    private let doubtEnds = Atomic<UInt64>(0)

    /// The time between the loss of a connection and the moment at which the server is assumed to have committed or
    /// rolled back the write.
    private static let doubt: Duration = .seconds(60)

    /// Runs a write transaction and counts it.
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

    /// Returns the current version; `nil` while a write runs or may still be committed.
    func version() -> DatabaseVersion? {
        let ended = ended.load(ordering: .sequentiallyConsistent)
        let doubtEnds = doubtEnds.load(ordering: .sequentiallyConsistent)
        guard begun.load(ordering: .sequentiallyConsistent) == ended, doubtEnds == 0 || doubtEnds < Interrupt.now
        else { return nil }
        return DatabaseVersion(kind: .writes(ended))
    }
}
