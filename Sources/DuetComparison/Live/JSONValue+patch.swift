import DuetJSON

extension JSONValue {
    /// Returns the value after the operations `add`, `remove` and `replace` of a JSON Patch (RFC 6902).
    /// - Throws: ``UnexpectedAnswer`` if the patch does not fit the value.
    func applying(_ patch: JSONValue) throws -> JSONValue {
        try patch.elements().reduce(self) { value, operation in
            let path = try operation.member("path").string()
            let tokens = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                .map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
            return try value.changed(tokens[...], operation)
        }
    }

    private func changed(_ tokens: ArraySlice<String>, _ operation: JSONValue) throws -> JSONValue {
        guard let token = tokens.first else { return try operation.member("value") }
        let (isLast, name) = (tokens.count == 1, try operation.member("op"))
        switch self {
        case .object(var object):
            if isLast, name == "remove" {
                let none: JSONValue? = nil
                object[token] = none
            } else {
                object[token] = try (object[token] ?? .null).changed(tokens.dropFirst(), operation)
            }
            return .object(object)
        case .array(var elements):
            guard let index = Int(token), index >= 0, index < elements.count + (isLast && name == "add" ? 1 : 0) else {
                throw UnexpectedAnswer("a patch has the index \(token) of an array with \(elements.count) elements")
            }
            switch (isLast, name) {
            case (true, "remove"): elements.remove(at: index)
            case (true, "add"): elements.insert(try operation.member("value"), at: index)
            default: elements[index] = try elements[index].changed(tokens.dropFirst(), operation)
            }
            return .array(elements)
        default: throw UnexpectedAnswer("a patch has a path into \(typeName)")
        }
    }
}
