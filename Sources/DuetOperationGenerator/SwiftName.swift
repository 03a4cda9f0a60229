/// Converts GraphQL names to Swift names. The conversion is deterministic.
enum SwiftName {
    /// Returns the name, in backticks if it is a keyword.
    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns the name of a property, without backticks.
    /// - Parameter taken: The names of the other members of the type.
    static func property(_ name: String, taken: Set<String> = []) -> String {
        taken.contains(name) || unusable.contains(name) ? name + "Value" : name
    }

    /// Returns the name of a type: the name with an uppercase first letter.
    static func type(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// Returns the name of a property for a type: the name with a lowercase first letter.
    static func lowerCamel(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

    /// Returns the case names for the values of an enumeration, without backticks: `HIRE_DATE` becomes `hireDate`. If
    /// two values would have the same case name, the cases have the names of the values in the schema.
    static func cases(_ values: [String]) -> [String] {
        let names = values.map(enumerationCase)
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        return zip(names, values).map { name, value in
            let unique = counts[name] == 1 ? name : value
            return enumerationMembers.contains(unique) || unusable.contains(unique) ? unique + "Value" : unique
        }
    }

    private static func enumerationCase(_ value: String) -> String {
        guard !value.contains(where: \.isLowercase) else { return lowerCamel(value) }
        let words = value.split(separator: "_").map { $0.lowercased() }
        guard let first = words.first else { return value }
        let name = first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return name.first?.isNumber == true ? "_" + name : name
    }

    /// Returns true if a text is a valid type name.
    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
        return text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue } && !keywords.contains(text)
            && !unusable.contains(text)
    }

    /// The names of the types that the generated code refers to. A nested type with one of these names would hide the
    /// type.
    static let referredTypes: Set<String> = [
        "Any", "Arguments", "Bool", "DataDecodable", "Double", "DynamicDecoder", "Encodable", "Encoder",
        "GraphQLEnumeration",
        "GraphQLMutation", "GraphQLQuery", "Hashable", "Indirect", "InputValue", "Int", "JSONObject", "JSONValue",
        "ModelError", "Never", "OperationDocument", "Optional", "Protocol", "ResponseName", "Self", "Set", "String",
        "Type",
        "TypeConditions", "TypedField", "VariableDefinition",
    ]

    /// Names that have a special meaning in Swift even in backticks.
    private static let unusable: Set<String> = ["_", "self", "Self", "init", "Type", "Protocol", "hashValue"]

    private static let enumerationMembers: Set<String> = [
        "absent", "allCases", "model", "none", "placeholders", "rawValue", "shape", "some", "unknown", "inputValue",
    ]

    private static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "await", "borrowing", "break", "case", "catch", "class", "consuming",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate",
        "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "open",
        "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
