/// A Swift type that converts to a GraphQL value, for example for the variables of a request:
/// `["id": Value(id), "genres": Value(genres)]`.
///
/// Strings, Booleans, numbers, optionals, arrays, and dictionaries with string keys conform. `Value(_:)` also accepts
/// an enumeration whose raw values are the names of enum values. To use optionals or arrays of such an enumeration,
/// declare that the enumeration conforms to `ValueConvertible`.
public protocol ValueConvertible {
    /// The GraphQL value.
    var graphQLValue: Value { get }
}

extension Value: ValueConvertible {
    /// Creates a value from a Swift value.
    public init(_ value: some ValueConvertible) { self = value.graphQLValue }

    /// Creates a value from the raw value of an enumeration, such as the name of an enum value.
    @_disfavoredOverload
    public init<Enumeration: RawRepresentable>(_ value: Enumeration) where Enumeration.RawValue: ValueConvertible {
        self = value.rawValue.graphQLValue
    }

    /// The value itself.
    public var graphQLValue: Value { self }
}

extension ObjectValue: ValueConvertible {
    /// Creates an object from a dictionary. The fields are sorted by name.
    public init(_ fields: [String: Value]) { self.init(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) }

    /// An object.
    public var graphQLValue: Value { .object(self) }
}

extension String: ValueConvertible {
    /// A string, which is also valid for a variable of type `ID` or of an enum type.
    public var graphQLValue: Value { .string(self) }
}

extension Bool: ValueConvertible {
    /// A Boolean.
    public var graphQLValue: Value { .bool(self) }
}

extension Int: ValueConvertible {
    /// An integer.
    public var graphQLValue: Value { .int(Int64(self)) }
}

extension Int64: ValueConvertible {
    /// An integer.
    public var graphQLValue: Value { .int(self) }
}

extension Int32: ValueConvertible {
    /// An integer.
    public var graphQLValue: Value { .int(Int64(self)) }
}

extension Double: ValueConvertible {
    /// A floating-point number.
    public var graphQLValue: Value { .double(self) }
}

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
    /// The raw value, such as the name of an enum value.
    public var graphQLValue: Value { rawValue.graphQLValue }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
    /// The value, or null.
    public var graphQLValue: Value { map(\.graphQLValue) ?? .null }
}

extension Array: ValueConvertible where Element: ValueConvertible {
    /// A list.
    public var graphQLValue: Value { .list(map(\.graphQLValue)) }
}

extension Dictionary: ValueConvertible where Key == String, Value: ValueConvertible {
    /// An object with its fields sorted by name.
    public var graphQLValue: DuetGraphQLLanguage.Value {
        .object(ObjectValue(sorted { $0.key < $1.key }.map { ($0.key, $0.value.graphQLValue) }))
    }
}
