public import DuetSQLDatabase

/// A value with which a filter compares a field.
public enum Operand: Sendable, Hashable {
    /// A known value.
    case value(SQLValue)
    /// The value of a named parameter, such as the identifier of the user. It becomes known when a plan is executed;
    /// see ``ResourceService/parameters``. One plan therefore serves all values. Only the conditions of resources and
    /// questions can contain parameters.
    case parameter(String)

    /// The value; nil for a parameter.
    var value: SQLValue? { if case .value(let value) = self { value } else { nil } }
}

extension Operand: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// An integer.
    public static func integer(_ value: Int64) -> Self { .value(.integer(value)) }
    /// A text.
    public static func text(_ value: String) -> Self { .value(.text(value)) }
    /// A date.
    public static func date(_ value: CalendarDate) -> Self { .value(.date(value)) }
}
