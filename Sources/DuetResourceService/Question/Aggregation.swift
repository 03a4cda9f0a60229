import DuetJSON
public import DuetSQLDatabase

/// A function that computes one value from the rows of a group. The raw value is its name in both styles.
public enum AggregateFunction: String, Sendable, Hashable, CaseIterable {
    /// The number of rows or, of a field, the number of its values that are not NULL.
    case count
    /// The number of different values of a field that are not NULL.
    case countDistinct
    /// The sum of the values of a field; of a Boolean field, the number of true values. NULL if there are no values.
    case sum
    /// The average of the values of a field. NULL if there are no values.
    case avg
    /// The smallest value of a field. NULL if there are no values.
    case min
    /// The greatest value of a field. NULL if there are no values.
    case max

    /// True for the least and the greatest value, which are values of the field itself.
    var isExtreme: Bool { self == .min || self == .max }
}

/// A value that is computed from the rows of a group.
public struct Aggregate: Sendable, Hashable {
    /// The function.
    public var function: AggregateFunction
    /// The name of the field; nil for the number of rows.
    public var field: String?

    /// Creates an aggregate.
    public init(_ function: AggregateFunction, _ field: String? = nil) {
        self.function = function
        self.field = field
    }

    /// The name in REST: `count`, `total.sum`.
    public var name: String { (field.map { $0 + "." } ?? "") + function.rawValue }
}

/// A key of groups: a field of the rows, or a field of the row of a to-one relation.
public struct GroupKey: Sendable, Hashable {
    /// The to-one relation whose row has the field; nil for a field of the rows themselves.
    public var relation: String?
    /// The name of the field.
    public var field: String
    /// The part of a date; nil for the whole value.
    public var part: DatePart?

    /// Creates a key.
    public init(_ field: String, of relation: String? = nil, part: DatePart? = nil) {
        self.field = field
        self.relation = relation
        self.part = part
    }

    /// The name in REST: `country`, `customer.country`, `orderedOn.month`.
    public var name: String { [relation, field, part?.rawValue].compactMap(\.self).joined(separator: ".") }
}

/// A key or an aggregate by which groups are ordered.
public struct GroupOrder: Sendable, Hashable {
    /// The value that is compared.
    public enum Value: Sendable, Hashable {
        /// A key of the groups.
        case key(GroupKey)
        /// An aggregate of the groups.
        case aggregate(Aggregate)
    }

    /// The value that is compared.
    public var value: Value
    /// True for descending order.
    public var descending: Bool

    /// Creates an order.
    public init(_ value: Value, descending: Bool = false) {
        self.value = value
        self.descending = descending
    }
}

/// A condition on the aggregates of a group.
public indirect enum GroupFilter: Sendable, Hashable {
    /// A comparison of an aggregate with one value or, for ``Comparison/in``, with several values.
    case compare(Aggregate, Comparison, [SQLValue])
    /// The aggregate is NULL. If the second associated value is `false`, it is not NULL.
    case isNull(Aggregate, Bool)
    /// All conditions are true. An empty list is true for every group.
    case all([GroupFilter])
    /// At least one condition is true.
    case any([GroupFilter])
    /// The condition is false.
    case not(GroupFilter)
}

/// The groups into which the rows of a list are divided, and the requested part of the groups.
public struct Aggregation: Sendable, Hashable {
    /// The keys, at most ``maximumKeys``. If there are none, all rows are one group, even if there are no rows.
    public var keys: [GroupKey]
    /// The condition on the groups.
    public var having: GroupFilter
    /// The order of the groups. Keys that it does not contain follow in ascending order. NULL is the smallest value.
    public var order: [GroupOrder]
    /// The maximum number of groups; nil for all groups.
    public var first: Int?
    /// The cursor after which the groups begin, as the text from the client.
    public var after: String?
    /// The time zone of the parts of points in time. Other dates have no time zone.
    public var timeZone = TimeZoneTable.utc

    /// The maximum number of keys.
    public static let maximumKeys = 4

    /// Creates an aggregation. The default is one group of all rows.
    public init(
        by keys: [GroupKey] = [], having: GroupFilter = .all([]), order: [GroupOrder] = [], first: Int? = nil,
        after: String? = nil
    ) {
        self.keys = keys
        self.having = having
        self.order = order
        self.first = first
        self.after = after
    }
}

/// A member of the object that represents a group.
public indirect enum GroupMember: Sendable, Hashable {
    /// The value of a key. A group of texts that the collation of the field treats as equal is represented by the text
    /// whose bytes in UTF-8 are the smallest.
    case key(name: String, GroupKey)
    /// An aggregate.
    case aggregate(name: String, Aggregate)
    /// A nested object.
    case object(name: String, [GroupMember])
    /// A member whose value is constant JSON.
    case constant(name: String, json: String)
}

/// The representation of groups in the response.
public enum GroupForm: Sendable, Hashable {
    /// The object of the only group. The aggregation has no keys.
    case object([GroupMember])
    /// An array of objects.
    case array([GroupMember])
    /// A page object.
    case page([GroupPageMember])
}

/// A member of a page object of groups.
public enum GroupPageMember: Sendable, Hashable {
    /// The groups as an array.
    case nodes(name: String, [GroupMember])
    /// The object that describes the position of the page in the list of groups.
    case pageInfo(name: String, [PageInfoMember])
    /// The number of groups on all pages.
    case totalCount(name: String)
    /// A member whose value is constant JSON.
    case constant(name: String, json: String)
}

extension Aggregation {
    /// The names of the fields of the rows from which the aggregates of a form, of the condition and of the order are
    /// computed.
    func aggregatedFields(_ form: GroupForm) -> [String] {
        let ordered = order.compactMap { term in
            if case .aggregate(let aggregate) = term.value { aggregate } else { nil }
        }
        return (form.aggregates + having.aggregates + ordered).compactMap(\.field)
    }
}

extension GroupFilter {
    /// The aggregates in the condition.
    var aggregates: [Aggregate] {
        switch self {
        case .compare(let aggregate, _, _), .isNull(let aggregate, _): [aggregate]
        case .all(let filters), .any(let filters): filters.flatMap(\.aggregates)
        case .not(let filter): filter.aggregates
        }
    }

    /// Returns a copy in which the fields of the aggregates have other names.
    package func renamed(_ name: (String) -> String) -> GroupFilter {
        func renamed(_ aggregate: Aggregate) -> Aggregate { Aggregate(aggregate.function, aggregate.field.map(name)) }
        return switch self {
        case .compare(let aggregate, let comparison, let values): .compare(renamed(aggregate), comparison, values)
        case .isNull(let aggregate, let isNull): .isNull(renamed(aggregate), isNull)
        case .all(let filters): .all(filters.map { $0.renamed(name) })
        case .any(let filters): .any(filters.map { $0.renamed(name) })
        case .not(let filter): .not(filter.renamed(name))
        }
    }

    /// A text that identifies the condition. Its format must not change, because cursors depend on it.
    var signature: String {
        switch self {
        case .compare(let aggregate, let comparison, let values):
            "\(aggregate.name) \(comparison.rawValue) [\(values.map(\.signature).joined(separator: ","))]"
        case .isNull(let aggregate, let isNull): "\(aggregate.name) null \(isNull)"
        case .all(let filters): "and(\(filters.map(\.signature).joined(separator: ";")))"
        case .any(let filters): "or(\(filters.map(\.signature).joined(separator: ";")))"
        case .not(let filter): "not(\(filter.signature))"
        }
    }
}

extension GroupForm {
    /// The aggregates in the response.
    var aggregates: [Aggregate] {
        switch self {
        case .object(let members), .array(let members): members.flatMap(\.aggregates)
        case .page(let members):
            members.flatMap { member -> [Aggregate] in
                if case .nodes(_, let members) = member { members.flatMap(\.aggregates) } else { [] }
            }
        }
    }
}

extension GroupMember {
    fileprivate var aggregates: [Aggregate] {
        switch self {
        case .aggregate(_, let aggregate): [aggregate]
        case .object(_, let members): members.flatMap(\.aggregates)
        case .key, .constant: []
        }
    }
}

extension GroupMember {
    /// Returns the object of a group without rows, as JSON.
    static func ofNoRows(_ members: [GroupMember], _ resource: Resource) throws -> String {
        var text = JSONByteWriter(capacity: 64)
        text.write(byte: UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { text.write(byte: UInt8(ascii: ",")) }
            switch member {
            case .key(let name, _):
                text.write(key: name)
                text.writeNull()
            case .aggregate(let name, let aggregate):
                text.write(key: name)
                if try resource.field(of: aggregate).isNullable { text.writeNull() } else { text.write(0) }
            case .object(let name, let members):
                text.write(key: name)
                text.write(raw: try ofNoRows(members, resource).utf8)
            case .constant(let name, let json):
                text.write(key: name)
                text.write(raw: json.utf8)
            }
        }
        text.write(byte: UInt8(ascii: "}"))
        return String(decoding: text.bytes, as: UTF8.self)
    }
}
