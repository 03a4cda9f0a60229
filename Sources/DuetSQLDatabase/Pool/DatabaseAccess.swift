/// The access of a program to a database; see ``DatabaseConfiguration/access``.
public enum DatabaseAccess: Sendable, Hashable {
    /// Reads and writes. A SQLite file is switched to the write-ahead log and remains in this mode.
    case readWrite
    /// Reads a database that other programs may write. ``Database/write(timeout:deadline:origin:_:)`` fails, and on
    /// MariaDB each transaction of the session is `READ ONLY`.
    ///
    /// A SQLite file retains its journal mode and its content. The process takes SQLite's locks like any other reader:
    /// in rollback-journal mode a commit of another program waits for the read transactions. In WAL mode no program can
    /// leave the mode or remove the log while this process has the file open. If the log and its index are missing in
    /// WAL mode, SQLite creates them empty, with the file's permissions; a reader does not remove them. If this user
    /// cannot create them, the file cannot be read (sqlite.org/wal.html §9).
    case readOnly
    /// Reads a SQLite file that no program writes, without locks and without creating files beside it. If another
    /// program writes the file at the same time, reads can return wrong data or errors. If a journal or a log already
    /// exists, and on MariaDB, the access is ``readOnly``.
    case immutable
}
