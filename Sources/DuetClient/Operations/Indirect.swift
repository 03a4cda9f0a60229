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
