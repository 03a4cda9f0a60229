/// A Swift type whose values can be results of resolvers.
///
/// Scalars, optionals, arrays and ``ResolvedValue`` conform. A type for objects of the schema conforms to
/// ``ObjectSource``. An enumeration with string raw values needs only the declaration of the conformance:
///
///     enum Genre: String, ResolvedValueConvertible { case novel = "NOVEL", essay = "ESSAY" }
public protocol ResolvedValueConvertible: Sendable {
    /// The value as the result of a resolver.
    var resolvedValue: ResolvedValue { get }
}

/// A Swift type for objects of the schema. The resolvers of an object's fields get the Swift value as their source.
public protocol ObjectSource: ResolvedValueConvertible {}

extension ObjectSource {
    /// An object with this source.
    @inlinable
    public var resolvedValue: ResolvedValue { .object(self) }
}

extension ResolvedValueConvertible where Self: RawRepresentable, RawValue: ResolvedValueConvertible {
    /// The raw value, such as the name of an enum value.
    @inlinable
    public var resolvedValue: ResolvedValue { rawValue.resolvedValue }
}

extension ResolvedValue: ResolvedValueConvertible {
    /// Creates a resolved value of a scalar, an optional, a list or an object.
    public init(_ value: some ResolvedValueConvertible) { self = value.resolvedValue }

    /// The value itself.
    @inlinable
    public var resolvedValue: ResolvedValue { self }
}

extension Value: ResolvedValueConvertible {
    /// The value as the result of a resolver. If the value is an object, ``FieldResolver/byName`` can read its fields.
    public var resolvedValue: ResolvedValue { ResolvedValue(self) }
}

extension ObjectValue: ObjectSource {}

extension String: ResolvedValueConvertible {
    /// A string, or the name of an enum value.
    @inlinable
    public var resolvedValue: ResolvedValue { .string(self) }
}

extension Bool: ResolvedValueConvertible {
    /// A Boolean.
    @inlinable
    public var resolvedValue: ResolvedValue { .bool(self) }
}

extension Int: ResolvedValueConvertible {
    /// An integer.
    @inlinable
    public var resolvedValue: ResolvedValue { .int(Int64(self)) }
}

extension Int64: ResolvedValueConvertible {
    /// An integer.
    @inlinable
    public var resolvedValue: ResolvedValue { .int(self) }
}

extension Int32: ResolvedValueConvertible {
    /// An integer.
    @inlinable
    public var resolvedValue: ResolvedValue { .int(Int64(self)) }
}

extension Double: ResolvedValueConvertible {
    /// A floating-point number.
    @inlinable
    public var resolvedValue: ResolvedValue { .double(self) }
}

extension Float: ResolvedValueConvertible {
    /// The floating-point number with the decimal digits of the `Float`, such as 0.1.
    public var resolvedValue: ResolvedValue { Double(description).map(ResolvedValue.double) ?? .double(Double(self)) }
}

extension Optional: ResolvedValueConvertible where Wrapped: ResolvedValueConvertible {
    /// The value, or null.
    @inlinable
    public var resolvedValue: ResolvedValue { map(\.resolvedValue) ?? .null }
}

extension Array: ResolvedValueConvertible where Element: ResolvedValueConvertible {
    /// A list.
    @inlinable
    public var resolvedValue: ResolvedValue { .sequence(ResolvedSequence(count: count) { self[$0].resolvedValue }) }
}
