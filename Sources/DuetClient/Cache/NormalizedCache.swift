/// A cache for the records of a ``GraphQLStore``.
///
/// A store calls its cache from one task at a time. A cache may drop any record, because a client fetches missing
/// fields again.
public protocol NormalizedCache: Sendable {
    /// Called before each transaction of the store, so that a cache can detect the changes of other processes.
    /// - Throws: ``CacheError``.
    func begin() throws(CacheError)

    /// Called instead of ``begin()`` when the store repeats a transaction after ``CacheError/Code/conflict``. Other
    /// processes cannot write until ``apply(_:inUse:)`` or ``unlock()`` is called.
    /// - Throws: ``CacheError``.
    func lock() throws(CacheError)

    /// Allows other processes to write again. Has no effect after ``apply(_:inUse:)``.
    func unlock()

    /// Returns the record of a key, or `nil` if the cache does not have it.
    /// - Throws: ``CacheError``.
    func record(for key: CacheKey) throws(CacheError) -> Record?

    /// Writes and removes records. If the method throws, it has made none of the changes.
    /// - Parameters:
    ///   - changes: The records to write and the keys of the records to remove.
    ///   - inUse: Returns the keys of the records of watched queries. A cache that exceeds its maximum size should not
    ///     remove these records.
    /// - Throws: ``CacheError``, with the code ``CacheError/Code/conflict`` if another process has written since
    ///   ``begin()``.
    func apply(_ changes: CacheChanges, inUse: () -> Set<CacheKey>) throws(CacheError)

    /// The number of times that the cache has removed records because of its maximum size. It is `nil` if the cache
    /// does not return the same ``Record`` instances that were written, or if other processes can also write.
    ///
    /// If a service sends an equal response again, the store skips the merge only if this number has not changed since
    /// the first response was merged.
    var evictions: Int? { get }

    /// Returns the keys of all records.
    /// - Throws: ``CacheError``.
    func keys() throws(CacheError) -> [CacheKey]

    /// Removes all records.
    /// - Throws: ``CacheError``.
    func removeAll() throws(CacheError)
}

extension NormalizedCache {
    /// The default for a cache to which no other process writes: does nothing.
    public func begin() {}
    /// The default for a cache to which no other process writes: does nothing.
    public func lock() {}
    /// The default for a cache to which no other process writes: does nothing.
    public func unlock() {}
    /// The default: `nil`, so that a store merges every response.
    public var evictions: Int? { nil }
}

/// Records that are written and removed in one transaction.
public struct CacheChanges: Sendable {
    /// The records to write. Each record replaces the whole record of its key.
    public var records: [CacheKey: Record]
    /// The keys of the records to remove.
    public var removed: Set<CacheKey>

    /// Creates changes.
    public init(records: [CacheKey: Record] = [:], removed: Set<CacheKey> = []) {
        self.records = records
        self.removed = removed
    }
}

/// An error of a cache.
public struct CacheError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The file is not a cache, or is damaged.
        case corrupt
        /// The file was written by a newer version of the library.
        case newerVersion
        /// The disk is full.
        case full
        /// Another process has locked the file for too long.
        case busy
        /// Another process has written since the records were read. The store handles this error by running the
        /// transaction again.
        case conflict
        /// The file cannot be opened, read or written.
        case unavailable
        /// The cache belongs to a former caller (``CurrentCaller``).
        case closed
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the failure and its remedy.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
