public import Foundation
import Synchronization

/// A normalized cache in a SQLite file. Some of the records are also in memory.
///
/// The data that ``GraphQLStore`` has written remains available after the process ends. If the records exceed the
/// maximum size, the least recently used records are removed. Several processes can use one file. At the beginning of
/// each read or write, a process detects the changes of other processes.
public final class SQLiteNormalizedCache: NormalizedCache {
    private let contents: Mutex<SQLiteRecords>

    /// Opens a file, or creates it.
    /// - Parameters:
    ///   - url: The file. Its folder must exist. While the cache is open, SQLite creates two more files in this folder.
    ///   - maximumBytes: The maximum size of the records in the file.
    ///   - memoryBytes: The approximate maximum size of the records in memory.
    /// - Throws: ``CacheError`` if the file is damaged, is not a cache, was written by a newer version, or cannot be
    ///   opened.
    public init(at url: URL, maximumBytes: Int = 256 << 20, memoryBytes: Int = 32 << 20) throws(CacheError) {
        contents = Mutex(
            try SQLiteRecords(path: url.path, maximumBytes: Int64(maximumBytes), memoryBytes: memoryBytes))
    }

    /// Opens the file of a caller, or creates it. The name of the file is a digest of the identity.
    /// - Parameters:
    ///   - folder: The folder for the files of all callers of one service. It must exist.
    ///   - identity: The identity of the caller (``CurrentCaller``); `nil` for an anonymous caller.
    ///   - maximumBytes: The maximum size of the records in the file.
    ///   - memoryBytes: The approximate maximum size of the records in memory.
    /// - Throws: ``CacheError`` if the file is damaged, is not a cache, was written by a newer version, or cannot be
    ///   opened.
    public convenience init(
        in folder: URL, identity: String?, maximumBytes: Int = 256 << 20, memoryBytes: Int = 32 << 20
    ) throws(CacheError) {
        try self.init(
            at: Self.file(in: folder, identity: identity), maximumBytes: maximumBytes, memoryBytes: memoryBytes)
    }

    /// Returns the file of a caller in a folder.
    public static func file(in folder: URL, identity: String?) -> URL {
        let digest = Digest.text(of: Caller.key(of: identity))
        return folder.appending(path: "graphql-\(digest).sqlite", directoryHint: .notDirectory)
    }

    /// Removes the files of a cache. The cache must not be open.
    /// - Throws: The error of the file system.
    public static func remove(at url: URL) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let path = url.path + suffix
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }

    /// The size of the records in the file, in bytes.
    public var byteCount: Int { contents.withLock { Int($0.byteCount) } }

    /// Removes all records from memory if another process has written to the file.
    public func begin() throws(CacheError) {
        try locked { (records) throws(CacheError) in try records.seeOthers() }
    }

    /// Begins a write transaction. Until it ends, other processes cannot begin a write transaction.
    public func lock() throws(CacheError) {
        try locked { (records) throws(CacheError) in try records.lock() }
    }

    /// Rolls back the transaction that ``lock()`` began.
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
