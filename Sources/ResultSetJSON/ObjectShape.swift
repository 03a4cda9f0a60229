import JSON
import NIOCore
import SQLDatabase

/// Which members an object has, in which order, and which column each comes from. Made once and used for many result
/// sets: the names have become bytes.
public final class ObjectShape: Sendable {
    struct Member: Sendable {
        let name: String
        let column: Int
        /// `{"name":` for the first member, `,"name":` for the others.
        let prefix: [UInt8]
    }

    let members: [Member]
    /// All prefixes together, for the room a row needs.
    let prefixBytes: Int

    /// - Parameter members: names and the columns' positions in the result set; none may be empty.
    public init(_ members: [(name: String, column: Int)]) {
        let members = members.enumerated().map { index, member in
            Member(
                name: member.name, column: member.column,
                prefix: JSONKey.prefix(member.name, opensObject: index == 0))
        }
        self.members = members
        prefixBytes = members.reduce(0) { $0 + $1.prefix.count }
    }
}

enum JSONKey {
    /// `{"name":` or `,"name":`.
    static func prefix(_ name: String, opensObject: Bool) -> [UInt8] {
        var writer = JSONWriter(capacity: 64)
        writer.write(byte: UInt8(ascii: opensObject ? "{" : ","))
        writer.write(key: name)
        return Array(writer.buffer.readableBytesView)
    }
}
