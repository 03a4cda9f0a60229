import DuetJSON

/// The values that a task needs from a response: the members of an object and, if the value of a member is an object or
/// a list of objects, the members of these objects.
///
/// In JSON, it is an array such as `["id", {"orders": ["id"]}]`. A string is the name of a member. An object has the
/// name of a member as its only key, and the value of this key is the array for the nested objects.
struct Pick: Sendable {
    private let members: [(name: String, below: Pick?)]

    /// - Throws: ``PickError`` if the JSON does not have this form.
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

    /// The function that reduces the responses of a task to these values. If the last response is a list, the result
    /// contains the reduced rows of all responses. Otherwise, the result is the reduced last response.
    var reduction: Scenario.Reduction {
        { answers in
            guard let last = answers.last else { throw UnexpectedAnswer("there is no response") }
            guard case .array = last else { return try picked(last) }
            return .array(try answers.flatMap { try $0.elements().map(picked) })
        }
    }

    /// Returns the picked values of an object, or of each object of a list. Null is returned unchanged.
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
