/// Reads the records of a query without decoding a model. It collects the missing fields, the age of the oldest field,
/// and the records that the query depends on.
struct SelectionWalker {
    private let reader: RecordReader
    private let isWatched: Bool
    private var path: [PathElement] = []
    /// The positions of the fields to fetch, by selection: the missing fields, and the fields whose object has no
    /// identity and is incomplete. An object without identity is fetched completely, because the server may return a
    /// different object.
    private var missing: [ObjectIdentifier: Set<Int>] = [:]
    private var values = Hasher()

    /// The paths of the missing fields.
    private(set) var missingPaths: [[PathElement]] = []
    /// The time at which the oldest field was received, in milliseconds since 1970; `nil` if there are no fields.
    private(set) var oldest: Int64?
    /// The selections of each record that the query reads. They are collected only for watchers.
    private(set) var dependencies: [CacheKey: [ResolvedSelection]] = [:]

    /// - Parameter isWatched: True to collect the dependencies and the digest.
    init(_ reader: RecordReader, isWatched: Bool = false) {
        self.reader = reader
        self.isWatched = isWatched
    }

    /// A hash of the values that the query reads. Equal values have equal hashes. Different values have equal hashes
    /// with a probability of 1 in 2^64.
    var digest: Int {
        let hasher = values
        return hasher.finalize()
    }

    /// Reads an object and its nested objects.
    /// - Returns: True if a field is missing in the object, or in a nested object without identity.
    @discardableResult
    mutating func walk(_ key: CacheKey, _ selection: ResolvedSelection) -> Bool {
        if isWatched, dependencies[key]?.contains(where: { $0 === selection }) != true {
            dependencies[key, default: []].append(selection)
        }
        guard let record = reader.record(key) else {
            for position in selection.fields.indices { addMissing(position, of: selection) }
            return true
        }
        var isPartial = false
        let typeName = selection.hasTypeConditions ? reader.typeName(of: record, selection) : nil
        for (position, field) in selection.fields.enumerated() {
            guard reader.policies.types.fulfils(field.typeConditions, typeName) else { continue }
            let value = reader.value(
                of: field, in: record, typeName: reader.typeName(of: record, selection))
            guard let value else {
                if isWatched, let key = reader.policies.entity(of: field, in: selection.typeName),
                    let child = field.child
                {
                    dependencies[key, default: []].append(child)
                }
                addMissing(position, of: selection)
                isPartial = true
                continue
            }
            if let position = record.position(of: field.key, hint: field.keyPosition) {
                let received = record.receipts[position].received
                oldest = oldest.map { min($0, received) } ?? received
            }
            if isWatched { values.combine(value) }
            if let child = field.child {
                path.append(.field(field.responseName))
                if walk(value, child, owner: key) {
                    missing[ObjectIdentifier(selection), default: []].insert(position)
                    isPartial = true
                }
                path.removeLast()
            }
        }
        return isPartial
    }

    /// - Returns: True if a field is missing in an object without identity.
    private mutating func walk(_ value: FieldValue, _ selection: ResolvedSelection, owner: CacheKey) -> Bool {
        switch value {
        case .reference(let key):
            let isPartial = walk(key, selection)
            return isPartial && key.isBelow(owner)
        case .list(let elements):
            var isPartial = false
            for (index, element) in elements.enumerated() {
                path.append(.index(index))
                if walk(element, selection, owner: owner) { isPartial = true }
                path.removeLast()
            }
            return isPartial
        default: return false
        }
    }

    private mutating func addMissing(_ position: Int, of selection: ResolvedSelection) {
        missing[ObjectIdentifier(selection), default: []].insert(position)
        missingPaths.append(path + [.field(selection.fields[position].responseName)])
        if isWatched { values.combine(position) }
    }

    /// Returns the part of a map that must be fetched: the missing fields, and the fields on the paths to them.
    /// - Parameter keyFields: Returns the fields that identify an object. The part includes these fields, because the
    ///   response cannot be merged without them.
    /// - Returns: The part, or `nil` if nothing is missing.
    func missingMap(
        _ map: ObjectMap, _ selection: ResolvedSelection, keyFields: (ObjectMap) -> [FieldMap]
    ) -> ObjectMap? {
        let positions = missing[ObjectIdentifier(selection)] ?? []
        var unconditional: [FieldMap] = []
        var byType: [(types: [String], field: FieldMap)] = []
        for (position, field) in selection.fields.enumerated() {
            var part = field.map
            if !positions.contains(position) {
                guard let child = field.child, let object = field.map.object,
                    let missing = missingMap(object, child, keyFields: keyFields)
                else { continue }
                part.object = missing
            }
            if field.typeConditions.isEmpty {
                unconditional.append(part)
            } else {
                byType.append((field.typeConditions, part))
            }
        }
        guard !unconditional.isEmpty || !byType.isEmpty else { return nil }
        var result = ObjectMap(typeName: map.typeName, modelName: map.modelName, fields: unconditional)
        result.mayHaveIdentity = map.mayHaveIdentity
        for (types, field) in byType { result.append(field, on: types[...]) }
        result.insertKeyFields(of: map, keyFields)
        return result
    }
}

extension ObjectMap {
    /// Adds a field below nested type conditions.
    fileprivate mutating func append(_ field: FieldMap, on types: ArraySlice<String>) {
        guard let type = types.first else {
            fields.append(field)
            return
        }
        if let index = typeCases.firstIndex(where: { $0.typeName == type }) {
            typeCases[index].object.append(field, on: types.dropFirst())
        } else {
            var object = ObjectMap(modelName: modelName)
            object.append(field, on: types.dropFirst())
            typeCases.append(TypeCase(on: type, object))
        }
    }

    /// Adds the key fields of the complete map, both to this object and to the type cases that contain key fields.
    /// - Parameter known: The response names that are already selected for the object.
    fileprivate mutating func insertKeyFields(
        of map: ObjectMap, known: Set<String> = [], _ keyFields: (ObjectMap) -> [FieldMap]
    ) {
        let names = known.union(fields.map(\.responseName))
        fields.insert(contentsOf: keyFields(map).filter { !names.contains($0.responseName) }, at: 0)
        let selected = known.union(fields.map(\.responseName))
        for typeCase in map.typeCases {
            let index = typeCases.firstIndex { $0.typeName == typeCase.typeName }
            var object = index.map { typeCases[$0].object } ?? ObjectMap(modelName: modelName)
            object.insertKeyFields(of: typeCase.object, known: selected, keyFields)
            if let index {
                typeCases[index].object = object
            } else if !object.fields.isEmpty || !object.typeCases.isEmpty {
                typeCases.append(TypeCase(on: typeCase.typeName, object))
            }
        }
    }
}
