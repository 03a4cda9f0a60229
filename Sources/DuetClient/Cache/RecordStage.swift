/// The records that a transaction has written but not yet committed to the cache.
final class RecordStage {
    private let cache: any NormalizedCache
    private let overlay: [CacheKey: Record?]
    private let isExclusive: Bool
    private var hasBegun = false
    /// The records that differ from the cache; `nil` for removed records.
    private(set) var records: [CacheKey: Record?] = [:]

    /// - Parameters:
    ///   - overlay: Records that the transaction reads in place of the cached records.
    ///   - isExclusive: True if other processes must not write until the transaction ends.
    init(_ cache: any NormalizedCache, overlay: [CacheKey: Record?] = [:], isExclusive: Bool = false) {
        self.cache = cache
        self.overlay = overlay
        self.isExclusive = isExclusive
    }

    /// Begins the transaction of the cache, unless it has begun already.
    func begin() throws(CacheError) {
        guard !hasBegun else { return }
        hasBegun = true
        if isExclusive { try cache.lock() } else { try cache.begin() }
    }

    /// Returns the record that is visible in the transaction.
    func record(_ key: CacheKey) throws(CacheError) -> Record? {
        if let record = records[key] ?? overlay[key] { return record }
        try begin()
        return try cache.record(for: key)
    }

    /// Returns the keys of all records that are visible in the transaction.
    func keys() throws(CacheError) -> [CacheKey] {
        try begin()
        var keys = Set(try cache.keys())
        for (key, record) in overlay.merging(records, uniquingKeysWith: { $1 }) {
            if record == nil { keys.remove(key) } else { keys.insert(key) }
        }
        return Array(keys)
    }

    /// Replaces the written records by an earlier copy of them.
    func restore(_ records: [CacheKey: Record?]) { self.records = records }

    /// Calls a closure with a reader of the records.
    /// - Parameter now: The time in milliseconds since 1970; fields that are stale at this time are not read. If it is
    ///   `nil`, stale fields are also read.
    /// - Throws: ``StoreError``: an error of the closure, or the first error of the cache while the closure ran.
    func reading<Value>(
        _ policies: CachePolicies, now: Int64?, _ body: (RecordReader) throws(ModelError) -> Value
    ) throws(StoreError) -> Value {
        var failure: CacheError?
        let reader = RecordReader(
            policies: policies, freshness: now.map { Freshness(policies.timeToLive, now: $0) }
        ) { key in
            do throws(CacheError) {
                return try self.record(key)
            } catch {
                failure = failure ?? error
                return nil
            }
        }
        let result = Result { () throws(ModelError) in try body(reader) }
        if let failure { throw .cache(failure) }
        do { return try result.get() } catch { throw .model(error) }
    }

    /// Replaces a record.
    func set(_ key: CacheKey, _ record: Record?) { records[key] = .some(record) }

    /// Merges the records of a response. The record of the mutation root, and the records of objects without identity
    /// below it, are omitted, because no query reads them.
    func merge(_ normalizer: Normalizer) throws(CacheError) {
        let root = CacheKey.mutationRoot
        var incoming = normalizer.records
        for page in normalizer.pages { try extend(page, in: &incoming) }
        for (key, record) in incoming where key != root && !key.isBelow(root) {
            set(key, try self.record(key).map { $0.merging(record) } ?? record)
        }
    }

    /// If a page is adjacent to the cached pages, appends or prepends the page. Otherwise, the page replaces the cached
    /// pages.
    private func extend(_ page: Normalizer.Page, in incoming: inout [CacheKey: Record]) throws(CacheError) {
        guard !page.page.isFirst, let old = try record(page.record), let new = incoming[page.record],
            case .reference(let infoKey)? = old[ConnectionPage.pageInfo], let oldInfo = try record(infoKey)
        else { return }
        let isAppended = page.page.after.map { oldInfo[ConnectionPage.endCursor] == .string($0) } ?? false
        let isPrepended = page.page.before.map { oldInfo[ConnectionPage.startCursor] == .string($0) } ?? false
        guard isAppended || isPrepended else { return }
        let values = zip(new.keys, new.values).map { key, value -> FieldValue in
            guard case .list(let added) = value, case .list(let present)? = old[key] else { return value }
            let known = Set(present)
            let others = added.filter { !known.contains($0) }
            return .list(isAppended ? present + others : others + present)
        }
        incoming[page.record] = Record(keys: new.keys, values: values, receipts: new.receipts)
        // An appended page does not change the beginning of the list, so the information about the beginning is
        // retained. A prepended page does not change the end.
        guard let newInfo = incoming[infoKey] else { return }
        let kept =
            isAppended
            ? [ConnectionPage.startCursor, ConnectionPage.hasPreviousPage]
            : [ConnectionPage.endCursor, ConnectionPage.hasNextPage]
        let info = zip(newInfo.keys, newInfo.values).map { kept.contains($0) ? oldInfo[$0] ?? $1 : $1 }
        incoming[infoKey] = Record(keys: newInfo.keys, values: info, receipts: newInfo.receipts)
    }
}
