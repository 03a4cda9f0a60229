import DuetJSON

extension JSONValue {
    /// The member of that name, which must be there.
    /// - Throws: ``UnexpectedAnswer``.
    func member(_ name: String) throws -> JSONValue {
        guard let value = self[name] else { throw UnexpectedAnswer("there is no \(name) in \(typeName)") }
        return value
    }

    /// The elements of a list.
    /// - Throws: ``UnexpectedAnswer`` if this is no list.
    func elements() throws -> [JSONValue] {
        guard case .array(let elements) = self else { throw UnexpectedAnswer("\(typeName) is no list") }
        return elements
    }

    /// The same object with these members alone, in this order.
    func picking(_ names: [String]) throws -> JSONValue {
        var object = JSONObject()
        for name in names { object[name] = try member(name) }
        return .object(object)
    }

    /// The list of the transformed elements.
    func mapElements(_ transform: (JSONValue) throws -> JSONValue) throws -> JSONValue {
        .array(try elements().map(transform))
    }

    /// The list whose objects have these members alone.
    func eachPicking(_ names: [String]) throws -> JSONValue {
        try mapElements { try $0.picking(names) }
    }

    /// A text.
    func string() throws -> String {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        default: throw UnexpectedAnswer("\(typeName) is no text")
        }
    }

    /// The messages of the errors of a GraphQL response, on one line: each of the first three once, and the number of the others.
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

    /// How many values there are in it that are neither lists nor objects.
    var leaves: Int {
        switch self {
        case .array(let elements): elements.reduce(0) { $0 + $1.leaves }
        case .object(let object): object.members.reduce(0) { $0 + $1.value.leaves }
        default: 1
        }
    }
}
