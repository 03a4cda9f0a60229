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
    /// The names of the object's members, without those of attachments.
    let memberNames: [String]
    /// A name that two members of one object have, if there is one.
    let repeatedName: String?
    /// The number of columns that the result set has at least.
    let requiredColumns: Int
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
        memberNames = members.compactMap(\.name)
        repeatedName = builder.repeatedName
        requiredColumns = builder.requiredColumns
    }

    private struct Builder {
        var stretches = [Stretch()]
        var opensObject: [Bool] = []
        var names: [String] = []
        var repeatedName: String?
        var requiredColumns = 0

        var stretchesInUse: [Stretch] {
            let last = stretches.lastIndex { !$0.isEmpty } ?? 0
            return Array(stretches[...last])
        }

        /// Everything of an object but the brace that ends it, and, without members, the one that begins it.
        mutating func add(_ members: [Member]) {
            repeatedName = repeatedName ?? ObjectShape.repeated(members.compactMap(\.name))
            for (index, member) in members.enumerated() {
                let last = stretches.count - 1
                func prefix(_ name: String) -> [UInt8] { JSONKey.prefix(name, opensObject: index == 0) }
                switch member {
                case .column(let name, let column, let format, let choices):
                    requiredColumns = max(requiredColumns, column + 1)
                    stretches[last].append(name, prefix(name), .column(column, format, choices: choices))
                    names.append(name)
                case .computed(let name, let columns, let text):
                    requiredColumns = max(requiredColumns, (columns.max() ?? -1) + 1)
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

    /// The first name that a list has twice.
    static func repeated(_ names: [String]) -> String? {
        // Nearly all lists are short, and to compare their names takes less time than a set of them.
        guard names.count > 8 else {
            return names.indices.first { names[..<$0].contains(names[$0]) }.map { names[$0] }
        }
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }
    }

    /// - Parameter columns: names and the columns' positions in the result set.
    public convenience init(_ columns: [(name: String, column: Int)]) {
        self.init(columns.map { Member.column(name: $0.name, $0.column) })
    }
}

extension ObjectShape.Member {
    /// The name of the member; an attachment has its own.
    fileprivate var name: String? {
        switch self {
        case .column(let name, _, _, _), .computed(let name, _, _), .constant(let name, _), .object(let name, _): name
        case .attachment: nil
        }
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
