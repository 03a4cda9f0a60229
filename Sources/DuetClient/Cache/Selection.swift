import DuetJSON

/// The fields of an ``ObjectMap`` for given variables: argument values are known, and fields that are not selected are left out.
final class Selection: Sendable {
    /// One field. A class, because it is handed on for each value of each record.
    final class Field: Sendable {
        let name: String
        let responseName: String
        /// The UTF-8 of the response name.
        let responseBytes: [UInt8]
        /// Where a record has the value.
        let key: FieldKey
        /// The position of the key in ``Selection/keys``.
        let keyPosition: Int
        let arguments: JSONObject
        /// The types that an object must have or implement for this field, the innermost type case last; none for every object.
        let typeConditions: [String]
        let child: Selection?
        /// The part of the map that the field was made from.
        let map: FieldMap
        /// The page that is asked for, if the field is a connection whose pages are merged.
        let page: ConnectionPage?

        init(
            _ map: FieldMap, typeConditions: [String], variables: JSONObject, connections: Set<String>,
            keys: inout Keys
        ) {
            self.map = map
            self.typeConditions = typeConditions
            name = map.name
            responseName = map.responseName
            responseBytes = Array(responseName.utf8)
            arguments = map.arguments.json(variables)
            page = connections.contains(name) ? ConnectionPage(arguments) : nil
            key = FieldKey(name, arguments: page?.otherArguments ?? arguments)
            keyPosition = keys.position(of: key)
            child = map.object.map { Selection($0, variables: variables, connections: connections) }
        }
    }

    /// Different keys with their positions.
    struct Keys {
        private(set) var list: [FieldKey] = []
        private var positions: [FieldKey: Int] = [:]

        /// The position of a key, which is added if it is new.
        fileprivate mutating func position(of key: FieldKey) -> Int {
            if let position = positions[key] { return position }
            positions[key] = list.count
            list.append(key)
            return list.count - 1
        }
    }

    let typeName: String?
    let modelName: String
    let fields: [Field]
    /// The keys of all fields, each once, shared by the records that have just these.
    let keys: [FieldKey]
    /// Returns true if two fields have one key: under two response names, or in an object and in its type case.
    var repeatsKeys: Bool { keys.count < fields.count }
    let hasTypeConditions: Bool
    /// Returns false if each response name is that of one field.
    let mayRepeatNames: Bool

    /// - Parameters:
    ///   - variables: The values; an argument whose variable has none is left out (specification, section 6.4.1).
    ///   - connections: The names of the fields whose pages are merged.
    init(_ map: ObjectMap, variables: JSONObject, connections: Set<String>) {
        typeName = map.typeName
        modelName = map.modelName
        var fields: [Field] = []
        var keys = Keys()
        Self.add(map, conditions: [], variables: variables, connections: connections, to: &fields, &keys)
        self.fields = fields
        self.keys = keys.list
        hasTypeConditions = fields.contains { !$0.typeConditions.isEmpty }
        mayRepeatNames = hasTypeConditions || map.fields.contains { !$0.conditions.isEmpty }
    }

    private static func add(
        _ map: ObjectMap, conditions: [String], variables: JSONObject, connections: Set<String>,
        to fields: inout [Field], _ keys: inout Keys
    ) {
        for field in map.fields
        where field.conditions.allSatisfy({ variables[$0.variable] == .bool($0.selects) }) {
            fields.append(
                Field(
                    field, typeConditions: conditions, variables: variables, connections: connections, keys: &keys))
        }
        for typeCase in map.typeCases {
            add(
                typeCase.object, conditions: conditions + [typeCase.typeName], variables: variables,
                connections: connections, to: &fields, &keys)
        }
    }

    /// The field with that response name, among those for every object and those for objects of a type.
    /// - Parameter hint: Where it probably is.
    func position(of responseName: String, for type: String?, hint: Int) -> Int? {
        if hint < fields.count, isField(hint, responseName, type) { return hint }
        return fields.indices.first { isField($0, responseName, type) }
    }

    private func isField(_ position: Int, _ responseName: String, _ type: String?) -> Bool {
        let condition = fields[position].typeConditions.last
        return fields[position].responseName == responseName && (condition == nil || condition == type)
    }
}

extension Arguments {
    /// The values, with those of variables.
    func json(_ variables: JSONObject) -> JSONObject {
        var object = JSONObject()
        for element in elements {
            if let value = element.value.json(variables) { object[element.name] = value }
        }
        return object
    }
}

extension ArgumentValue {
    /// The value; `nil` for a variable without one.
    func json(_ variables: JSONObject) -> JSONValue? {
        switch self {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .integer(let integer): .integer(integer)
        case .double(let double): .double(double)
        case .string(let string): .string(string)
        case .enumeration(let name): .string(name)
        case .variable(let name, _): variables[name]
        case .list(let elements): .array(elements.map { $0.json(variables) ?? .null })
        case .object(let fields): .object(fields.json(variables))
        }
    }
}
