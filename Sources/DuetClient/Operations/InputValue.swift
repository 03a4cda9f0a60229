public import DuetJSON
public import Foundation

/// A Swift type for the values of variables and of input object fields.
public protocol InputValue: Sendable {
    /// The value as JSON for a request.
    var inputValue: JSONValue { get }
}

extension String: InputValue {
    /// A string.
    public var inputValue: JSONValue { .string(self) }
}

extension Bool: InputValue {
    /// `true` or `false`.
    public var inputValue: JSONValue { .bool(self) }
}

extension Int: InputValue {
    /// A whole number.
    public var inputValue: JSONValue { .integer(Int64(self)) }
}

extension Int32: InputValue {
    /// A whole number.
    public var inputValue: JSONValue { .integer(Int64(self)) }
}

extension Int64: InputValue {
    /// A whole number.
    public var inputValue: JSONValue { .integer(self) }
}

extension Double: InputValue {
    /// A number.
    public var inputValue: JSONValue { .double(self) }
}

extension URL: InputValue {
    /// The address as a string.
    public var inputValue: JSONValue { .string(absoluteString) }
}

extension JSONValue: InputValue {
    /// The value itself.
    public var inputValue: JSONValue { self }
}

extension JSONObject: InputValue {
    /// The object.
    public var inputValue: JSONValue { .object(self) }
}

extension InputValue where Self: RawRepresentable, RawValue == String {
    /// The name of the enumeration value.
    public var inputValue: JSONValue { .string(rawValue) }
}

extension Optional: InputValue where Wrapped: InputValue {
    /// The value or `null`.
    public var inputValue: JSONValue { map(\.inputValue) ?? .null }
}

extension Array: InputValue where Element: InputValue {
    /// The elements.
    public var inputValue: JSONValue { .array(map(\.inputValue)) }
}

extension JSONObject {
    /// Adds a variable or an input object field.
    /// - Parameters:
    ///   - name: The name of the variable or the field.
    ///   - value: The value. If it is `nil`, nothing is added, unless `orNull` is true.
    ///   - orNull: True to add `null` if the value is `nil`.
    public mutating func add<Value: InputValue>(_ name: String, _ value: Value?, orNull: Bool = false) {
        if let value {
            self[name] = value.inputValue
        } else if orNull {
            self[name] = .null
        }
    }
}

/// Stores a property indirectly, so that an input object can contain a value of its own type.
@propertyWrapper
public indirect enum Indirect<Value> {
    /// A value.
    case value(Value)

    /// Creates a stored value.
    public init(wrappedValue: Value) { self = .value(wrappedValue) }

    /// The value.
    public var wrappedValue: Value {
        get {
            switch self {
            case .value(let value): value
            }
        }
        set { self = .value(newValue) }
    }
}

extension Indirect: Sendable where Value: Sendable {}
extension Indirect: Equatable where Value: Equatable {}
extension Indirect: Hashable where Value: Hashable {}
