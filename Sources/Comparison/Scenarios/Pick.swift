import DuetJSON

/// The values of a response that a task needs: members, and members of members.
///
/// In JSON, it is an array of names and of objects. Each object has one name, with a nested array: `["id", {"orders":
/// ["id"]}]`.
struct Pick: Sendable {
    private let members: [(name: String, below: Pick?)]

    /// - Throws: ``PickError`` for any other JSON.
    init(_ json: JSONValue) throws {
        guard case .array(let elements) = json, !elements.isEmpty else { throw PickError() }
        members = try elements.map { element in
            switch element {
            case .string(let name): return (name, nil)
            case .object(let object):
                guard let member = object.members.first, object.members.count == 1 else { throw PickError() }
                return (member.key, try Pick(member.value))
            default: throw PickError()
            }
        }
    }

    /// The reduction of a task: the rows of all responses if they are lists, otherwise the last response.
    var reduction: Scenario.Reduction {
        { answers in
            guard let last = answers.last else { throw UnexpectedAnswer("there is no response") }
            guard case .array = last else { return try picked(last) }
            return .array(try answers.flatMap { try $0.elements().map(picked) })
        }
    }

    /// Returns the picked values of an object or of each object of a list; null for null.
    private func picked(_ value: JSONValue) throws -> JSONValue {
        switch value {
        case .null: return .null
        case .array(let elements): return .array(try elements.map(picked))
        default:
            var object = JSONObject()
            for (name, below) in members {
                let member = try value.member(name)
                object[name] = try below.map { try $0.picked(member) } ?? member
            }
            return .object(object)
        }
    }

    /// The error for a value of `pick` that is not a list of members.
    struct PickError: Error {}
}
