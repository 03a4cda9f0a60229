internal import CDuetSQLite
import Synchronization

/// The header of the index of a SQLite file's write-ahead log. The index is in memory that is shared by all processes
/// that have the file open (sqlite.org/walformat.html §2.1). Each commit changes the header, so a comparison of headers
/// detects commits. Reading the header costs only a few loads from memory.
///
/// The value is valid only as long as its connection is open.
struct WriteAheadLogIndex {
    /// The header as six words. It contains a change counter, the length and checksums of the log, and salts. No state
    /// occurs twice: a restarted log has different salts, and a longer log has a different length.
    struct State: Hashable, Sendable {
        private let first: UInt64
        private let second: UInt64
        private let third: UInt64
        private let fourth: UInt64
        private let fifth: UInt64
        private let sixth: UInt64

        /// The counter that each commit increments (the field `iChange`), in the byte order of the machine.
        var changes: UInt32 { UInt32(littleEndian: UInt32(truncatingIfNeeded: second.littleEndian)) }

        /// Copies the six words at an address.
        fileprivate init(_ start: UnsafeRawPointer) {
            first = start.load(as: UInt64.self)
            second = start.load(fromByteOffset: 8, as: UInt64.self)
            third = start.load(fromByteOffset: 16, as: UInt64.self)
            fourth = start.load(fromByteOffset: 24, as: UInt64.self)
            fifth = start.load(fromByteOffset: 32, as: UInt64.self)
            sixth = start.load(fromByteOffset: 40, as: UInt64.self)
        }
    }

    private let start: UnsafeRawPointer

    /// - Parameter connection: A connection that has read the file at least once.
    /// - Returns: `nil` for a file without a write-ahead log.
    init?(_ connection: SQLiteConnection) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2
        else { return nil }
        // Only SQLite may open and close the index file, because closing a file descriptor drops the locks that the
        // process has on the file (sqlite.org/howtocorrupt.html §2.2). Therefore this code uses the existing mapping of
        // the connection.
        var region: UnsafeMutableRawPointer?
        guard methods.pointee.xShmMap(file, 0, Self.regionSize, 0, &region) == SQLITE_OK, let region else { return nil }
        start = UnsafeRawPointer(region)
    }

    /// The current header; `nil` while a process writes it, or if its format is unknown.
    var state: State? {
        let first = State(start)
        // A commit writes the second copy of the header before the first copy. Therefore a reader reads the first copy
        // before the second (§2.1).
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        guard first == State(start + Self.size), start.load(as: UInt32.self) == Self.version,
            start.load(fromByteOffset: Self.initialized, as: UInt8.self) == 1
        else { return nil }
        return first
    }

    /// The size of a copy of the header in bytes. The index begins with two copies.
    private static let size = 48
    /// The offset of the flag that is 1 after the header has been initialized.
    private static let initialized = 12
    /// The version of the index format.
    private static let version: UInt32 = 3_007_000
    /// The size of each region of the index in bytes.
    private static let regionSize: Int32 = 32_768
}
