import DuetJSON
import Foundation

extension WriteTransaction {
    /// Reads the data of a query, lets a closure change the data, and writes the result.
    ///
    /// The data must encode its fields under their response names. If a property becomes `nil`, the field is written
    /// as `null`. If the encoding of an object has no `__typename`, the object retains the cached type. A `Date` is
    /// encoded as milliseconds since 1970.
    /// - Throws: ``StoreError`` if the cache does not have the whole query, or if the type of an object that was added
    ///   to a list is unknown. An error of the closure or of the encoding is also thrown.
    public func update<Query: GraphQLQuery>(
        _ query: Query, _ body: (inout Query.Data) throws -> Void
    ) throws where Query.Data: Encodable {
        try update(query, dates: .epochMilliseconds, body)
    }

    /// Reads the data of a query, lets a closure change the data, and writes the result.
    ///
    /// If a property becomes `nil`, the field is written as `null`. If the encoding of an object has no `__typename`,
    /// the object retains the cached type. A `Date` is encoded in the representation ``DocumentOperation/dates``.
    /// - Throws: ``StoreError`` if the cache does not have the whole query, or if the type of an object that was added
    ///   to a list is unknown. An error of the closure or of the encoding is also thrown.
    public func update<Query: DocumentQuery>(
        _ query: Query, _ body: (inout Query.Data) throws -> Void
    ) throws where Query.Data: Encodable {
        try update(query, dates: Query.dates, body)
    }

    private func update<Query: GraphQLQuery>(
        _ query: Query, dates: DateCoding, _ body: (inout Query.Data) throws -> Void
    ) throws where Query.Data: Encodable {
        let result = try read(query)
        guard var data = result.data, result.isComplete else {
            throw StoreError.model(
                ModelError(
                    .missing, "The cache does not have all fields of the query. Fetch the query before the update.",
                    path: result.missingPaths.first ?? []))
        }
        let encoder = JSONEncoder(dates: dates)
        let before = try JSONValue(parsing: try encoder.encode(data))
        try body(&data)
        let after = try JSONValue(parsing: try encoder.encode(data))
        let selection = try selection(of: query)
        let completed = try stage.reading(policies, now: nil) { reader throws(ModelError) in
            try EncodedData(selection, reader).completed(after, before: before)
        }
        try write(completed, for: query)
    }
}

/// Completes encoded data for the cache. The encoding of an `Encodable` type usually lacks two parts that the cache
/// needs: the types of objects, and a member with the value `null` for each property that is `nil`.
struct EncodedData {
    private let selection: ResolvedSelection
    private let reader: RecordReader

    init(_ selection: ResolvedSelection, _ reader: RecordReader) {
        self.selection = selection
        self.reader = reader
    }

    /// - Parameters:
    ///   - data: The encoding of the changed data.
    ///   - before: The encoding of the cached data before the change.
    func completed(_ data: JSONValue, before: JSONValue) throws(ModelError) -> JSONValue {
        try completed(data, before: before, cached: .reference(.queryRoot), [selection])
    }

    private func completed(
        _ value: JSONValue, before: JSONValue?, cached: FieldValue?, _ selections: [ResolvedSelection]
    ) throws(ModelError) -> JSONValue {
        switch value {
        case .object(let object) where !selections.isEmpty:
            return .object(try completed(object, before: before, cached: cached, selections))
        case .array(let elements) where !selections.isEmpty:
            return .array(try completed(elements, before: before, cached: cached, selections))
        default: return value
        }
    }

    private func completed(
        _ object: JSONObject, before: JSONValue?, cached: FieldValue?, _ selections: [ResolvedSelection]
    ) throws(ModelError) -> JSONObject {
        var object = object
        var record: Record?
        if case .reference(let key)? = cached { record = reader.record(key) }
        if object["__typename"] == nil, case .string(let type)? = record?["__typename"] {
            object["__typename"] = .string(type)
        }
        if case .object(let old)? = before {
            for member in old.members where object[member.key] == nil { object[member.key] = .null }
        }
        for (name, fields) in fields(of: selections) {
            guard let value = object[name] else { continue }
            object[name] = try below(name) { () throws(ModelError) in
                try completed(
                    value, before: before?[name],
                    cached: fields.lazy.compactMap { field in record.flatMap { $0[field.key] } }.first,
                    fields.compactMap(\.child))
            }
        }
        return object
    }

    private func completed(
        _ elements: [JSONValue], before: JSONValue?, cached: FieldValue?, _ selections: [ResolvedSelection]
    ) throws(ModelError) -> [JSONValue] {
        var old: [JSONValue] = []
        if case .array(let elements)? = before { old = elements }
        var known: [FieldValue] = []
        if case .list(let elements)? = cached { known = elements }
        var result: [JSONValue] = []
        for (index, element) in elements.enumerated() {
            result.append(
                try below(index) { () throws(ModelError) in
                    let position = position(of: element, in: old) ?? (elements.count == old.count ? index : nil)
                    if let position, position < known.count {
                        return try completed(element, before: old[position], cached: known[position], selections)
                    }
                    return try added(element, to: known, selections)
                })
        }
        return result
    }

    /// Returns the previous position of an element in the list. Elements are compared by their key fields. Elements
    /// without key fields are compared by all members.
    private func position(of element: JSONValue, in old: [JSONValue]) -> Int? {
        guard case .object(let object) = element else { return nil }
        let names = Set(reader.policies.keyFields.values.joined()).filter { object[$0] != nil }
        if names.isEmpty { return old.firstIndex(of: element) }
        return old.firstIndex { candidate in names.allSatisfy { candidate[$0] == object[$0] } }
    }

    /// Completes an element that was added to a list. If the encoding of the element has no `__typename`, the element
    /// gets the type that all elements of the cached list have.
    private func added(
        _ element: JSONValue, to known: [FieldValue], _ selections: [ResolvedSelection]
    ) throws(ModelError) -> JSONValue {
        guard case .object(var object) = element else {
            return try completed(element, before: nil, cached: nil, selections)
        }
        if object["__typename"] == nil, selections.contains(where: { $0.typeName == nil }) {
            var types: Set<String> = []
            for case .reference(let key) in known {
                if case .string(let type)? = reader.record(key)?["__typename"] { types.insert(type) }
            }
            guard types.count == 1, let type = types.first else {
                throw ModelError(
                    .missing,
                    "The type of this new object is not known. Select __typename in the document and encode it.")
            }
            object["__typename"] = .string(type)
        }
        return try completed(.object(object), before: nil, cached: nil, selections)
    }

    private func fields(of selections: [ResolvedSelection]) -> [String: [ResolvedSelection.Field]] {
        Dictionary(grouping: selections.flatMap(\.fields), by: \.responseName)
    }

    private func below<Value>(
        _ name: String, _ body: () throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        do throws(ModelError) { return try body() } catch { throw error.below(.field(name)) }
    }

    private func below<Value>(
        _ index: Int, _ body: () throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        do throws(ModelError) { return try body() } catch { throw error.below(.index(index)) }
    }
}
