public import Foundation
import Synchronization

/// A normalized cache in a SQLite file, with memory in front.
///
/// What ``GraphQLStore`` has written is there after the process was killed. The file has a bound: if its records take more, those that
/// have not been read for the longest time go. Several processes can use one file; each sees what the others have written when its next
/// read or write begins.
public final class SQLiteNormalizedCache: NormalizedCache {
    private let contents: Mutex<SQLiteRecords>

    /// Opens a file, or makes it.
    /// - Parameters:
    ///   - url: the file; its folder must exist. SQLite has two more files beside it while it is open.
    ///   - maximumBytes: the maximum size of the records in the file.
    ///   - memoryBytes: the approximate maximum size of the records in memory.
    /// - Throws: ``CacheError``: the file is damaged, is no cache, was written by a newer version, or cannot be opened.
    public init(at url: URL, maximumBytes: Int = 256 << 20, memoryBytes: Int = 32 << 20) throws(CacheError) {
        contents = Mutex(
            try SQLiteRecords(path: url.path, maximumBytes: Int64(maximumBytes), memoryBytes: memoryBytes))
    }

    /// Removes the files of a cache that is not open.
    /// - Throws: the error of the file system.
    public static func remove(at url: URL) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let path = url.path + suffix
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }

    /// The size of the records in the file, in bytes.
    public var byteCount: Int { contents.withLock { Int($0.byteCount) } }

    /// Forgets the records in memory that another process has changed.
    public func begin() throws(CacheError) {
        try locked { (records) throws(CacheError) in try records.seeOthers() }
    }

    /// Begins a transaction of the file that other processes wait for.
    public func lock() throws(CacheError) {
        try locked { (records) throws(CacheError) in try records.lock() }
    }

    /// Ends the transaction of ``lock()`` without changes.
    public func unlock() { contents.withLock { $0.unlock() } }

    /// The record of a key, if the cache has it.
    public func record(for key: CacheKey) throws(CacheError) -> Record? {
        try locked { (records) throws(CacheError) in try records.record(for: key) }
    }

    /// Writes and removes records in one transaction of the file.
    /// - Throws: ``CacheError``, with the code ``CacheError/Code/conflict`` if another process has written since ``begin()``.
    public func apply(_ changes: CacheChanges, inUse: () -> Set<CacheKey>) throws(CacheError) {
        try locked { (records) throws(CacheError) in try records.apply(changes, inUse: inUse) }
    }

    /// The keys of all records.
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
