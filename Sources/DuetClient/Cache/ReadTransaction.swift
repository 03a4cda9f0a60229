import DuetJSON

/// Reads several queries and objects from a consistent state of a store. It is valid only inside the closure that
/// receives it.
public class ReadTransaction {
    let stage: RecordStage
    let policies: CachePolicies
    private let now: Int64

    init(_ stage: RecordStage, _ store: GraphQLStore) {
        self.stage = stage
        policies = store.policies
        now = store.now
    }

    /// Reads the data of a query.
    /// - Parameters:
    ///   - query: The query.
    ///   - allowsStale: True to read fields that are no longer fresh.
    /// - Returns: The complete or partial data, and the paths of the fields that the cache does not have.
    /// - Throws: ``StoreError``.
    public func read<Query: GraphQLQuery>(
        _ query: Query, allowsStale: Bool = true
    ) throws(StoreError) -> CachedResult<Query.Data> {
        let selection = try selection(of: query)
        return try stage.reading(policies, now: allowsStale ? nil : now) { reader throws(ModelError) in
            try CachedRead(Query.self, selection, reader).result
        }
    }

    /// Reads an object.
    /// - Returns: `nil` if the cache does not have the object.
    /// - Throws: ``StoreError`` if a field that the model requires is missing.
    public func readObject<Model: DataDecodable>(
        ofType model: Model.Type = Model.self, withKey key: CacheKey
    ) throws(StoreError) -> Model? {
        try stage.reading(policies, now: nil) { reader throws(ModelError) in
            guard let record = reader.record(key) else { return nil }
            let map = try MappingDecoder.map(Model.self).addingTypeNames()
            let selection = ResolvedSelection(map, variables: [:], connections: policies.connections)
            return try Model(from: DynamicDecoder(.cached(RecordDecoder(record, selection: selection, reader: reader))))
        }
    }

    /// Returns the cached fields of an object, or `nil` if the cache does not have the object.
    /// - Throws: ``StoreError``.
    public func fields(ofObject key: CacheKey) throws(StoreError) -> CachedFields? {
        do { return try stage.record(key).map { CachedFields($0) } } catch { throw .cache(error) }
    }

    /// Returns the keys of all records, including the root and the objects without identity.
    /// - Throws: ``StoreError``.
    public func keys() throws(StoreError) -> [CacheKey] {
        do { return try stage.keys() } catch { throw .cache(error) }
    }

    func selection<Operation: GraphQLOperation>(of operation: Operation) throws(StoreError) -> ResolvedSelection {
        do throws(ModelError) {
            return try Operation.document().selection(
                variables: operation.variables, connections: policies.connections)
        } catch {
            throw .model(error)
        }
    }
}
