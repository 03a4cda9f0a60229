public import Foundation
import Synchronization

/// A normalized cache in a SQLite file, with a cache of records in memory.
///
/// The data that ``GraphQLStore`` has written survives the end of the process. The file has a maximum size: if the
/// records exceed it, the least recently used records are removed. Several processes can use one file. Each process
/// sees the changes of the others at the beginning of its next read or write.
public final class SQLiteNormalizedCache: NormalizedCache {
    private let contents: Mutex<SQLiteRecords>

    /// Opens a file, or creates it.
    /// - Parameters:
    ///   - url: The file. Its folder must exist. SQLite uses two more files next to it while the cache is open.
    ///   - maximumBytes: The maximum size of the records in the file.
    ///   - memoryBytes: The approximate maximum size of the records in memory.
    /// - Throws: ``CacheError`` if the file is damaged, is not a cache, was written by a newer version, or cannot be
    ///   opened.
    public init(at url: URL, maximumBytes: Int = 256 << 20, memoryBytes: Int = 32 << 20) throws(CacheError) {
        contents = Mutex(
            try SQLiteRecords(path: url.path, maximumBytes: Int64(maximumBytes), memoryBytes: memoryBytes))
    }

    /// Removes the files of a cache that is not open.
    /// - Throws: The error of the file system.
    public static func remove(at url: URL) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let path = url.path + suffix
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }

    /// The size of the records in the file, in bytes.
    public var byteCount: Int { contents.withLock { Int($0.byteCount) } }

    /// Removes the records from memory that another process has changed.
    public func begin() throws(CacheError) {
        try locked { (records) throws(CacheError) in try records.seeOthers() }
    }

    /// Begins a write transaction on the file, which blocks the write transactions of other processes.
    public func lock() throws(CacheError) {
        try locked { (records) throws(CacheError) in try records.lock() }
    }

    /// Ends the transaction that ``lock()`` began, without changes.
    public func unlock() { contents.withLock { $0.unlock() } }

    /// Returns the record of a key, or `nil` if the cache does not have it.
    public func record(for key: CacheKey) throws(CacheError) -> Record? {
        try locked { (records) throws(CacheError) in try records.record(for: key) }
    }

    /// Writes and removes records in one transaction of the file.
    /// - Throws: ``CacheError``, with the code ``CacheError/Code/conflict`` if another process has written since
    ///   ``begin()``.
    public func apply(_ changes: CacheChanges, inUse: () -> Set<CacheKey>) throws(CacheError) {
        try locked { (records) throws(CacheError) in try records.apply(changes, inUse: inUse) }
    }

    /// Returns the keys of all records.
    public func keys() throws(CacheError) -> [CacheKey] {
        try locked { (records) throws(CacheError) in try records.keys() }
    }

    /// Removes all records.
    public func removeAll() throws(CacheError) {
        try locked { (records) throws(CacheError) in try records.removeAll() }
    }

    private func locked<Value: Sendable>(
        _ body: (SQLiteRecords) throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        try contents.withLock { records throws(CacheError) in try body(records) }
    }
}
