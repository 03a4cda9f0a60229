import DuetJSON
public import Foundation
import Synchronization

/// A store for pending writes in a SQLite file. Its writes remain after the process ends, and after a power failure.
///
/// One file has the writes of all callers. It has no tokens, but the bodies of the requests.
public final class SQLitePendingWriteStore: PendingWriteStore {
    private let table: Mutex<PendingWriteTable>
    private let reportDamage: @Sendable (CacheError) -> Void

    /// Opens a file, or creates it.
    /// - Parameters:
    ///   - url: The file. Its folder must exist. It must not be a folder that the system empties, such as the folder
    ///     for caches.
    ///   - onDamage: Called for a write in the file that cannot be read. The write is set aside in the file, and is
    ///     never sent.
    /// - Throws: ``CacheError`` if the file is damaged, belongs to another program, was written by a newer version, or
    ///   cannot be opened.
    public init(
        at url: URL, onDamage: @escaping @Sendable (CacheError) -> Void = { _ in }
    ) throws(CacheError) {
        table = Mutex(try PendingWriteTable(path: url.path))
        reportDamage = onDamage
    }

    /// Removes the files of a store, and the writes in them. The store must not be open.
    /// - Throws: The error of the file system.
    public static func remove(at url: URL) throws { try SQLiteNormalizedCache.remove(at: url) }

    /// Adds a write after all others.
    public func add(_ write: PendingWrite) throws(CacheError) {
        try table.withLock { (table) throws(CacheError) in try table.add(write) }
    }

    /// Replaces the write with the same owner and key.
    public func update(_ write: PendingWrite) throws(CacheError) {
        try table.withLock { (table) throws(CacheError) in try table.update(write) }
    }

    /// Returns the writes of an owner in the order in which they were added.
    public func writes(of owner: String) throws(CacheError) -> [PendingWrite] {
        let (writes, damage) = try table.withLock { (table) throws(CacheError) in try table.writes(of: owner) }
        for error in damage { reportDamage(error) }
        return writes
    }

    /// Returns the number of writes of an owner.
    public func count(of owner: String) throws(CacheError) -> Int {
        try table.withLock { (table) throws(CacheError) in try table.count(of: owner) }
    }

    /// Returns the write of an owner with a key.
    public func write(_ key: IdempotencyKey, of owner: String) throws(CacheError) -> PendingWrite? {
        try table.withLock { (table) throws(CacheError) in try table.write(key, of: owner) }
    }

    /// Removes the write with a key.
    public func remove(_ key: IdempotencyKey, of owner: String) throws(CacheError) {
        try table.withLock { (table) throws(CacheError) in try table.remove(key, of: owner) }
    }

    /// Removes all writes of an owner.
    public func removeAll(of owner: String) throws(CacheError) {
        try table.withLock { (table) throws(CacheError) in try table.removeAll(of: owner) }
    }
}

/// The table of a ``SQLitePendingWriteStore``. The caller must hold the lock of the store.
private final class PendingWriteTable {
    private let file: SQLiteFile
    private let path: String
    private let insert: SQLiteFile.Statement
    private let replace: SQLiteFile.Statement
    private let setAside: SQLiteFile.Statement
    private let select: SQLiteFile.Statement
    private let countRows: SQLiteFile.Statement
    private let find: SQLiteFile.Statement
    private let delete: SQLiteFile.Statement
    private let deleteAll: SQLiteFile.Statement

    /// The identifier "DuWr" (in ASCII) distinguishes the file from the files of other programs.
    private static let applicationID: Int64 = 0x4475_5772
    private static let formatVersion: Int64 = 1

    init(path: String) throws(CacheError) {
        self.path = path
        file = try SQLiteFile(path: path, content: .pendingWrites)
        let application = try file.number("PRAGMA application_id")
        let version = try file.number("PRAGMA user_version")
        let isEmpty = try file.number("SELECT count(*) FROM sqlite_schema") == 0
        guard application == Self.applicationID || application == 0 && version == 0 && isEmpty else {
            throw CacheError(
                .corrupt,
                "The file \(path) has no pending writes, but is a database of another program. Choose another file.")
        }
        guard version <= Self.formatVersion else {
            throw CacheError(
                .newerVersion,
                "The pending writes \(path) were written by a newer version of the library. Update the app.")
        }
        // The table must survive a power failure, because a write that is not in the file would be sent with a new key.
        try file.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        try file.write { [file] () throws(CacheError) in
            try file.run(
                """
                CREATE TABLE IF NOT EXISTS writes(
                  number INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, key TEXT NOT NULL, write BLOB NOT NULL,
                  UNIQUE (owner, key)
                );
                PRAGMA application_id = \(Self.applicationID);
                PRAGMA user_version = \(Self.formatVersion)
                """)
        }
        insert = try file.prepare("INSERT INTO writes(owner, key, write) VALUES (?1, ?2, ?3)")
        replace = try file.prepare("UPDATE writes SET write = ?3 WHERE owner = ?1 AND key = ?2")
        setAside = try file.prepare("UPDATE OR REPLACE writes SET owner = ?2 WHERE number = ?1")
        select = try file.prepare("SELECT write, key, number FROM writes WHERE owner = ?1 ORDER BY number")
        countRows = try file.prepare("SELECT count(*) FROM writes WHERE owner = ?1")
        find = try file.prepare("SELECT write FROM writes WHERE owner = ?1 AND key = ?2")
        delete = try file.prepare("DELETE FROM writes WHERE owner = ?1 AND key = ?2")
        deleteAll = try file.prepare("DELETE FROM writes WHERE owner = ?1 OR owner = ?2")
    }

    func add(_ write: PendingWrite) throws(CacheError) { try store(write, insert) }

    func update(_ write: PendingWrite) throws(CacheError) { try store(write, replace) }

    private func store(_ write: PendingWrite, _ statement: SQLiteFile.Statement) throws(CacheError) {
        try statement.bind(1, text: write.owner)
        try statement.bind(2, text: write.key.description)
        try statement.bind(3, Array(write.json.compactText.utf8))
        _ = try statement.step()
    }

    /// Returns the writes of an owner. Sets damaged rows aside.
    func writes(of owner: String) throws(CacheError) -> (writes: [PendingWrite], damage: [CacheError]) {
        var writes: [PendingWrite] = []
        var damaged: [Int64] = []
        do {
            try select.bind(1, text: owner)
            defer { select.reset() }
            while try select.step() {
                if let write = try self.write(in: select, key: select.text(1), owner) {
                    writes.append(write)
                } else {
                    damaged.append(select.number(2))
                }
            }
        }
        for number in damaged {
            try setAside.bind(1, number)
            try setAside.bind(2, text: Self.damaged(owner))
            _ = try setAside.step()
        }
        return (
            writes,
            damaged.map { number in
                CacheError(
                    .corrupt,
                    "The row \(number) of the pending writes \(path) is damaged. It is not sent, and remains in the file."
                )
            }
        )
    }

    /// Reads the write in the first column.
    private func write(
        in row: SQLiteFile.Statement, key: String, _ owner: String
    ) throws(CacheError) -> PendingWrite? {
        let bytes = try row.withBytes(0) { (bytes) throws(CacheError) in Array(bytes) }
        guard let key = IdempotencyKey(key), let json = try? JSONValue(parsing: bytes, maximumDepth: 512) else {
            return nil
        }
        return PendingWrite(json, key: key, owner: owner)
    }

    /// The owner of the damaged rows of an owner.
    private static func damaged(_ owner: String) -> String { "damaged \(owner)" }

    func count(of owner: String) throws(CacheError) -> Int {
        try countRows.bind(1, text: owner)
        defer { countRows.reset() }
        return try countRows.step() ? Int(countRows.number(0)) : 0
    }

    func write(_ key: IdempotencyKey, of owner: String) throws(CacheError) -> PendingWrite? {
        try find.bind(1, text: owner)
        try find.bind(2, text: key.description)
        defer { find.reset() }
        return try find.step() ? try write(in: find, key: key.description, owner) : nil
    }

    func remove(_ key: IdempotencyKey, of owner: String) throws(CacheError) {
        try delete.bind(1, text: owner)
        try delete.bind(2, text: key.description)
        _ = try delete.step()
    }

    func removeAll(of owner: String) throws(CacheError) {
        try deleteAll.bind(1, text: owner)
        try deleteAll.bind(2, text: Self.damaged(owner))
        _ = try deleteAll.step()
    }
}
