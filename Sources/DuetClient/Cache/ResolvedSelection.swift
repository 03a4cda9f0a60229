import DuetJSON

/// The fields of an ``ObjectMap`` for given values of the variables. In the arguments, variables are replaced by their
/// values. Fields that `@include` or `@skip` excludes are omitted.
final class ResolvedSelection: Sendable {
    /// A selected field. For each value of each record, a field is passed to a function. This type is therefore a
    /// class: a reference is cheap to copy.
    final class Field: Sendable {
        let name: String
        let responseName: String
        /// The UTF-8 of the response name.
        let responseBytes: [UInt8]
        /// The key of the value in a record.
        let key: FieldKey
        /// The position of the key in ``ResolvedSelection/keys``.
        let keyPosition: Int
        let arguments: JSONObject
        /// The type conditions of the field, from the outermost to the innermost. An object has the field if it
        /// satisfies all conditions. Without conditions, every object has the field.
        let typeConditions: [String]
        let child: ResolvedSelection?
        /// The field of the ``ObjectMap`` from which this field was created.
        let map: FieldMap
        /// The requested page, if the field is a connection whose pages are merged.
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
            child = map.object.map { ResolvedSelection($0, variables: variables, connections: connections) }
        }
    }

    /// Unique keys with their positions.
    struct Keys {
        private(set) var list: [FieldKey] = []
        private var positions: [FieldKey: Int] = [:]

        /// Returns the position of a key. Adds the key if it is new.
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
    /// The unique keys of all fields. Records with exactly these keys share the array.
    let keys: [FieldKey]
    /// True if two fields have the same key. This is the case if a field is selected with two response names, or both
    /// inside and outside a ``TypeCase``.
    var repeatsKeys: Bool { keys.count < fields.count }
    let hasTypeConditions: Bool
    /// True if two fields may have the same response name.
    let mayRepeatNames: Bool

    /// - Parameters:
    ///   - variables: The values of the variables. An argument is omitted if its variable has no value (specification,
    ///     section 6.4.1).
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

    /// Returns the position of the field with the response name. Only fields without a type condition and fields for
    /// the given type are considered.
    /// - Parameter hint: The expected position.
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
    /// Returns the arguments as JSON, in which each variable is replaced by its value.
    func json(_ variables: JSONObject) -> JSONObject {
        var object = JSONObject()
        for element in elements {
            if let value = element.value.json(variables) { object[element.name] = value }
        }
        return object
    }
}

extension ArgumentValue {
    /// Returns the value as JSON; `nil` for a variable without a value.
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
