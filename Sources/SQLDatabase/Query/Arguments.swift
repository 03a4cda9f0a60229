/// The values for a statement's named parameters: `["employeeNumber": 10004, "names": ["Georgi", "Bezalel"]]`.
///
/// A list stands where the statement says `column IN (:name)`; see ``Parameters``.
public struct Arguments: Sendable, ExpressibleByDictionaryLiteral {
    /// One argument: a single value, or the values of an `IN` list.
    public enum Argument: Sendable, Hashable {
        case value(SQLValue)
        case list([SQLValue])
    }

    package private(set) var pairs: [(name: String, argument: Argument)] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, Argument)...) {
        pairs = elements.map { (name: $0.0, argument: $0.1) }
    }

    /// Reading gives the argument of that name, if there is one; writing replaces or adds it.
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

    public var isEmpty: Bool { pairs.isEmpty }
}

extension Arguments.Argument: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral
{
    public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
    public init(stringLiteral value: String) { self = .value(.text(value)) }
    public init(nilLiteral: ()) { self = .value(.null) }
    public init(arrayLiteral elements: SQLValue...) { self = .list(elements) }
}

extension Arguments.Argument {
    public static func integer(_ value: some BinaryInteger) -> Self { .value(.integer(Int64(value))) }
    public static func text(_ value: String) -> Self { .value(.text(value)) }
    public static func date(_ value: CalendarDate) -> Self { .value(.date(value)) }
    public static var null: Self { .value(.null) }
}
