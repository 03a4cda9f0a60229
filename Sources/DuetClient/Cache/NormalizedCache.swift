/// A place for the records of a ``GraphQLStore``.
///
/// A store calls its cache from one task at a time. A cache that forgets records is correct: what it does not have is fetched again.
public protocol NormalizedCache: Sendable {
    /// The record of a key, if the cache has it.
    /// - Throws: ``CacheError``.
    func record(for key: CacheKey) throws(CacheError) -> Record?

    /// Writes and removes records: all of them, or none if it throws.
    /// - Throws: ``CacheError``.
    func apply(_ changes: CacheChanges) throws(CacheError)

    /// The keys of all records.
    /// - Throws: ``CacheError``.
    func keys() throws(CacheError) -> [CacheKey]

    /// Removes everything.
    /// - Throws: ``CacheError``.
    func removeAll() throws(CacheError)
}

/// Records to write and to remove together.
public struct CacheChanges: Sendable {
    /// Whole records, which replace those of their keys.
    public var records: [CacheKey: Record]
    /// The records to remove.
    public var removed: Set<CacheKey>
    /// Records that are in use, from which a cache that drops unreachable records starts in addition to the root.
    public var inUse: Set<CacheKey>

    /// These changes.
    public init(records: [CacheKey: Record] = [:], removed: Set<CacheKey> = [], inUse: Set<CacheKey> = []) {
        self.records = records
        self.removed = removed
        self.inUse = inUse
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
