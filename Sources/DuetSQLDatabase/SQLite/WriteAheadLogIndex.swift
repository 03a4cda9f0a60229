internal import CDuetSQLite
import Synchronization

/// The head of the index of a SQLite file's write-ahead log, in memory that all processes share which have the file open
/// (sqlite.org/walformat.html §2.1). Each commit writes it, and each read transaction begins by looking whether it is still the
/// same; so looking at it alone tells whether anybody has committed, at the price of a few loads.
///
/// Valid as long as the connection is open that it was made of.
struct WriteAheadLogIndex {
    /// The head, as six words: counter of changes, length and checksums of the log, salts. No state comes twice: a log that begins
    /// anew has other salts, and one that has grown another length.
    struct State: Hashable, Sendable {
        private let first: UInt64
        private let second: UInt64
        private let third: UInt64
        private let fourth: UInt64
        private let fifth: UInt64
        private let sixth: UInt64

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

    /// - Parameter connection: has read the file at least once.
    /// - Returns: `nil` for a file without a write-ahead log.
    init?(_ connection: SQLiteConnection) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2
        else { return nil }
        // The file must not be mapped by anyone but SQLite: closing it again would drop the locks of the whole process
        // (sqlite.org/howtocorrupt.html §2.2). This is the mapping that the connection has made already.
        var region: UnsafeMutableRawPointer?
        guard methods.pointee.xShmMap(file, 0, Self.regionSize, 0, &region) == SQLITE_OK, let region else { return nil }
        start = UnsafeRawPointer(region)
    }

    /// What the head says at a moment during this call; `nil` while somebody writes it, or if it is of another form than is known.
    var state: State? {
        let first = State(start)
        // Who commits writes the second copy before the first, who reads does it in the opposite order (§2.1).
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        guard first == State(start + Self.size), start.load(as: UInt32.self) == Self.version,
            start.load(fromByteOffset: Self.initialized, as: UInt8.self) == 1
        else { return nil }
        return first
    }

    /// Bytes of one copy of the head; there are two.
    private static let size = 48
    /// Where the head says that it has been filled.
    private static let initialized = 12
    /// Of the format.
    private static let version: UInt32 = 3_007_000
    /// Bytes of each part of the index.
    private static let regionSize: Int32 = 32_768
}
