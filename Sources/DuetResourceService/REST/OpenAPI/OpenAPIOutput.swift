package import DuetJSON

/// An object of an OpenAPI document, to which members are added in order. An output for texts adds the text of each
/// member, so that the values of a large document are never in memory together.
package protocol OpenAPIOutput {
    /// Returns an empty object, which becomes the value of a member of this object.
    func nested() -> Self
    /// Adds a member whose name does not exist yet.
    /// - Throws: An error of the text format.
    mutating func add(_ name: String, _ value: JSONValue) throws
    /// Adds a member whose value is an object that ``nested()`` has returned.
    mutating func add(_ name: String, _ object: consuming Self)
}

/// The members of an object as values.
struct MemberList: OpenAPIOutput {
    private var members: [(String, JSONValue)] = []

    /// The object with the members.
    var object: JSONObject { JSONObject(members) }

    func nested() -> MemberList { MemberList() }
    mutating func add(_ name: String, _ value: JSONValue) { members.append((name, value)) }
    mutating func add(_ name: String, _ object: consuming MemberList) { members.append((name, .object(object.object))) }
}

extension Sequence {
    /// Returns the elements with equal keys as groups. The groups and their elements are in the order of the sequence.
    package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(Key, [Element])] {
        var groups: [(Key, [Element])] = []
        var positions: [Key: Int] = [:]
        for element in self {
            let key = key(element)
            if let position = positions[key] {
                groups[position].1.append(element)
            } else {
                positions[key] = groups.count
                groups.append((key, [element]))
            }
        }
        return groups
    }
}
