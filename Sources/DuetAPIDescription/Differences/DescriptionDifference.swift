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

    /// The effect of a difference on what the callers of a role see and change.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// The callers see or change more resources, fields or rows.
        case more
        /// The callers see or change fewer resources, fields or rows.
        case less
        /// The callers see or change other rows, which can be more and fewer.
        case changed

        /// True if callers can see or change something that they did not see or change before.
        public var givesMore: Bool { self != .less }
        /// True if callers can miss something that they saw or changed before.
        public var givesLess: Bool { self != .more }

        /// The words in the text of a difference.
        fileprivate var words: String {
            switch self {
            case .more: "more access"
            case .less: "less access"
            case .changed: "changed access"
            }
        }
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
    /// The name of the role that the difference concerns; nil for a difference that concerns no single role.
    public var role: String?
    /// The effect on what callers see and change; nil for a difference that does not concern roles.
    public var access: Access?

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
        [resource, isBreaking ? "breaking" : nil, access?.words, message].compactMap(\.self).joined(separator: ": ")
    }

    /// The difference as an object with the members `breaking`, `kind` and `message`, and with `resource`, `member`,
    /// `role` and `access` if they are not nil.
    public var json: JSONValue {
        var members: [(String, JSONValue)] = [("breaking", .bool(isBreaking)), ("kind", .string(kind.rawValue))]
        if let resource { members.append(("resource", .string(resource))) }
        if let member { members.append(("member", .string(member))) }
        if let role { members.append(("role", .string(role))) }
        if let access { members.append(("access", .string(access.rawValue))) }
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
