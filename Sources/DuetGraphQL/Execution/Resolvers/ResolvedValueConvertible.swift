/// A Swift type whose values resolvers can return.
///
/// Scalars, optionals, arrays and ``ResolvedValue`` conform. A type whose values are objects of the schema conforms
/// through ``ObjectSource``, an enumeration of strings by declaring it:
///
///     enum Genre: String, ResolvedValueConvertible { case novel = "NOVEL", essay = "ESSAY" }
public protocol ResolvedValueConvertible: Sendable {
    /// The value of a field.
    var resolvedValue: ResolvedValue { get }
}

/// A Swift type whose values are objects of the schema: the sources of their fields' resolvers.
public protocol ObjectSource: ResolvedValueConvertible {}

extension ObjectSource {
    /// An object with this source.
    public var resolvedValue: ResolvedValue { .object(self) }
}

extension ResolvedValueConvertible where Self: RawRepresentable, RawValue: ResolvedValueConvertible {
    /// The raw value, such as the name of an enum value.
    public var resolvedValue: ResolvedValue { rawValue.resolvedValue }
}

extension ResolvedValue: ResolvedValueConvertible {
    /// Creates a resolved value of a scalar, an optional, a list or an object.
    public init(_ value: some ResolvedValueConvertible) { self = value.resolvedValue }

    /// The value itself.
    public var resolvedValue: ResolvedValue { self }
}

extension Value: ResolvedValueConvertible {
    /// The same value. The fields of an object are read by ``FieldResolver/byName``.
    public var resolvedValue: ResolvedValue { ResolvedValue(self) }
}

extension ObjectValue: ObjectSource {}

extension String: ResolvedValueConvertible {
    /// A string, or the name of an enum value.
    public var resolvedValue: ResolvedValue { .string(self) }
}

extension Bool: ResolvedValueConvertible {
    /// A Boolean.
    public var resolvedValue: ResolvedValue { .bool(self) }
}

extension Int: ResolvedValueConvertible {
    /// An integer.
    public var resolvedValue: ResolvedValue { .int(Int64(self)) }
}

extension Int64: ResolvedValueConvertible {
    /// An integer.
    public var resolvedValue: ResolvedValue { .int(self) }
}

extension Int32: ResolvedValueConvertible {
    /// An integer.
    public var resolvedValue: ResolvedValue { .int(Int64(self)) }
}

extension Double: ResolvedValueConvertible {
    /// A floating-point number.
    public var resolvedValue: ResolvedValue { .double(self) }
}

extension Float: ResolvedValueConvertible {
    /// A floating-point number with the digits of this one.
    public var resolvedValue: ResolvedValue { Double(description).map(ResolvedValue.double) ?? .double(Double(self)) }
}

extension Optional: ResolvedValueConvertible where Wrapped: ResolvedValueConvertible {
    /// The value, or null.
    public var resolvedValue: ResolvedValue { map(\.resolvedValue) ?? .null }
}

extension Array: ResolvedValueConvertible where Element: ResolvedValueConvertible {
    /// A list.
    public var resolvedValue: ResolvedValue { .sequence(ResolvedSequence(count: count) { self[$0].resolvedValue }) }
}
