public import DuetJSON
import Foundation

/// Reads and writes a store. It is valid only inside the closure that receives it.
public final class WriteTransaction: ReadTransaction {
    private lazy var receipt = Receipt.inheriting(received: store.now)
    private let store: GraphQLStore

    override init(_ stage: RecordStage, _ store: GraphQLStore) {
        self.store = store
        super.init(stage, store)
    }

    /// Writes the data of a query in the same way as a response of the server.
    /// - Parameters:
    ///   - data: The value of `data` in a response.
    ///   - query: The query with its variables.
    /// - Throws: ``StoreError``.
    public func write<Query: GraphQLQuery>(_ data: JSONValue, for query: Query) throws(StoreError) {
        let selection = try selection(of: query)
        let tape: JSONTape
        var text = ""
        CanonicalJSON.append(data, to: &text)
        do { tape = try JSONTape(parsing: Array(text.utf8)) } catch {
            throw .model(ModelError(.typeMismatch, "The data is nested too deeply to be written: \(error)."))
        }
        var normalizer = Normalizer(policies: policies, receipt: receipt)
        normalizer.add(tape.root, selection, key: .queryRoot)
        do { try stage.merge(normalizer) } catch { throw .cache(error) }
    }

    /// Calls a closure that changes the fields of an object. If the cache does not have the object, the closure
    /// receives an object without fields.
    /// - Throws: ``StoreError`` or the error of the closure.
    public func updateObject(_ key: CacheKey, _ body: (inout CachedFields) throws -> Void) throws {
        let record: Record?
        do { record = try stage.record(key) } catch { throw StoreError.cache(error) }
        var fields = CachedFields(record)
        try body(&fields)
        guard !fields.changes.isEmpty else { return }
        let change = Record(fields.changes.map { ($0.key, $0.value) }, receipt: receipt)
        stage.set(key, record.map { $0.merging(change) } ?? change)
    }

    /// Removes an object. In the cached result of a query that contains the object, the fields of the object are then
    /// missing.
    public func removeObject(_ key: CacheKey) { stage.set(key, nil) }

    /// Removes all objects whose keys match a condition.
    /// - Throws: ``StoreError``.
    public func removeObjects(matching condition: (CacheKey) -> Bool) throws(StoreError) {
        for key in try keys() where condition(key) { removeObject(key) }
    }
}

/// The cached fields of an object.
public struct CachedFields {
    private let record: Record?
    private(set) var changes: [FieldKey: FieldValue] = [:]

    init(_ record: Record?) { self.record = record }

    /// The value of a field; `nil` if the cache does not have the field. The key is the name of the field, or the name
    /// with arguments (``FieldKey``). A single field cannot be removed: setting `nil` has no effect.
    public subscript(key: FieldKey) -> FieldValue? {
        get { changes[key] ?? record?[key] }
        set { if let newValue { changes[key] = newValue } }
    }

    /// The keys of all fields.
    public var keys: [FieldKey] { (record?.keys ?? []) + changes.keys.filter { record?[$0] == nil } }
}
