import DuetJSON

extension JSONValue {
    /// The value with the members of all objects in the order of their names' bytes, and whole numbers without a fraction, so that equal
    /// values are equal bytes.
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
    /// The object with its members in the order of their names' bytes; the same for the values.
    var canonical: JSONObject {
        JSONObject(
            members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value.canonical) })
    }
}
