/// The differences between two documents as JSON Patch (RFC 6902).
package enum JSONPatch {
    /// Returns the operations that change one document to another: `add`, `remove` and `replace`. The patch need not be
    /// the shortest one.
    /// - Returns: nil if a number of the documents may have more digits than a `Double` keeps.
    package static func operations(from old: JSONValue, to new: JSONValue) -> [JSONValue]? {
        guard !hasRoundedNumber(old), !hasRoundedNumber(new) else { return nil }
        var operations: [JSONValue] = []
        add(old, new, "", &operations)
        return operations
    }

    /// A patch does not fit the document.
    package struct Mismatch: Error, CustomStringConvertible {
        /// The operation that cannot be applied.
        package let operation: JSONValue
        package var description: String { "the operation \(operation.compactText) does not fit the document" }
    }

    /// Returns a document after operations of the kinds that ``operations(from:to:)`` returns.
    /// - Throws: ``Mismatch``.
    package static func apply(_ operations: [JSONValue], to document: JSONValue) throws(Mismatch) -> JSONValue {
        var document = document
        for operation in operations {
            guard case .string(let path)? = operation["path"] else { throw Mismatch(operation: operation) }
            let tokens = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                .map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
            document = try apply(operation, tokens[...], to: document)
        }
        return document
    }

    private static func apply(
        _ operation: JSONValue, _ tokens: ArraySlice<String>, to value: JSONValue
    ) throws(Mismatch) -> JSONValue {
        guard let token = tokens.first else {
            guard let new = operation["value"] else { throw Mismatch(operation: operation) }
            return new
        }
        let kind = tokens.count == 1 ? operation["op"] : nil
        let rest = tokens.dropFirst()
        switch value {
        case .object(var object):
            let old = object[token]
            guard old != nil || kind == "add" else { throw Mismatch(operation: operation) }
            // A literal nil would be the value null.
            let new: JSONValue? =
                kind == "remove" ? Optional.none : try apply(operation, rest, to: old ?? .null)
            object[token] = new
            return .object(object)
        case .array(var elements):
            guard let index = Int(token), index >= 0, index < elements.count + (kind == "add" ? 1 : 0) else {
                throw Mismatch(operation: operation)
            }
            switch kind {
            case "remove": elements.remove(at: index)
            case "add": elements.insert(try apply(operation, rest, to: .null), at: index)
            default: elements[index] = try apply(operation, rest, to: elements[index])
            }
            return .array(elements)
        case .null, .bool, .integer, .double, .string: throw Mismatch(operation: operation)
        }
    }

    private static func hasRoundedNumber(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .integer, .string: false
        case .double: true
        case .array(let elements): elements.contains(where: hasRoundedNumber)
        case .object(let object): object.members.contains { hasRoundedNumber($0.value) }
        }
    }

    private static func add(_ old: JSONValue, _ new: JSONValue, _ path: String, _ operations: inout [JSONValue]) {
        switch (old, new) {
        case _ where old == new: break
        case (.object(let old), .object(let new)):
            for member in old.members where new[member.key] == nil {
                operations.append(remove("\(path)/\(escaped(member.key))"))
            }
            for member in new.members {
                let path = "\(path)/\(escaped(member.key))"
                if let known = old[member.key] {
                    add(known, member.value, path, &operations)
                } else {
                    operations.append(["op": "add", "path": .string(path), "value": member.value])
                }
            }
        case (.array(let old), .array(let new)): add(old, new, path, &operations)
        default: operations.append(["op": "replace", "path": .string(path), "value": new])
        }
    }

    /// Elements before the first difference and after the last difference remain. Of the others, as many as both arrays
    /// have are compared one by one.
    private static func add(
        _ old: [JSONValue], _ new: [JSONValue], _ path: String, _ operations: inout [JSONValue]
    ) {
        let shorter = min(old.count, new.count)
        let start = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
        let equalAtEnd = (0..<(shorter - start)).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] }
        let end = shorter - (equalAtEnd ?? (shorter - start))
        for index in start..<end { add(old[index], new[index], "\(path)/\(index)", &operations) }
        // Each removal shifts the following elements.
        for _ in 0..<max(0, old.count - new.count) { operations.append(remove("\(path)/\(end)")) }
        for index in end..<(end + max(0, new.count - old.count)) {
            operations.append(["op": "add", "path": .string("\(path)/\(index)"), "value": new[index]])
        }
    }

    private static func remove(_ path: String) -> JSONValue { ["op": "remove", "path": .string(path)] }

    /// Returns a member name as a token of a JSON Pointer (RFC 6901 §4).
    private static func escaped(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}
