/// A cache that cannot be used. Each call throws the same error.
struct ClosedCache: NormalizedCache {
    let error: CacheError

    func begin() throws(CacheError) { throw error }
    func lock() throws(CacheError) { throw error }
    func record(for key: CacheKey) throws(CacheError) -> Record? { throw error }
    func apply(_ changes: CacheChanges, inUse: () -> Set<CacheKey>) throws(CacheError) { throw error }
    func keys() throws(CacheError) -> [CacheKey] { throw error }
    func removeAll() throws(CacheError) { throw error }
}

extension CacheError {
    /// The error of an access for a former caller.
    static let formerCaller = CacheError(
        .closed, "The caller has changed since the access began, so the cache of the former caller is closed.")
}
