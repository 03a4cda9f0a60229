/// The result of reading a query from a store.
public struct CachedResult<Data: Sendable>: Sendable {
    /// The data; `nil` if a field that the model requires is missing. If a field that the model does not require is
    /// missing, its value in the data is `nil` or an empty list.
    public var data: Data?
    /// The paths of the fields that are not in the cache or are stale.
    public var missingPaths: [[PathElement]]
    /// The time at which the oldest field was received, in milliseconds since 1970; `nil` if there are no fields.
    public var received: Int64?

    /// True if the cache has all fields and none of them is stale.
    public var isComplete: Bool { missingPaths.isEmpty }
}

/// The result of reading a query from a store, with the values that the client needs for a watch.
struct CachedRead<Query: GraphQLOperation>: Sendable {
    let result: CachedResult<Query.Data>
    /// A hash of the values that the query reads. While the values do not change, the hash does not change. It is 0 if
    /// the query is not watched.
    let digest: Int
    let dependencies: [CacheKey: [ResolvedSelection]]

    init(
        _ query: Query.Type, _ selection: ResolvedSelection, _ reader: RecordReader, isWatched: Bool = false
    ) throws(ModelError) {
        var walker = SelectionWalker(reader, isWatched: isWatched)
        walker.walk(.queryRoot, selection)
        var data: Query.Data?
        do throws(ModelError) {
            let root = ResponseValue(
                storage: .cached(.reference(.queryRoot), selection: selection, reader: reader))
            data = try Query.decode(root)
        } catch {
            // The path of a missing field is in `missingPaths`. Other errors are errors of the model or of the data.
            guard error.code == .missing, !walker.missingPaths.isEmpty else { throw error }
        }
        result = CachedResult(data: data, missingPaths: walker.missingPaths, received: walker.oldest)
        digest = walker.digest
        dependencies = walker.dependencies
    }
}
