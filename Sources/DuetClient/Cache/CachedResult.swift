/// The data of a query as a store has it.
public struct CachedResult<Data: Sendable>: Sendable {
    /// The data. `nil` if a field is missing that the model needs; with other missing fields, these are `nil` or empty in it.
    public var data: Data?
    /// The paths of the fields that the cache does not have, or that are no longer fresh.
    public var missingPaths: [[PathElement]]
    /// When the oldest of the fields was received, in milliseconds since 1970; `nil` without any field.
    public var received: Int64?

    /// True if the cache has all fields.
    public var isComplete: Bool { missingPaths.isEmpty }
}

/// A query read from a store, with what the client needs to go on.
struct CachedRead<Query: GraphQLOperation>: Sendable {
    let result: CachedResult<Query.Data>
    /// The same as long as the query shows the same values; 0 if it is not watched.
    let digest: Int
    let dependencies: [CacheKey: [Selection]]

    init(
        _ query: Query.Type, _ selection: Selection, _ reader: RecordReader, isWatched: Bool = false
    ) throws(ModelError) {
        var walker = SelectionWalker(reader, isWatched: isWatched)
        walker.walk(.queryRoot, selection)
        var data: Query.Data?
        do throws(ModelError) {
            let root = ResponseValue(
                storage: .cached(.reference(.queryRoot), selection: selection, reader: reader))
            data = try Query.decode(root)
        } catch {
            // A missing field has its path in `missingPaths`. Any other error is one of the model or of the data.
            guard error.code == .missing, !walker.missingPaths.isEmpty else { throw error }
        }
        result = CachedResult(data: data, missingPaths: walker.missingPaths, received: walker.oldest)
        digest = walker.digest
        dependencies = walker.dependencies
    }
}
