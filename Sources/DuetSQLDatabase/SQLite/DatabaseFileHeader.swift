internal import CDuetSQLite

/// The header of a SQLite file (sqlite.org/fileformat.html §1.3), read without a statement and without a lock. In
/// rollback-journal mode, each commit changes it.
///
/// The value is valid only as long as its connection is open.
struct DatabaseFileHeader {
    /// The part of the header that concerns commits.
    struct State: Hashable {
        /// The file change counter, which each commit increments. It changes before the commit is complete.
        let changes: UInt32
        /// True if the file is in WAL mode. Commits then no longer change the counter.
        let usesLog: Bool
    }

    private let file: UnsafeMutablePointer<sqlite3_file>

    /// - Parameter connection: A connection that has read the file at least once.
    /// - Returns: nil if the connection has no file.
    init?(_ connection: SQLiteConnection) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, file.pointee.pMethods != nil
        else { return nil }
        self.file = file
    }

    /// The current state; nil if the file is empty or cannot be read.
    var current: State? {
        // Only SQLite may open and close the file, because closing a file descriptor drops the locks that the process
        // has on the file (sqlite.org/howtocorrupt.html §2.2).
        withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 4) { bytes in
            guard let base = bytes.baseAddress, let methods = file.pointee.pMethods,
                methods.pointee.xRead(file, base, Int32(Self.size), Self.offset) == SQLITE_OK
            else { return nil }
            let changes = base.loadUnaligned(fromByteOffset: Self.counter - Int(Self.offset), as: UInt32.self)
            return State(changes: UInt32(bigEndian: changes), usesLog: bytes[0] == 2)
        }
    }

    /// The offset of the version for writing, which is 2 in WAL mode.
    private static let offset: sqlite3_int64 = 18
    /// The offset of the file change counter.
    private static let counter = 24
    /// The number of bytes from ``offset`` to the end of the counter.
    private static let size = 10
}
