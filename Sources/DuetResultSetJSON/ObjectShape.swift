import DuetJSON
public import DuetSQLDatabase
public import NIOCore

/// The ordered members of an object, and the source of each member's value, such as a column, a constant or an
/// attachment.
///
/// A shape can be created once and used for many result sets. If a column does not exist in a result set, an error is
/// thrown before its first row is written.
public final class ObjectShape: Sendable {
    /// One member of the object.
    public enum Member: Sendable {
        /// The value of a column, in a format. `choices` are the valid texts of a column whose kind is
        /// ``ValueFormat/Kind/choice``, which needs at least one.
        case column(name: String, ColumnReference, ValueFormat = .any, choices: [String] = [])
        /// A text that is computed from the values of columns.
        case computed(name: String, columns: [ColumnReference], @Sendable ([SQLValue]) -> String)
        /// A text that is computed from the JSON text of an object, whose members have values from the same row. The
        /// object has no attachments, and it is not part of the response.
        case digest(name: String, of: [Member], @Sendable (ByteBuffer, ValueEncoding) -> String)
        /// A constant JSON text, such as `"Invoice"` with its quotes.
        case constant(name: String, json: String)
        /// A nested object. Its members have values from the same row.
        case object(name: String, [Member])
        /// The place of an attachment. The first such member is the place of the first attachment in the list of
        /// attachments, and so on. If `name` is not nil, the attachment must have this name.
        case attachment(name: String?)

        /// The place of an attachment with any name; see ``attachment(name:)``.
        public static var attachment: Member { .attachment(name: nil) }
    }

    /// A member's value, and the bytes that precede the value in the JSON text.
    struct Slot: Sendable {
        enum Source: Sendable {
            case column(ColumnReference, ValueFormat, choices: [String])
            case computed(columns: [ColumnReference], @Sendable ([SQLValue]) -> String)
            case digest(of: Stretch, @Sendable (ByteBuffer, ValueEncoding) -> String)
        }

        /// The name of the member.
        let name: String
        let prefix: [UInt8]
        let source: Source
    }

    /// The position of an attachment among the members.
    struct Place: Sendable {
        /// The name of the attachment; nil if any name is valid.
        let name: String?
        /// The name of the member that precedes the attachment; nil if the preceding member is an attachment, or if
        /// there is none.
        let predecessor: String?
        /// True if the attachment is the object's first member.
        let opensObject: Bool
        /// The object that contains the attachment.
        let object: Siblings

        /// Returns a description for errors: `items`, or `number 2 after the member customer`.
        func description(_ index: Int) -> String {
            name ?? "number \(index + 1)" + (predecessor.map { " after the member \($0)" } ?? "")
        }
    }

    /// The number of an object in the shape, and the names of its members that are not attachments. The outermost
    /// object has the number 0.
    struct Siblings: Sendable {
        let number: Int
        let names: [String]
    }

    /// A part of the JSON text that contains no attachment: values, each with the bytes that precede it, and the bytes
    /// after the last value.
    struct Stretch: Sendable {
        var slots: [Slot] = []
        var suffix: [UInt8] = []

        var isEmpty: Bool { slots.isEmpty && suffix.isEmpty }

        mutating func append(_ name: String, _ prefix: [UInt8], _ source: Slot.Source) {
            slots.append(Slot(name: name, prefix: suffix + prefix, source: source))
            suffix = []
        }
    }

    /// The stretches before, between and after the attachments. Empty stretches at the end are omitted, except the
    /// first.
    let stretches: [Stretch]
    /// The positions of the attachments among the members.
    let places: [Place]
    /// The names of the columns, for the header line of CSV.
    let columnNames: [String]
    /// True if there are no members.
    let isEmpty: Bool
    /// The outermost object. It also contains the attachments without a ``Place``.
    let outermost: Siblings
    /// The first name that two members of one object have; nil if the names in each object are distinct.
    let repeatedName: String?
    /// The first member with the format ``ValueFormat/Kind/choice`` that has no valid texts; nil if there is none.
    let nameWithoutChoices: String?
    /// The name of the rows' table or resource, for errors.
    let source: String?

    /// Creates a shape.
    /// - Parameters:
    ///   - members: The members in their order. Attachments that are not among the members follow the last member.
    ///   - source: The name of the rows' table or resource, for errors.
    public init(_ members: [Member], of source: String? = nil) {
        self.source = source
        var builder = Builder()
        builder.add(members)
        stretches = builder.stretchesInUse
        places = builder.places
        columnNames = builder.names
        isEmpty = members.isEmpty
        outermost = Siblings(number: 0, names: members.compactMap(\.name))
        repeatedName = builder.repeatedName
        nameWithoutChoices = builder.nameWithoutChoices
    }

    /// The object that contains an attachment.
    func object(ofAttachment index: Int) -> Siblings { index < places.count ? places[index].object : outermost }

    private struct Builder {
        var stretches = [Stretch()]
        var places: [Place] = []
        var names: [String] = []
        var repeatedName: String?
        var nameWithoutChoices: String?
        var objectCount = 0

        var stretchesInUse: [Stretch] {
            let last = stretches.lastIndex { !$0.isEmpty } ?? 0
            return Array(stretches[...last])
        }

        /// Adds an object without its closing brace. If the object has no members, the opening brace is omitted, too.
        mutating func add(_ members: [Member]) {
            let siblings = Siblings(number: objectCount, names: members.compactMap(\.name))
            objectCount += 1
            repeatedName = repeatedName ?? ObjectShape.repeated(siblings.names)
            for (index, member) in members.enumerated() {
                let last = stretches.count - 1
                func prefix(_ name: String) -> [UInt8] { JSONKey.prefix(name, opensObject: index == 0) }
                switch member {
                case .column(let name, let column, let format, let choices):
                    if format.kind == .choice, choices.isEmpty { nameWithoutChoices = nameWithoutChoices ?? name }
                    stretches[last].append(name, prefix(name), .column(column, format, choices: choices))
                    names.append(name)
                case .computed(let name, let columns, let text):
                    stretches[last].append(name, prefix(name), .computed(columns: columns, text))
                    names.append(name)
                case .digest(let name, let members, let text):
                    var object = Builder()
                    object.add(members)
                    nameWithoutChoices = nameWithoutChoices ?? object.nameWithoutChoices
                    stretches[last].append(name, prefix(name), .digest(of: object.stretches[0], text))
                    names.append(name)
                case .constant(let name, let json):
                    stretches[last].suffix += prefix(name) + Array(json.utf8)
                case .object(let name, let members):
                    stretches[last].suffix += prefix(name)
                    add(members)
                    stretches[stretches.count - 1].suffix += Array((members.isEmpty ? "{}" : "}").utf8)
                case .attachment(let name):
                    stretches.append(Stretch())
                    places.append(
                        Place(
                            name: name, predecessor: index == 0 ? nil : members[index - 1].name,
                            opensObject: index == 0,
                            object: siblings
                        ))
                }
            }
        }
    }

    /// Returns the first name that a list contains twice.
    static func repeated(_ names: [String]) -> String? {
        // Most lists are short. For short lists, comparing the names is faster than creating a set.
        guard names.count > 8 else {
            return names.indices.first { names[..<$0].contains(names[$0]) }.map { names[$0] }
        }
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }
    }

    /// Creates a shape of columns.
    /// - Parameter columns: The names of the members, and their columns.
    public convenience init(_ columns: [(name: String, column: ColumnReference)]) {
        self.init(columns.map { Member.column(name: $0.name, $0.column) })
    }
}

extension ObjectShape.Member {
    /// The name of the member; nil for an attachment.
    fileprivate var name: String? {
        switch self {
        case .column(let name, _, _, _), .computed(let name, _, _), .digest(let name, _, _), .constant(let name, _),
            .object(let name, _):
            name
        case .attachment: nil
        }
    }
}

enum JSONKey {
    /// Returns the bytes `{"name":` or `,"name":`.
    static func prefix(_ name: String, opensObject: Bool) -> [UInt8] {
        var writer = JSONByteWriter(capacity: 64)
        writer.write(byte: UInt8(ascii: opensObject ? "{" : ","))
        writer.write(key: name)
        return writer.bytes
    }
}
