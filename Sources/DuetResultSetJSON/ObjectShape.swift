import DuetJSON
public import DuetSQLDatabase

/// Which members an object has, in which order, and where each comes from. Made once and used for many result sets: the
/// names have become bytes.
public final class ObjectShape: Sendable {
    /// One member of the object.
    public enum Member: Sendable {
        /// A column's value, by the column's position in the result set, in the form of its type. `choices` are the valid texts of
        /// a column whose kind is ``ValueFormat/Kind/choice``; if it is empty, all are valid.
        case column(name: String, Int, ValueFormat = .any, choices: [String] = [])
        /// A text made of the values of some columns.
        case computed(name: String, columns: [Int], @Sendable ([SQLValue]) -> String)
        /// The same JSON text in each object, such as `"Invoice"` with its quotes.
        case constant(name: String, json: String)
        /// An object with members of its own, from the same row.
        case object(name: String, [Member])
        /// The next attachment, in the order in which they are attached.
        case attachment
    }

    /// A value, and the bytes in front of it.
    struct Slot: Sendable {
        enum Source: Sendable {
            case column(Int, ValueFormat, choices: [String])
            case computed(columns: [Int], @Sendable ([SQLValue]) -> String)
        }

        /// The name of the member.
        let name: String
        let prefix: [UInt8]
        let source: Source
    }

    /// What stands before, between and behind the attachments: values, and what follows the last of them.
    struct Stretch: Sendable {
        var slots: [Slot] = []
        var suffix: [UInt8] = []

        var isEmpty: Bool { slots.isEmpty && suffix.isEmpty }

        mutating func append(_ name: String, _ prefix: [UInt8], _ source: Slot.Source) {
            slots.append(Slot(name: name, prefix: suffix + prefix, source: source))
            suffix = []
        }
    }

    /// One more than there are attachments among the members, at least one; without those at the end that have nothing, as where
    /// attachments come last.
    let stretches: [Stretch]
    /// For each attachment among the members, whether it is the object's first member.
    let opensObject: [Bool]
    /// The names of the columns, for the line that heads a CSV.
    let columnNames: [String]
    /// Whether there are no members at all.
    let isEmpty: Bool
    /// The name of the rows' table or resource, for errors.
    let source: String?

    /// Members in their order. Attachments that are not among them come last.
    /// - Parameter source: The name of the rows' table or resource, for errors.
    public init(_ members: [Member], of source: String? = nil) {
        self.source = source
        var builder = Builder()
        builder.add(members)
        stretches = builder.stretchesInUse
        opensObject = builder.opensObject
        columnNames = builder.names
        isEmpty = members.isEmpty
    }

    private struct Builder {
        var stretches = [Stretch()]
        var opensObject: [Bool] = []
        var names: [String] = []

        var stretchesInUse: [Stretch] {
            let last = stretches.lastIndex { !$0.isEmpty } ?? 0
            return Array(stretches[...last])
        }

        /// Everything of an object but the brace that ends it, and, without members, the one that begins it.
        mutating func add(_ members: [Member]) {
            for (index, member) in members.enumerated() {
                let last = stretches.count - 1
                func prefix(_ name: String) -> [UInt8] { JSONKey.prefix(name, opensObject: index == 0) }
                switch member {
                case .column(let name, let column, let format, let choices):
                    stretches[last].append(name, prefix(name), .column(column, format, choices: choices))
                    names.append(name)
                case .computed(let name, let columns, let text):
                    stretches[last].append(name, prefix(name), .computed(columns: columns, text))
                    names.append(name)
                case .constant(let name, let json):
                    stretches[last].suffix += prefix(name) + Array(json.utf8)
                case .object(let name, let members):
                    stretches[last].suffix += prefix(name)
                    add(members)
                    stretches[stretches.count - 1].suffix += Array((members.isEmpty ? "{}" : "}").utf8)
                case .attachment:
                    stretches.append(Stretch())
                    opensObject.append(index == 0)
                }
            }
        }
    }

    /// - Parameter columns: names and the columns' positions in the result set.
    public convenience init(_ columns: [(name: String, column: Int)]) {
        self.init(columns.map { Member.column(name: $0.name, $0.column) })
    }
}

enum JSONKey {
    /// `{"name":` or `,"name":`.
    static func prefix(_ name: String, opensObject: Bool) -> [UInt8] {
        var writer = JSONByteWriter(capacity: 64)
        writer.write(byte: UInt8(ascii: opensObject ? "{" : ","))
        writer.write(key: name)
        return writer.bytes
    }
}
