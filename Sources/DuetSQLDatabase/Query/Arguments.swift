/// The values for a statement's named parameters: `["number": 10004, "countries": ["at", "nz"]]`.
///
/// A list is valid in the condition `column IN (:name)`; see ``Parameters``. ``SQLArgumentConvertible`` lists the Swift
/// types of arguments.
public struct Arguments: Sendable, ExpressibleByDictionaryLiteral {
    /// One argument: a single value, the values of an `IN` list, or the rows of an `IN` list.
    public enum Argument: Sendable, Hashable {
        /// A single value. NULL is ``SQLValue/null``.
        case value(SQLValue)
        /// The values of a list for `column IN (:name)`. An empty list matches no row.
        case list([SQLValue])
        /// The rows of a list for `(a, b) IN (:name)`. Each row has one value for each column.
        case rows([[SQLValue]])
    }

    package private(set) var pairs: [(name: String, argument: Argument)] = []

    /// No arguments.
    public init() {}

    /// Creates arguments. If a name occurs twice, the last value is used.
    public init(dictionaryLiteral elements: (String, Argument)...) {
        pairs.reserveCapacity(elements.count)
        for (name, argument) in elements {
            if let index = pairs.firstIndex(where: { $0.name == name }) {
                pairs[index].argument = argument
            } else {
                pairs.append((name, argument))
            }
        }
    }

    /// The argument with this name. Assigning `nil` removes it.
    public subscript(name: String) -> Argument? {
        get {
            for pair in pairs where pair.name == name { return pair.argument }
            return nil
        }
        set {
            pairs.removeAll { $0.name == name }
            if let newValue { pairs.append((name, newValue)) }
        }
    }

    /// True if there are no arguments.
    public var isEmpty: Bool { pairs.isEmpty }
}

extension Arguments.Argument: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral
{
    /// A single integer.
    public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
    /// A single text.
    public init(stringLiteral value: String) { self = .value(.text(value)) }
    /// NULL.
    public init(nilLiteral: ()) { self = .value(.null) }
    /// A list.
    public init(arrayLiteral elements: SQLValue...) { self = .list(elements) }
}

extension Arguments.Argument {
    /// A single integer from `Int64.min` to `UInt64.max`.
    public static func integer(_ value: some BinaryInteger) -> Self {
        .value(Int64(exactly: value).map { .integer($0) } ?? .unsigned(UInt64(value)))
    }
    /// A single decimal number, such as `-12.50`; see ``SQLValue/decimal(_:)``.
    public static func decimal(_ digits: String) -> Self { .value(.decimal(digits)) }
    /// A single text.
    public static func text(_ value: String) -> Self { .value(.text(value)) }
    /// A single date.
    public static func date(_ value: CalendarDate) -> Self { .value(.date(value)) }
    /// NULL.
    public static var null: Self { .value(.null) }
}
