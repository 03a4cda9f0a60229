public import DuetJSON

/// The value of a field in a record.
public enum FieldValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    /// A string.
    case string(String)
    /// A JSON object: the value of a custom scalar, or an element of a list that is the value of a custom scalar.
    case json(JSONValue)
    /// A reference to the object that has this key.
    case reference(CacheKey)
    /// A list.
    case list([FieldValue])
}

extension FieldValue: Hashable {
    /// Returns true if both values are equal. Strings are equal if their bytes are equal.
    public static func == (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)): left.hasSameUTF8(as: right)
        case (.json(let left), .json(let right)): left == right
        case (.reference(let left), .reference(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        default: false
        }
    }

    /// Hashes the value. Strings are hashed by their bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let bool): hasher.combine(bool)
        case .integer(let integer): hasher.combine(integer)
        case .double(let double): hasher.combine(double.bitPattern)
        case .string(var string): string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .json(let json): hasher.combine(json)
        case .reference(let key): hasher.combine(key)
        case .list(let elements): hasher.combine(elements)
        }
    }

    /// Creates a scalar from a value of a response.
    init(scalar value: JSONTape.Value) {
        switch value.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .string: self = value.string.map(FieldValue.string) ?? .null
        case .integer: self = value.integer.map(FieldValue.integer) ?? .null
        case .number: self = value.double.map(FieldValue.double) ?? .null
        case .array: self = .list(value.elements.map(FieldValue.init(scalar:)))
        case .object: self = .json(value.json)
        }
    }

    /// Creates the value of a field without a selection set.
    public init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(integer)
        case .double(let double): self = .double(double)
        case .string(let string): self = .string(string)
        case .array(let elements): self = .list(elements.map { FieldValue($0) })
        case .object: self = .json(json)
        }
    }

    /// The value as JSON. A reference is represented by its key.
    public var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .integer(let integer): .integer(integer)
        case .double(let double): .double(double)
        case .string(let string): .string(string)
        case .json(let json): json
        case .reference(let key): .string(key.description)
        case .list(let elements): .array(elements.map(\.json))
        }
    }

    /// Calls a closure for each reference in the value.
    func forEachReference(_ body: (CacheKey) -> Void) {
        switch self {
        case .reference(let key): body(key)
        case .list(let elements): for element in elements { element.forEachReference(body) }
        default: break
        }
    }
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
