import JSON
import NIOCore
import SQLDatabase

/// Which members an object has, in which order, and where each comes from. Made once and used for many result sets: the
/// names have become bytes.
public final class ObjectShape: Sendable {
    /// One member of the object.
    public enum Member: Sendable {
        /// A column's value, by the column's position in the result set.
        case column(name: String, Int)
        /// The same JSON text in each object, such as `"Employee"` with its quotes.
        case constant(name: String, json: String)
        /// The next attachment, in the order in which they are attached.
        case attachment
    }

    /// What stands before, between and behind the attachments: columns, each with the bytes in front of its value, and what
    /// follows the last of them.
    struct Stretch: Sendable {
        var columns: [(prefix: [UInt8], column: Int)] = []
        var suffix: [UInt8] = []
    }

    /// One more than there are attachments among the members; at least one.
    let stretches: [Stretch]
    /// For each attachment among the members, whether it is the object's first member.
    let opensObject: [Bool]
    /// The names of the columns, for the line that heads a CSV.
    let columnNames: [String]
    /// Whether there are no members at all.
    let isEmpty: Bool

    /// Members in their order. Attachments that are not among them come last.
    public init(_ members: [Member]) {
        var stretches = [Stretch()]
        var opensObject: [Bool] = []
        var names: [String] = []
        for (index, member) in members.enumerated() {
            let last = stretches.count - 1
            switch member {
            case .column(let name, let column):
                let prefix = stretches[last].suffix + JSONKey.prefix(name, opensObject: index == 0)
                stretches[last].suffix = []
                stretches[last].columns.append((prefix, column))
                names.append(name)
            case .constant(let name, let json):
                stretches[last].suffix += JSONKey.prefix(name, opensObject: index == 0) + Array(json.utf8)
            case .attachment:
                stretches.append(Stretch())
                opensObject.append(index == 0)
            }
        }
        self.stretches = stretches
        self.opensObject = opensObject
        columnNames = names
        isEmpty = members.isEmpty
    }

    /// - Parameter columns: names and the columns' positions in the result set.
    public convenience init(_ columns: [(name: String, column: Int)]) {
        self.init(columns.map { Member.column(name: $0.name, $0.column) })
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
