/// Reads the records of a query.
final class RecordReader {
    private let load: (CacheKey) -> Record?
    let policies: CachePolicies
    /// Determines whether a field is stale; `nil` to read fields of any age.
    let freshness: Freshness?

    init(policies: CachePolicies, freshness: Freshness?, load: @escaping (CacheKey) -> Record?) {
        self.policies = policies
        self.freshness = freshness
        self.load = load
    }

    /// Returns the record of a key. The root record always exists, and is empty by default.
    func record(_ key: CacheKey) -> Record? { load(key) ?? (key == .queryRoot ? Self.empty : nil) }

    private static let empty = Record(keys: [], values: [], receipts: .each([]))

    /// Returns the value of a selected field; `nil` if the record does not have the field, or if its value is stale.
    func value(
        of field: Selection.Field, in record: Record, typeName: @autoclosure () -> String?
    ) -> FieldValue? {
        // Only the first page can be read from the merged list.
        if let page = field.page, !page.isFirst { return nil }
        guard let position = record.position(of: field.key, hint: field.keyPosition) else {
            guard field.child != nil, let key = policies.entity(of: field, in: typeName()), load(key) != nil else {
                return nil
            }
            return .reference(key)
        }
        if let freshness {
            // A transaction may have shortened the list. The length is checked only if the server can deliver the
            // missing elements.
            if let page = field.page, !hasAll(record.values[position], of: page) { return nil }
            let type = freshness.needsType ? typeName() : nil
            guard freshness.isFresh(record.receipts[position], type: type, field: field.name) else { return nil }
        }
        return record.values[position]
    }

    /// Returns true if a list that was merged from pages has the number of elements that the page requests, or is
    /// complete.
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

    /// Returns the type of a record: its `__typename`, or the type of the selection.
    func typeName(of record: Record, _ selection: Selection) -> String? {
        if case .string(let name)? = record[Self.typeNameKey] { return name }
        return selection.typeName
    }
}
