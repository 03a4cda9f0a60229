/// The ways to use a database; see ``DatabaseConfiguration/access``.
public enum DatabaseAccess: Sendable, Hashable {
    /// Reads and writes. A SQLite file is switched to the write-ahead log, and stays in this mode.
    case readWrite
    /// Reads a database that other programs may write. ``Database/write(timeout:deadline:origin:_:)`` fails, and on
    /// MariaDB each transaction of the session is `READ ONLY`.
    ///
    /// A SQLite file keeps its journal mode and its bytes, and SQLite's locks are taken as by any other reader: in
    /// rollback-journal mode a commit of another program waits for the read transactions, and in WAL mode no program
    /// can leave the mode or remove the log while this one has the file open. In WAL mode SQLite makes the log and its
    /// index beside the file if they are missing, empty and with the file's permissions; a reader does not remove them.
    /// If this user cannot make them, the file cannot be read (sqlite.org/wal.html §9).
    case readOnly
    /// Reads a SQLite file that no program writes, without locks and without a new file beside it; what other programs
    /// write meanwhile may be read as damage. If there is a journal or a log beside the file already, and on MariaDB,
    /// it is ``readOnly``.
    case immutable
}
