internal import CDuetSQLite
import Foundation

/// Copies SQLite files.
package enum SQLiteFileCopy {
    /// Copies the committed content of a database to a new file, with SQLite's backup API (sqlite.org/backup.html). The
    /// original is opened read-only, and other programs can use it at the same time.
    /// - Throws: ``DatabaseError``. If a file with the path of the copy exists, nothing is written to it.
    package static func copy(_ original: String, to target: String) throws {
        let file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw DatabaseError(.unavailable, "the file \(target) cannot be created for a copy: \(errorText(errno))")
        }
        close(file)
        let source = try connection(original, SQLITE_OPEN_READONLY)
        defer { sqlite3_close_v2(source) }
        let copy = try connection(target, SQLITE_OPEN_READWRITE)
        defer { sqlite3_close_v2(copy) }
        guard let backup = sqlite3_backup_init(copy, "main", source, "main") else {
            throw DatabaseError.sqlite(sqlite3_errcode(copy), copy)
        }
        let step = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE, end == SQLITE_OK else {
            throw DatabaseError.sqlite(step == SQLITE_DONE ? end : step, copy)
        }
    }

    private static func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// The maximum wait for a lock of another program, in milliseconds.
    private static let lockTimeout: Int32 = 10_000

    private static func connection(_ path: String, _ access: Int32) throws -> OpaquePointer {
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK, let opened else {
            let error = DatabaseError.sqlite(result, opened)
            sqlite3_close_v2(opened)
            throw DatabaseError(
                error.code, "the SQLite file \(path) cannot be opened: \(error.message)", backendCode: error.backendCode
            )
        }
        sqlite3_busy_timeout(opened, lockTimeout)
        return opened
    }
}
