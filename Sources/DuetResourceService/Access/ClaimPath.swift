public import DuetJSON

/// The path of a claim in a token: the names of nested members, such as `customer` or `app.tenant`.
public struct ClaimPath: Sendable, Hashable, CustomStringConvertible {
    /// The names of the members, from the outermost one. The list is not empty.
    public let names: [String]

    /// Creates a path of names, which can contain dots. The list must not be empty.
    public init(_ names: [String]) {
        precondition(!names.isEmpty, "a path of a claim has at least one name")
        self.names = names
    }

    /// Creates a path from a text with dots between the names; nil if a name is empty.
    public init?(_ text: String) {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.names = names
    }

    /// The name of the parameter in conditions (``Operand/parameter(_:)``) whose value is the claim. Different paths
    /// have different names.
    public var parameter: String { description }

    /// Creates the path of a parameter.
    package init(parameter: String) {
        if case .array(let elements)? = parameter.hasPrefix("[") ? try? JSONValue(parsing: parameter.utf8) : nil {
            names = elements.compactMap { if case .string(let name) = $0 { name } else { nil } }
        } else {
            names = parameter.split(separator: ".").map(String.init)
        }
    }

    /// The path as a text: the names with dots between them, or a JSON array of the names if a text with dots would be
    /// ambiguous.
    public var description: String {
        let isPlain = names.allSatisfy { !$0.isEmpty && !$0.contains(".") && !$0.hasPrefix("[") }
        return isPlain ? names.joined(separator: ".") : JSONValue.array(names.map { .string($0) }).compactText
    }

    /// Returns the claim in the claims of a token; nil if the claim or one of the outer members is missing.
    public func value(in claims: JSONObject) -> JSONValue? {
        var value: JSONValue = .object(claims)
        for name in names {
            guard case .object(let object) = value, let member = object[name] else { return nil }
            value = member
        }
        return value
    }
}
