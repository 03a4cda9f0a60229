package import DuetJSON

/// An output for the members of an OpenAPI document in order. An output for texts writes each member at once, so that
/// the values of a large document are never in memory together.
package protocol OpenAPIOutput {
    /// Adds a member, whose name does not exist yet, to the open object. At the beginning, this is the document.
    /// - Throws: An error of the text format, or of the receiver of the text.
    mutating func add(_ name: String, _ value: JSONValue) throws
    /// Adds a member whose value is an object, and opens this object.
    mutating func open(_ name: String) throws
    /// Closes the open object. The object around it is open again.
    mutating func close() throws
    /// Returns an output that collects members of an object with `depth` objects around it.
    func part(depth: Int) throws -> Self
    /// Adds the members of a part to the open object.
    mutating func add(_ part: consuming Self) throws
}

/// The members of a document as values.
struct MemberList: OpenAPIOutput {
    /// The members of the open objects, from the outside to the inside.
    private var members: [[(String, JSONValue)]] = [[]]
    /// The names of the open objects, except the document.
    private var names: [String] = []

    /// The document. All other objects must be closed.
    var object: JSONObject { JSONObject(members[0]) }

    mutating func add(_ name: String, _ value: JSONValue) { members[members.count - 1].append((name, value)) }

    mutating func open(_ name: String) {
        names.append(name)
        members.append([])
    }

    mutating func close() { add(names.removeLast(), .object(JSONObject(members.removeLast()))) }
    func part(depth _: Int) -> MemberList { MemberList() }
    mutating func add(_ part: consuming MemberList) { members[members.count - 1] += part.members[0] }
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
