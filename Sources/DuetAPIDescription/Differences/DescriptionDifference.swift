public import DuetJSON

/// A difference between two descriptions, or between a description and a database, that is visible to clients.
public struct DescriptionDifference: Sendable, Hashable, CustomStringConvertible {
    /// The kind of a difference.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Only the old description contains the element.
        case removed
        /// Only the new description contains the element.
        case added
        /// Both descriptions contain the element, but define it differently.
        case changed
    }

    /// True if requests of existing clients can fail, or if responses can contain values that clients do not expect.
    public var isBreaking: Bool
    /// The kind of the difference.
    public var kind: Kind
    /// The name of the resource; nil for a difference that concerns the whole description.
    public var resource: String?
    /// The name of the field, relation or filter; nil for a difference that concerns the whole resource.
    public var member: String?
    /// The message, without the name of the resource.
    public var message: String

    /// Creates a difference.
    public init(isBreaking: Bool, _ kind: Kind, resource: String?, member: String? = nil, message: String) {
        self.isBreaking = isBreaking
        self.kind = kind
        self.resource = resource
        self.member = member
        self.message = message
    }

    /// `orders: breaking: the field total was removed`
    public var description: String {
        [resource, isBreaking ? "breaking" : nil, message].compactMap(\.self).joined(separator: ": ")
    }

    /// The difference as an object with the members `breaking`, `kind` and `message`, and with `resource` and `member`
    /// if they are not nil.
    public var json: JSONValue {
        var members: [(String, JSONValue)] = [("breaking", .bool(isBreaking)), ("kind", .string(kind.rawValue))]
        if let resource { members.append(("resource", .string(resource))) }
        if let member { members.append(("member", .string(member))) }
        return .object(JSONObject(members + [("message", .string(message))]))
    }
}

extension [DescriptionDifference] {
    /// The differences grouped by resource, in the order in which the resources first occur. Breaking differences come
    /// first in each group.
    var grouped: [DescriptionDifference] {
        var positions: [String?: Int] = [:]
        for difference in self where positions[difference.resource] == nil {
            positions[difference.resource] = positions.count
        }
        return enumerated().sorted { left, right in
            func rank(_ difference: DescriptionDifference) -> (Int, Int) {
                (positions[difference.resource] ?? 0, difference.isBreaking ? 0 : 1)
            }
            return (rank(left.element).0, rank(left.element).1, left.offset)
                < (rank(right.element).0, rank(right.element).1, right.offset)
        }.map(\.element)
    }
}
