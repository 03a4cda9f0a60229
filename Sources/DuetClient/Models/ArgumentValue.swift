/// The value of an argument as it is written in a document (specification, section 2.10).
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
    /// The name of a value of an enumeration.
    case enumeration(String)
    /// The variable of that name, of a type such as `ID!`.
    case variable(String, type: String)
    /// A list.
    case list([ArgumentValue])
    /// An input object.
    case object(Arguments)

    /// The variable that the whole value is.
    /// - Parameters:
    ///   - name: the name without `$`.
    ///   - type: the type as the definition of the variable has it, such as `ID!`.
    public static func variable(_ name: String, _ type: String) -> ArgumentValue { .variable(name, type: type) }
}

/// Arguments of a field or fields of an input object: names and values, in the order in which they are printed.
public struct Arguments: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One argument.
    public struct Element: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: ArgumentValue

        /// An argument of that name and value.
        public init(_ name: String, _ value: ArgumentValue) {
            self.name = name
            self.value = value
        }
    }

    /// The arguments, in order.
    public var elements: [Element]

    /// These arguments.
    public init(_ elements: [Element] = []) { self.elements = elements }

    /// Arguments written as `["first": 10, "after": .variable("after", "String")]`.
    public init(dictionaryLiteral elements: (String, ArgumentValue)...) {
        self.elements = elements.map { Element($0.0, $0.1) }
    }
}

extension ArgumentValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// A list.
    public init(arrayLiteral elements: ArgumentValue...) { self = .list(elements) }
    /// An input object.
    public init(dictionaryLiteral elements: (String, ArgumentValue)...) {
        self = .object(Arguments(elements.map { Arguments.Element($0.0, $0.1) }))
    }
}
