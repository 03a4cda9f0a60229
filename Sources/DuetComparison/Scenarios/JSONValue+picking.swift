import DuetJSON

extension JSONValue {
    /// Returns the member with the given name.
    /// - Throws: ``UnexpectedAnswer`` if it does not exist.
    func member(_ name: String) throws -> JSONValue {
        guard let value = self[name] else { throw UnexpectedAnswer("there is no member \(name) in \(typeName)") }
        return value
    }

    /// Returns the elements of an array.
    /// - Throws: ``UnexpectedAnswer`` if this is not an array.
    func elements() throws -> [JSONValue] {
        guard case .array(let elements) = self else { throw UnexpectedAnswer("\(typeName) is not an array") }
        return elements
    }

    /// Returns the object reduced to the given members, in the given order.
    func picking(_ names: [String]) throws -> JSONValue {
        var object = JSONObject()
        for name in names { object[name] = try member(name) }
        return .object(object)
    }

    /// Returns an array of the transformed elements.
    func mapElements(_ transform: (JSONValue) throws -> JSONValue) throws -> JSONValue {
        .array(try elements().map(transform))
    }

    /// Returns the array with its objects reduced to the given members.
    func eachPicking(_ names: [String]) throws -> JSONValue {
        try mapElements { try $0.picking(names) }
    }

    /// Returns a string, or an integer as a string.
    func string() throws -> String {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        default: throw UnexpectedAnswer("\(typeName) is not a text")
        }
    }

    /// The messages of the `errors` of a GraphQL response, on one line: the first three different messages, and the
    /// number of further messages. For any other value, the beginning of its JSON text.
    var errorMessages: String {
        guard case .array(let errors) = self else { return String(compactText.prefix(300)) }
        var messages: [String] = []
        for error in errors {
            let message = if case .string(let text)? = error["message"] { text } else { "an error without a message" }
            if !messages.contains(message) { messages.append(message) }
        }
        let more = messages.count - 3
        return messages.prefix(3).joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
    }

    /// The number of contained values that are neither arrays nor objects.
    var leaves: Int {
        switch self {
        case .array(let elements): elements.reduce(0) { $0 + $1.leaves }
        case .object(let object): object.members.reduce(0) { $0 + $1.value.leaves }
        default: 1
        }
    }
}
