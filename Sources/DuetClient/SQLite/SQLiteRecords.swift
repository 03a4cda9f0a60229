/// The tables of a ``SQLiteNormalizedCache`` and its records in memory. The caller must hold the lock of the cache.
final class SQLiteRecords {
    private let file: SQLiteFile
    private let maximumBytes: Int64
    private let memory: InMemoryNormalizedCache
    private(set) var byteCount: Int64 = 0
    private var dataVersion: Int64 = 0
    /// The number of writes so far. A write sets the column `used` to this number, in the records that it writes and in
    /// the records that were read since the previous write. The least recently used records have the smallest values.
    private var clock: Int64 = 0
    /// The keys of the records that were read since the last write.
    private var used: Set<CacheKey> = []
    private var keyLists: [[FieldKey]: Int64] = [:]
    private var keysByNumber: [Int64: [FieldKey]] = [:]

    private let select: SQLiteFile.Statement
    private let insert: SQLiteFile.Statement
    private let delete: SQLiteFile.Statement
    private let touch: SQLiteFile.Statement
    private let version: SQLiteFile.Statement
    private let insertKeys: SQLiteFile.Statement
    private let selectKeys: SQLiteFile.Statement
    private let sizeOf: SQLiteFile.Statement

    /// The identifier "DuCa" (in ASCII) distinguishes a cache from the files of other programs.
    private static let applicationID: Int64 = 0x4475_4361
    private static let formatVersion: Int64 = 2

    init(path: String, maximumBytes: Int64, memoryBytes: Int) throws(CacheError) {
        file = try SQLiteFile(path: path)
        self.maximumBytes = maximumBytes
        memory = InMemoryNormalizedCache(maximumBytes: memoryBytes)
        try Self.prepare(file, path)
        select = try file.prepare("SELECT fields FROM records WHERE key = ?1")
        insert = try file.prepare("REPLACE INTO records(key, used, size, fields) VALUES (?1, ?2, ?3, ?4)")
        delete = try file.prepare("DELETE FROM records WHERE key = ?1")
        touch = try file.prepare("UPDATE records SET used = ?2 WHERE key = ?1")
        version = try file.prepare("PRAGMA data_version")
        insertKeys = try file.prepare("INSERT INTO key_lists(keys) VALUES (?1) ON CONFLICT DO NOTHING RETURNING number")
        selectKeys = try file.prepare("SELECT number, keys FROM key_lists WHERE keys = ?1 OR number = ?2")
        sizeOf = try file.prepare("SELECT size FROM records WHERE key = ?1")
        byteCount = try file.number("SELECT total(size) FROM records")
        clock = try file.number("SELECT max(used) FROM records")
        dataVersion = try currentVersion()
    }

    private static func prepare(_ file: SQLiteFile, _ path: String) throws(CacheError) {
        let application = try file.number("PRAGMA application_id")
        let version = try file.number("PRAGMA user_version")
        if application == 0, version == 0, try file.number("SELECT count(*) FROM sqlite_schema") == 0 {
            // This mode must be set before the first table is created. With it, SQLite can return free pages to the
            // file system.
            try file.run("PRAGMA auto_vacuum = INCREMENTAL")
        } else if application != applicationID {
            throw CacheError(
                .corrupt, "The file \(path) is not a cache, but a database of another program. Choose another file.")
        } else if version > formatVersion {
            throw CacheError(
                .newerVersion,
                "The cache \(path) was written by a newer version of the library. Update the app, or remove the file with SQLiteNormalizedCache.remove(at:)."
            )
        }
        // A file of version 1 cannot be used, because that version reused the numbers of removed key lists.
        if version == 1 { try file.run("BEGIN IMMEDIATE; DROP TABLE records; DROP TABLE key_lists; COMMIT") }
        // A commit is in the write-ahead log before the write returns, so it is not lost if the process ends
        // (sqlite.org/wal.html).
        try file.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4096")
        try file.write { () throws(CacheError) in
            try file.run(
                """
                CREATE TABLE IF NOT EXISTS records(
                  key TEXT PRIMARY KEY, used INTEGER NOT NULL, size INTEGER NOT NULL, fields BLOB NOT NULL
                ) WITHOUT ROWID;
                CREATE TABLE IF NOT EXISTS key_lists(number INTEGER PRIMARY KEY AUTOINCREMENT, keys BLOB NOT NULL UNIQUE);
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(formatVersion)
                """)
        }
    }

    // MARK: Reading

    private func currentVersion() throws(CacheError) -> Int64 {
        defer { version.reset() }
        return try version.step() ? version.number(0) : 0
    }

    /// Clears the records in memory if another process has written.
    func seeOthers() throws(CacheError) {
        let current = try currentVersion()
        guard current != dataVersion else { return }
        dataVersion = current
        memory.removeAll()
        keyLists = [:]
        keysByNumber = [:]
        byteCount = try file.number("SELECT total(size) FROM records")
    }

    /// Begins a write transaction. Until it ends, no other process can write.
    func lock() throws(CacheError) {
        try file.begin()
        try seeOthers()
    }

    func unlock() { file.rollBack() }

    func record(for key: CacheKey) throws(CacheError) -> Record? {
        if let record = memory.record(for: key) {
            used.insert(key)
            return record
        }
        guard let record = try load(key) else { return nil }
        used.insert(key)
        memory.apply(CacheChanges(records: [key: record])) { [] }
        return record
    }

    private func load(_ key: CacheKey) throws(CacheError) -> Record? {
        try select.bind(1, text: key.description)
        defer { select.reset() }
        guard try select.step() else { return nil }
        return try select.withBytes(0) { bytes throws(CacheError) in
            var bytes = RecordBytes(bytes)
            return try bytes.record { number throws(CacheError) in try self.keys(of: number) }
        }
    }

    private func keys(of number: Int64) throws(CacheError) -> [FieldKey] {
        if let keys = keysByNumber[number] { return keys }
        try selectKeys.bind(1, [])
        try selectKeys.bind(2, number)
        defer { selectKeys.reset() }
        guard try selectKeys.step() else { throw RecordBytes.damaged }
        let keys = try selectKeys.withBytes(1) { bytes throws(CacheError) in
            var bytes = RecordBytes(bytes)
            return try bytes.keyList()
        }
        keysByNumber[number] = keys
        keyLists[keys] = number
        return keys
    }

    func keys() throws(CacheError) -> [CacheKey] {
        let statement = try file.prepare("SELECT key FROM records")
        var keys: [CacheKey] = []
        while try statement.step() { keys.append(CacheKey(statement.text(0))) }
        return keys
    }

    // MARK: Writing

    func apply(_ changes: CacheChanges, inUse: () -> Set<CacheKey>) throws(CacheError) {
        clock += 1
        var size = byteCount
        var dropped = CacheChanges()
        do throws(CacheError) {
            try file.write { () throws(CacheError) in
                guard try currentVersion() == dataVersion else { throw Self.conflict }
                for key in used where changes.records[key] == nil {
                    try touch.bind(1, text: key.description)
                    try touch.bind(2, clock)
                    _ = try touch.step()
                }
                for (key, record) in changes.records { size += try write(key, record) }
                for key in changes.removed { size -= try remove(key) }
                if size > maximumBytes { (size, dropped) = try shrink(inUse: inUse()) }
            }
        } catch {
            // The rollback has also removed the key lists that the transaction added.
            keyLists = [:]
            keysByNumber = [:]
            throw error
        }
        byteCount = size
        used = []
        memory.apply(changes, inUse: inUse)
        memory.apply(dropped, inUse: inUse)
    }

    private static let conflict = CacheError(
        .conflict,
        "Another process has written to the cache since the records were read. Read the records again.")

    /// - Returns: The number of bytes by which the size of the records has grown.
    private func write(_ key: CacheKey, _ record: Record) throws(CacheError) -> Int64 {
        let old = try size(of: key)
        let bytes = RecordWriter(record, keyList: try number(of: record.keys)).bytes
        let size = Int64(bytes.count + key.byteCount)
        try insert.bind(1, text: key.description)
        try insert.bind(2, clock)
        try insert.bind(3, size)
        try insert.bind(4, bytes)
        _ = try insert.step()
        return size - old
    }

    private func remove(_ key: CacheKey) throws(CacheError) -> Int64 {
        let old = try size(of: key)
        try delete.bind(1, text: key.description)
        _ = try delete.step()
        return old
    }

    private func size(of key: CacheKey) throws(CacheError) -> Int64 {
        try sizeOf.bind(1, text: key.description)
        defer { sizeOf.reset() }
        return try sizeOf.step() ? sizeOf.number(0) : 0
    }

    private func number(of keys: [FieldKey]) throws(CacheError) -> Int64 {
        if let number = keyLists[keys] { return number }
        let bytes = RecordWriter.keyList(keys)
        try insertKeys.bind(1, bytes)
        var number: Int64 = 0
        while try insertKeys.step() { number = insertKeys.number(0) }
        if number == 0 {
            // Another process or an earlier run of this process has already written the key list.
            try selectKeys.bind(1, bytes)
            try selectKeys.bind(2, -1)
            defer { selectKeys.reset() }
            guard try selectKeys.step() else { throw RecordBytes.damaged }
            number = selectKeys.number(0)
        }
        keyLists[keys] = number
        keysByNumber[number] = keys
        return number
    }

    /// Removes the least recently used records until the size is at most three quarters of the maximum.
    /// - Returns: The size of the remaining records, and the changes to make in memory.
    private func shrink(inUse: Set<CacheKey>) throws(CacheError) -> (size: Int64, changes: CacheChanges) {
        var size = try file.number("SELECT total(size) FROM records")
        let goal = maximumBytes / 4 * 3
        let oldest = try file.prepare("SELECT key, size FROM records ORDER BY used, key")
        var removed: [CacheKey] = []
        while size > goal, try oldest.step() {
            let key = CacheKey(oldest.text(0))
            if key == .queryRoot || inUse.contains(key) { continue }
            removed.append(key)
            size -= oldest.number(1)
        }
        oldest.reset()
        for key in removed { _ = try remove(key) }
        var changes = CacheChanges(removed: Set(removed))
        if let root = try shrunkenRoot(inUse: inUse) {
            size += try write(.queryRoot, root)
            changes.records[.queryRoot] = root
        }
        try removeUnusedKeyLists()
        try file.run("PRAGMA incremental_vacuum")
        return (size, changes)
    }

    /// Returns the root record without the fields whose objects were removed; `nil` if the root record need not change.
    private func shrunkenRoot(inUse: Set<CacheKey>) throws(CacheError) -> Record? {
        guard let root = try load(.queryRoot) else { return nil }
        var references: Set<CacheKey> = []
        for value in root.values { value.forEachReference { references.insert($0) } }
        var gone: Set<CacheKey> = []
        for key in references.subtracting(inUse) where try size(of: key) == 0 { gone.insert(key) }
        return gone.isEmpty ? nil : root.withoutReferences { gone.contains($0) }
    }

    /// Removes the key lists that no record uses.
    private func removeUnusedKeyLists() throws(CacheError) {
        var numbers: Set<Int64> = []
        let statement = try file.prepare("SELECT fields FROM records")
        while try statement.step() {
            numbers.insert(
                try statement.withBytes(0) { bytes throws(CacheError) in
                    var bytes = RecordBytes(bytes)
                    return try bytes.keyListNumber()
                })
        }
        let lists = try file.prepare("SELECT number FROM key_lists")
        var unused: [Int64] = []
        while try lists.step() { if !numbers.contains(lists.number(0)) { unused.append(lists.number(0)) } }
        let delete = try file.prepare("DELETE FROM key_lists WHERE number = ?1")
        for number in unused {
            try delete.bind(1, number)
            _ = try delete.step()
            if let keys = keysByNumber.removeValue(forKey: number) { keyLists[keys] = nil }
        }
    }

    func removeAll() throws(CacheError) {
        try file.write { () throws(CacheError) in try file.run("DELETE FROM records; DELETE FROM key_lists") }
        try file.run("PRAGMA incremental_vacuum")
        memory.removeAll()
        keyLists = [:]
        keysByNumber = [:]
        used = []
        byteCount = 0
    }
}
