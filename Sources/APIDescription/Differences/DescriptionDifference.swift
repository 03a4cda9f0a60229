public import DuetJSON

/// A difference between two descriptions, or between a description and a database, as a client notices it.
public struct DescriptionDifference: Sendable, Hashable, CustomStringConvertible {
    /// The direction of a difference.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The old description alone has it.
        case removed
        /// The new description alone has it.
        case added
        /// Both have it, in two forms.
        case changed
    }

    /// True if requests of existing clients can fail, or their answers can have values that they do not expect.
    public var isBreaking: Bool
    /// The direction.
    public var kind: Kind
    /// The resource; nil for a difference of the description as a whole.
    public var resource: String?
    /// The field, relation or filter.
    public var member: String?
    /// The sentence, without the resource.
    public var message: String

    /// Creates a difference.
    public init(isBreaking: Bool, _ kind: Kind, resource: String?, member: String? = nil, message: String) {
        self.isBreaking = isBreaking
        self.kind = kind
        self.resource = resource
        self.member = member
        self.message = message
    }

    /// `orders: breaking: the field total is gone`
    public var description: String {
        [resource, isBreaking ? "breaking" : nil, message].compactMap(\.self).joined(separator: ": ")
    }

    /// The difference as an object with the members `breaking`, `kind` and `message`, and with `resource` and `member`.
    public var json: JSONValue {
        var members: [(String, JSONValue)] = [("breaking", .bool(isBreaking)), ("kind", .string(kind.rawValue))]
        if let resource { members.append(("resource", .string(resource))) }
        if let member { members.append(("member", .string(member))) }
        return .object(JSONObject(members + [("message", .string(message))]))
    }
}

extension [DescriptionDifference] {
    /// The differences by resources, in the order in which the resources first occur, breaking ones first.
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
