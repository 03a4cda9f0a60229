import DuetJSON

extension JSONValue {
    /// The canonical form of the value: the members of all objects are sorted by the bytes of their names, and whole
    /// numbers have no fraction. Equal values have equal canonical bytes.
    var canonical: JSONValue {
        switch self {
        case .object(let object): .object(object.canonical)
        case .array(let elements): .array(elements.map(\.canonical))
        case .double(let number): Int64(exactly: number).map { .integer($0) } ?? self
        default: self
        }
    }
}

extension JSONObject {
    /// The object with its members sorted by the bytes of their names, and with canonical values.
    var canonical: JSONObject {
        JSONObject(
            members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value.canonical) })
    }
}
