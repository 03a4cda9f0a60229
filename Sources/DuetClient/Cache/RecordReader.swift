/// Reads the records of a query.
final class RecordReader {
    private let load: (CacheKey) -> Record?
    let policies: CachePolicies
    /// Determines whether a field is stale; `nil` if stale fields are also read.
    let freshness: Freshness?

    init(policies: CachePolicies, freshness: Freshness?, load: @escaping (CacheKey) -> Record?) {
        self.policies = policies
        self.freshness = freshness
        self.load = load
    }

    /// Returns the record of a key. If the cache has no root record, the root is an empty record.
    func record(_ key: CacheKey) -> Record? { load(key) ?? (key == .queryRoot ? Self.empty : nil) }

    private static let empty = Record(keys: [], values: [], receipts: .each([]))

    /// Returns the value of a selected field; `nil` if the cache does not have the value, or if the value is stale.
    func value(
        of field: ResolvedSelection.Field, in record: Record, typeName: @autoclosure () -> String?
    ) -> FieldValue? {
        // The merged list begins with the first page, so a later page cannot be located in it.
        if let page = field.page, !page.isFirst { return nil }
        guard let position = record.position(of: field.key, hint: field.keyPosition) else {
            guard field.child != nil, let key = policies.entity(of: field, in: typeName()), load(key) != nil else {
                return nil
            }
            return .reference(key)
        }
        if let freshness {
            // A transaction may have shortened the list. The missing elements can come only from the server, so the
            // length is not checked if stale values are allowed.
            if let page = field.page, !hasAll(record.values[position], of: page) { return nil }
            let type = freshness.needsType ? typeName() : nil
            guard freshness.isFresh(record.receipts[position], type: type, field: field.name) else { return nil }
        }
        return record.values[position]
    }

    /// Returns true if a list of merged pages has at least as many elements as the page requests, or if it contains the
    /// end of the connection.
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
    func typeName(of record: Record, _ selection: ResolvedSelection) -> String? {
        if case .string(let name)? = record[Self.typeNameKey] { return name }
        return selection.typeName
    }
}
