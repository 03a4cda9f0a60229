/// Reads the records of a query.
final class RecordReader {
    private let load: (CacheKey) -> Record?
    let policies: CachePolicies
    /// Decides if a field is too old; `nil` to read fields of any age.
    let freshness: Freshness?

    init(policies: CachePolicies, freshness: Freshness?, load: @escaping (CacheKey) -> Record?) {
        self.policies = policies
        self.freshness = freshness
        self.load = load
    }

    /// The record of a key. The root always has one.
    func record(_ key: CacheKey) -> Record? { load(key) ?? (key == .queryRoot ? Self.empty : nil) }

    private static let empty = Record(keys: [], values: [], receipts: .each([]))

    /// The value of a selected field; `nil` if the record does not have it, or has one that is too old.
    /// - Parameter hint: where it probably is in the record.
    func value(
        of field: Selection.Field, in record: Record, typeName: @autoclosure () -> String?, hint: Int
    ) -> FieldValue? {
        // A page after the first one is never read from the merged list.
        if let page = field.page, !page.isFirst { return nil }
        guard let position = record.position(of: field.key, hint: hint) else {
            guard field.child != nil, let key = policies.entity(of: field, in: typeName()), load(key) != nil else {
                return nil
            }
            return .reference(key)
        }
        if let freshness {
            let type = freshness.needsType ? typeName() : nil
            guard freshness.isFresh(record.receipts[position], type: type, field: field.name) else { return nil }
        }
        return record.values[position]
    }

    private static let typeNameKey: FieldKey = "__typename"

    /// The type of a record: its `__typename`, or the one that the selection names.
    func typeName(of record: Record, _ selection: Selection) -> String? {
        if case .string(let name)? = record[Self.typeNameKey] { return name }
        return selection.typeName
    }
}
