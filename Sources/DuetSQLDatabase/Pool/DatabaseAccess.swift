/// The kind of access of a program to a database; see ``DatabaseConfiguration/access``.
public enum DatabaseAccess: Sendable, Hashable {
    /// Reads and writes. A SQLite file is switched to the write-ahead log and remains in this mode.
    case readWrite
    /// Only reads. Other programs may write the database. ``Database/write(timeout:deadline:origin:_:)`` fails, and on
    /// MariaDB each transaction of the session is `READ ONLY`.
    ///
    /// A SQLite file retains its journal mode and its content. The process takes SQLite's locks like any other reader:
    /// in rollback-journal mode a commit of another program waits for the read transactions. In WAL mode no other
    /// program can change the journal mode or remove the log while this process has the file open. If the log and its
    /// index are missing in WAL mode, SQLite creates empty files with the permissions of the database file, and a
    /// reader does not remove them. If the user of this process cannot create the files, the database cannot be read
    /// (sqlite.org/wal.html §9).
    case readOnly
    /// Only reads, for a SQLite file that no program writes. SQLite takes no locks and creates no other files. If
    /// another program writes the file at the same time, reads can return wrong data or errors. On MariaDB, and for a
    /// file that already has a journal or a log, the access is ``readOnly`` instead.
    case immutable
}
