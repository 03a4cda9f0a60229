/// A place for the records of a ``GraphQLStore``.
///
/// A store calls its cache from one task at a time. A cache that forgets records is correct: what it does not have is fetched again.
public protocol NormalizedCache: Sendable {
    /// Is called before each transaction of the store, so that a cache can see what other processes have written.
    /// - Throws: ``CacheError``.
    func begin() throws(CacheError)

    /// Is called in place of ``begin()`` before a transaction of the store is run again after ``CacheError/Code/conflict``: other processes
    /// cannot write until ``apply(_:inUse:)`` or ``unlock()``.
    /// - Throws: ``CacheError``.
    func lock() throws(CacheError)

    /// Lets other processes write again. Does nothing after ``apply(_:inUse:)``.
    func unlock()

    /// The record of a key, if the cache has it.
    /// - Throws: ``CacheError``.
    func record(for key: CacheKey) throws(CacheError) -> Record?

    /// Writes and removes records: all of them, or none if it throws.
    /// - Parameters:
    ///   - changes: The records to write and the keys of those to remove.
    ///   - inUse: The records of watched queries. A cache that drops unreachable records starts from these and the root.
    /// - Throws: ``CacheError``, with the code ``CacheError/Code/conflict`` if another process has written since ``begin()``.
    func apply(_ changes: CacheChanges, inUse: () -> Set<CacheKey>) throws(CacheError)

    /// The number of times that the cache has dropped records to respect its bound, or `nil` if it does not return the same instances of
    /// ``Record`` that were written, or if other processes write, too.
    ///
    /// A store merges a response that is received again unless this number is the same as after the first time.
    var evictions: Int? { get }

    /// The keys of all records.
    /// - Throws: ``CacheError``.
    func keys() throws(CacheError) -> [CacheKey]

    /// Removes everything.
    /// - Throws: ``CacheError``.
    func removeAll() throws(CacheError)
}

extension NormalizedCache {
    /// Nothing: no other process writes.
    public func begin() {}
    /// Nothing: no other process writes.
    public func lock() {}
    /// Nothing: no other process writes.
    public func unlock() {}
    /// `nil`: a store merges each response.
    public var evictions: Int? { nil }
}

/// Records to write and to remove together.
public struct CacheChanges: Sendable {
    /// Whole records, which replace those of their keys.
    public var records: [CacheKey: Record]
    /// The records to remove.
    public var removed: Set<CacheKey>

    /// These changes.
    public init(records: [CacheKey: Record] = [:], removed: Set<CacheKey> = []) {
        self.records = records
        self.removed = removed
    }
}

/// The reason why a cache could not read or write.
public struct CacheError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The file is no cache, or is damaged.
        case corrupt
        /// The file was written by a newer version of the library.
        case newerVersion
        /// There is no room left.
        case full
        /// Another process has the file locked for too long.
        case busy
        /// Another process has written since the records were read. The store handles this one: it reads and writes again.
        case conflict
        /// The file cannot be opened, read or written.
        case unavailable
    }

    /// The kind of failure.
    public var code: Code
    /// The failure and the remedy, for a person.
    public var message: String

    /// An error of that kind.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
