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
    func value(
        of field: Selection.Field, in record: Record, typeName: @autoclosure () -> String?
    ) -> FieldValue? {
        // A page after the first one is never read from the merged list.
        if let page = field.page, !page.isFirst { return nil }
        guard let position = record.position(of: field.key, hint: field.keyPosition) else {
            guard field.child != nil, let key = policies.entity(of: field, in: typeName()), load(key) != nil else {
                return nil
            }
            return .reference(key)
        }
        if let freshness {
            // A transaction may have made the list shorter, so only a read that the server can complete looks at its length.
            if let page = field.page, !hasAll(record.values[position], of: page) { return nil }
            let type = freshness.needsType ? typeName() : nil
            guard freshness.isFresh(record.receipts[position], type: type, field: field.name) else { return nil }
        }
        return record.values[position]
    }

    /// Returns true if a list that was merged from pages is as long as a page asks for, or ends before.
    private func hasAll(_ connection: FieldValue, of page: ConnectionPage) -> Bool {
        guard let first = page.first, case .reference(let key) = connection, let record = record(key) else {
            return true
        }
        let counts = ConnectionPage.listKeys.compactMap { name -> Int? in
            if case .list(let elements)? = record[name] { elements.count } else { nil }
        }
        guard let count = counts.min(), count < first else { return true }
        guard case .reference(let key)? = record[ConnectionPage.pageInfo], let info = self.record(key) else {
            return false
        }
        return info[ConnectionPage.hasNextPage] == .bool(false)
    }

    private static let typeNameKey: FieldKey = "__typename"

    /// The type of a record: its `__typename`, or the one that the selection names.
    func typeName(of record: Record, _ selection: Selection) -> String? {
        if case .string(let name)? = record[Self.typeNameKey] { return name }
        return selection.typeName
    }
}
