import DuetJSON

/// The members of an object of a response or of the cache, for ``ResponseDecoder``.
final class ResponseObject {
    enum Storage {
        case response(JSONTape.Value)
        case cached(Record, selections: [ResolvedSelection]?, reader: RecordReader)
        case json(JSONObject)
    }

    private let storage: Storage
    private let selected: SelectedNames?
    /// The expected location of the next member in a response.
    private var cursor: JSONTape.Value.MemberCursor?
    /// The expected position of the next field in a selection.
    private var position = 0
    /// The last member that was looked up. A decoder looks up each member up to three times: to check that it exists,
    /// to check for `null`, and to read its value.
    private var last: (name: String, node: ResponseNode?)?

    init(_ storage: Storage, names: SelectedNames?) {
        self.storage = storage
        selected = names
        if case .response(let value) = storage { cursor = JSONTape.Value.MemberCursor(value) }
    }

    /// Returns true if the document selects the name, if the name is `__typename`, or if all members can be read.
    func isSelected(_ name: String) -> Bool {
        guard let selected else { return true }
        return selected[name] != nil || name == "__typename"
    }

    /// Returns the error for a missing member.
    func missing(_ name: String) -> ModelError {
        switch storage {
        case .response, .json:
            return ModelError(.missing, "The model reads this field, but the response does not contain it.")
        case .cached(let record, let selections, let reader):
            for selection in selections ?? [] {
                let type = reader.typeName(of: record, selection)
                for field in selection.fields where field.responseName == name {
                    guard let condition = field.typeConditions.first(where: { !reader.policies.types.isType(type, $0) })
                    else { continue }
                    return ModelError(
                        .missing,
                        "The document selects this field only for \(condition), but the cached object has the type \(type ?? "unknown"). If this type belongs to \(condition), add it to the types of the client's CachePolicies."
                    )
                }
            }
            return ModelError(.missing, "The cache does not have this field. Fetch the query from the server.")
        }
    }

    /// The names of the members. The client adds `__typename` to the document that it sends. This name is included only
    /// if the original document selects it.
    var names: [String] {
        let present: [String] =
            switch storage {
            case .response(let value): value.members.map(\.name)
            case .json(let object): object.members.map(\.key)
            case .cached(let record, .some(let selections), let reader):
                selections.reduce(into: []) { names, selection in
                    let type = reader.typeName(of: record, selection)
                    for field in selection.fields
                    where reader.policies.types.fulfils(field.typeConditions, type) && record[field.key] != nil {
                        if !names.contains(field.responseName) { names.append(field.responseName) }
                    }
                }
            case .cached(let record, nil, _):
                record.keys.map(\.description).filter { !$0.contains("(") }
            }
        guard let selected else { return present }
        return present.filter { selected[$0] != nil }
    }

    /// Returns the value of a member, or `nil` if the object does not have the member.
    func member(_ name: String) -> ResponseNode? {
        if let last, last.name == name { return last.node }
        let node = find(name)
        last = (name, node)
        return node
    }

    private func find(_ name: String) -> ResponseNode? {
        switch storage {
        case .response:
            return cursor?.find(name).map { ResponseNode(storage: .response($0), names: namesBelow(name)) }
        case .json(let object): return object[name].map { ResponseNode(storage: .json($0), names: nil) }
        case .cached(let record, nil, let reader):
            return record[FieldKey(name)].map {
                ResponseNode(storage: .cached($0, selections: nil, reader: reader), names: nil)
            }
        case .cached(let record, .some(let selections), let reader):
            return cached(name, record, selections, reader)
        }
    }

    private func namesBelow(_ name: String) -> SelectedNames? { selected?[name] ?? nil }

    /// Returns a member of a cached object. A document can select a field several times, for example in two fragments.
    /// The nested object then has the fields of all these selections.
    private func cached(
        _ name: String, _ record: Record, _ selections: [ResolvedSelection], _ reader: RecordReader
    ) -> ResponseNode? {
        var value: FieldValue?
        var children: [ResolvedSelection] = []
        for selection in selections {
            let type = reader.typeName(of: record, selection)
            let isOnly = selections.count == 1 && !selection.mayRepeatNames
            let start = isOnly && position < selection.fields.count ? position : 0
            for offset in selection.fields.indices {
                let index = (start + offset) % selection.fields.count
                let field = selection.fields[index]
                guard field.responseName == name, reader.policies.types.fulfils(field.typeConditions, type) else {
                    continue
                }
                if value == nil { value = reader.value(of: field, in: record, typeName: type) }
                if let child = field.child { children.append(child) }
                if isOnly {
                    position = index + 1
                    break
                }
            }
        }
        return value.map {
            ResponseNode(
                storage: .cached($0, selections: children, reader: reader), names: namesBelow(name))
        }
    }
}
