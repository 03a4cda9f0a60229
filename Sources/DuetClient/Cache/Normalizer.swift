import DuetJSON

/// Splits the data of a response into records.
struct Normalizer {
    /// A page of a connection that must be merged with the cached pages.
    struct Page {
        let record: CacheKey
        let page: ConnectionPage
    }

    private(set) var records: [CacheKey: Record] = [:]
    private(set) var pages: [Page] = []
    private let policies: CachePolicies
    private let receipt: Receipt
    /// The paths of the errors in the response. A null at or above one of these paths is an effect of the error, so the
    /// value of the field is unknown.
    private let errorPaths: [[PathElement]]
    private var path: [PathElement] = []

    init(policies: CachePolicies, receipt: Receipt, errorPaths: [[PathElement]] = []) {
        self.policies = policies
        self.receipt = receipt
        self.errorPaths = errorPaths
    }

    /// Adds the records of an object.
    /// - Parameters:
    ///   - object: A JSON object. Other values are ignored.
    ///   - key: The key of the object's record.
    mutating func add(
        _ object: JSONTape.Value, _ selection: ResolvedSelection, key: CacheKey, page: ConnectionPage? = nil
    ) {
        guard object.kind == .object else { return }
        var cursor = JSONTape.Value.MemberCursor(object)
        var values: [FieldValue] = []
        values.reserveCapacity(selection.fields.count)
        var keys: [FieldKey] = []
        // True until a field is missing. Until then, the keys are equal to the first keys of the selection.
        var isWhole = true
        var hasValue = selection.repeatsKeys ? Array(repeating: false, count: selection.keys.count) : []
        let typeName = selection.hasTypeConditions ? object["__typename"]?.string ?? selection.typeName : nil
        for field in selection.fields {
            let member =
                policies.types.fulfils(field.typeConditions, typeName)
                ? field.responseBytes.withUnsafeBufferPointer { cursor.find($0) } : nil
            // If two fields have the same key, both are processed, because the selections of their objects may differ.
            let value: FieldValue? =
                if let member { self.value(member, field, owner: key, page: page) } else { nil }
            if selection.repeatsKeys {
                if hasValue[field.keyPosition] { continue }
                hasValue[field.keyPosition] = value != nil
            }
            guard let value else {
                if isWhole {
                    isWhole = false
                    keys = Array(selection.keys[..<values.count])
                }
                continue
            }
            values.append(value)
            if !isWhole { keys.append(field.key) }
        }
        let record = Record(keys: isWhole ? selection.keys : keys, values: values, receipts: .one(receipt))
        if let other = records[key] {
            records[key] = other.merging(record)
        } else {
            records[key] = record
        }
        if let page { pages.append(Page(record: key, page: page)) }
    }

    /// Returns the value of a field; `nil` if it is null because of an error in the response.
    private mutating func value(
        _ value: JSONTape.Value, _ field: ResolvedSelection.Field, owner: CacheKey, page: ConnectionPage?
    ) -> FieldValue? {
        guard !errorPaths.isEmpty else { return self.value(value, field, owner: owner, page: page, isTracked: false) }
        path.append(.field(field.responseName))
        defer { path.removeLast() }
        if value.isNull, errorPaths.contains(where: { $0.starts(with: path) }) { return nil }
        return self.value(value, field, owner: owner, page: page, isTracked: true)
    }

    private mutating func value(
        _ value: JSONTape.Value, _ field: ResolvedSelection.Field, owner: CacheKey, page: ConnectionPage?,
        isTracked: Bool
    ) -> FieldValue? {
        guard let child = field.child else { return FieldValue(scalar: value) }
        switch value.kind {
        case .object:
            return .reference(add(value, child, field, in: owner.appending(field.key)))
        case .array:
            var place = owner.appending(field.key)
            if let page { place = CacheKey(place.description + page.keySuffix) }
            return list(value, child, field, in: place, isTracked: isTracked)
        default: return .null
        }
    }

    private mutating func list(
        _ value: JSONTape.Value, _ child: ResolvedSelection, _ field: ResolvedSelection.Field, in place: CacheKey,
        isTracked: Bool
    ) -> FieldValue? {
        var elements: [FieldValue] = []
        elements.reserveCapacity(value.count)
        for element in value.elements {
            let index = elements.count
            if isTracked { path.append(.index(index)) }
            defer { if isTracked { path.removeLast() } }
            switch element.kind {
            case .object:
                elements.append(.reference(add(element, child, field, in: place, index: index)))
            case .array:
                guard let inner = list(element, child, field, in: place.appending(index), isTracked: isTracked) else {
                    return nil
                }
                elements.append(inner)
            default:
                // A list is discarded if an error occurred in one of its elements.
                if isTracked, errorPaths.contains(where: { $0.starts(with: path) }) { return nil }
                elements.append(.null)
            }
        }
        return .list(elements)
    }

    private mutating func add(
        _ object: JSONTape.Value, _ child: ResolvedSelection, _ field: ResolvedSelection.Field, in place: CacheKey,
        index: Int? = nil
    ) -> CacheKey {
        let key = identity(of: object, child) ?? index.map { place.appending($0) } ?? place
        add(object, child, key: key, page: field.page)
        return key
    }

    private func identity(of object: JSONTape.Value, _ selection: ResolvedSelection) -> CacheKey? {
        guard policies.cacheKeyForObject != nil || !policies.keyFields.isEmpty else { return nil }
        let typeName = object["__typename"]?.string ?? selection.typeName
        return policies.key(
            of: CacheObject(typeName: typeName) { name in
                guard
                    let field = selection.fields.first(where: {
                        $0.name == name && $0.child == nil && $0.arguments.members.isEmpty
                    })
                else { return nil }
                return object[field.responseName]?.json
            })
    }
}
