/// The value of an argument in a document (specification, section 2.10).
public enum ArgumentValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    /// A string, without quotes and escapes.
    case string(String)
    /// The name of an enumeration value.
    case enumeration(String)
    /// A variable, with its type, such as `ID!`.
    case variable(String, type: String)
    /// A list.
    case list([ArgumentValue])
    /// An input object.
    case object(Arguments)

    /// Creates a value that consists of a variable.
    /// - Parameters:
    ///   - name: The name without `$`.
    ///   - type: The type in the declaration of the variable, such as `ID!`.
    public static func variable(_ name: String, _ type: String) -> ArgumentValue { .variable(name, type: type) }
}

/// The arguments of a field, or the fields of an input object. The document contains them in the order of ``elements``.
public struct Arguments: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// An argument: its name and its value.
    public struct Element: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: ArgumentValue

        /// Creates an argument.
        public init(_ name: String, _ value: ArgumentValue) {
            self.name = name
            self.value = value
        }
    }

    /// The arguments, in order.
    public var elements: [Element]

    /// Creates arguments.
    public init(_ elements: [Element] = []) { self.elements = elements }

    /// Creates arguments from a literal such as `["first": 10, "after": .variable("after", "String")]`.
    public init(dictionaryLiteral elements: (String, ArgumentValue)...) {
        self.elements = elements.map { Element($0.0, $0.1) }
    }
}

extension ArgumentValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a list.
    public init(arrayLiteral elements: ArgumentValue...) { self = .list(elements) }
    /// Creates an input object.
    public init(dictionaryLiteral elements: (String, ArgumentValue)...) {
        self = .object(Arguments(elements.map { Arguments.Element($0.0, $0.1) }))
    }
}
