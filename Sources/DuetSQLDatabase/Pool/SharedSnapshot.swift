import Foundation

/// The snapshot of a call of ``Database/withSharedSnapshot(_:)``. All calls of
/// ``Database/readDirectly(within:deadline:origin:_:)`` on the thread of that call use the snapshot.
///
/// The snapshot begins with the first read. Only one thread uses it.
final class SharedSnapshot {
    /// The key of the thread-specific value that refers to the snapshot.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private let pool: Pool
    private let readers: DirectReaders
    /// The connection whose transaction holds the snapshot; nil before the first read, while a read uses the
    /// connection, and after a failed read.
    private var reader: DirectReaders.Reader?
    /// True during a read. A nested read runs in a separate transaction.
    private var isInUse = false
    private var knownVersion: DatabaseVersion??

    private init(_ pool: Pool, _ readers: DirectReaders) {
        self.pool = pool
        self.readers = readers
    }

    /// Runs a closure whose direct reads share a snapshot.
    static func run(_ pool: Pool, _ readers: DirectReaders, _ body: () -> Void) {
        let outer = pthread_getspecific(key)
        let snapshot = SharedSnapshot(pool, readers)
        pthread_setspecific(key, Unmanaged.passUnretained(snapshot).toOpaque())
        body()
        pthread_setspecific(key, outer)
        snapshot.end()
    }

    /// Returns the snapshot of the calling thread, if it belongs to this pool.
    static func current(of pool: Pool) -> SharedSnapshot? {
        guard let pointer = pthread_getspecific(key) else { return nil }
        let snapshot = Unmanaged<SharedSnapshot>.fromOpaque(pointer).takeUnretainedValue()
        return snapshot.pool === pool ? snapshot : nil
    }

    /// The version of the database, read before the snapshot began. If a commit occurred between the two moments, this
    /// version is older than the snapshot.
    var version: DatabaseVersion? {
        if let knownVersion { return knownVersion }
        let version = pool.version
        knownVersion = .some(version)
        return version
    }

    // MARK: Reads

    /// Reserves the snapshot for a read.
    /// - Returns: False if another read uses the snapshot.
    func use() -> Bool {
        guard !isInUse else { return false }
        isInUse = true
        return true
    }

    /// Removes and returns the connection whose transaction holds the snapshot; nil before the first read and after a
    /// failed read.
    func take() -> DirectReaders.Reader? {
        defer { reader = nil }
        return reader
    }

    /// Ends a read's reservation of the snapshot.
    /// - Parameter reader: The connection whose transaction the next read uses; nil after a failed read.
    func endUse(keeping reader: DirectReaders.Reader?) {
        isInUse = false
        self.reader = reader
    }

    private func end() {
        if let reader = take() { readers.end(reader, pool) }
    }
}
