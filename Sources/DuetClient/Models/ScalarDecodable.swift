public import DuetJSON
public import Foundation

/// A Swift type for a scalar or an enumeration of a schema.
///
/// An enumeration with raw values of the type `String` needs no code except the conformances to `CaseIterable` and this
/// protocol:
///
///     enum Gender: String, CaseIterable, ScalarDecodable { case male = "M", female = "F" }
public protocol ScalarDecodable: FieldDecodable {
    /// Creates a value from JSON other than `null`. Returns `nil` if the JSON is not a value of this type.
    init?(json: JSONValue)

    /// The placeholder values of a field in the first and the second mapping pass. A mapping pass calls a model's
    /// initializer without a response, to record the fields that the initializer reads. The two values should differ,
    /// so that the passes cover both branches of a condition.
    static var placeholders: (Self, Self) { get }
}

extension ScalarDecodable {
    /// Decodes a scalar.
    public static func decode(_ value: ResponseValue) throws(ModelError) -> Self {
        let json = value.json
        if let scalar = Self(json: json) { return scalar }
        throw value.mismatch(expected: "\(Self.self)", json)
    }

    /// Returns the placeholder of the current pass. Adds nothing to the map, because a scalar has no fields.
    public static func map(_ field: inout FieldMapper) -> Self {
        field.isSecondWalk ? placeholders.1 : placeholders.0
    }
}

extension String: ScalarDecodable {
    /// Creates a string from a string or a whole number. The value of an `ID` may be a number (specification, section
    /// 3.5.5).
    public init?(json: JSONValue) {
        switch json {
        case .string(let string): self = string
        case .integer(let integer): self = String(integer)
        default: return nil
        }
    }
    /// Two strings.
    public static var placeholders: (String, String) { ("", "-") }

    /// Decodes a string. Strings are the most frequent scalars, so this method avoids the creation of a `JSONValue`.
    public static func decode(_ value: ResponseValue) throws(ModelError) -> String {
        if let string = value.string { return string }
        let json = value.json
        if let string = String(json: json) { return string }
        throw value.mismatch(expected: "String", json)
    }
}

extension Bool: ScalarDecodable {
    /// Creates a value from `true` or `false`.
    public init?(json: JSONValue) {
        guard case .bool(let value) = json else { return nil }
        self = value
    }
    /// `true` and `false`.
    public static var placeholders: (Bool, Bool) { (true, false) }
}

extension Int: ScalarDecodable {
    /// Creates an integer from a whole number.
    public init?(json: JSONValue) {
        guard let integer = json.integerValue, let value = Int(exactly: integer) else { return nil }
        self = value
    }
    /// Two numbers.
    public static var placeholders: (Int, Int) { (0, 1) }
}

extension Int32: ScalarDecodable {
    /// Creates an integer from a whole number of 32 bits.
    public init?(json: JSONValue) {
        guard let integer = json.integerValue, let value = Int32(exactly: integer) else { return nil }
        self = value
    }
    /// Two numbers.
    public static var placeholders: (Int32, Int32) { (0, 1) }
}

extension Int64: ScalarDecodable {
    /// Creates an integer from a whole number of 64 bits.
    public init?(json: JSONValue) {
        guard let integer = json.integerValue else { return nil }
        self = integer
    }
    /// Two numbers.
    public static var placeholders: (Int64, Int64) { (0, 1) }
}

extension Double: ScalarDecodable {
    /// Creates a value from a number.
    public init?(json: JSONValue) {
        switch json {
        case .double(let double): self = double
        case .integer(let integer): self = Double(integer)
        default: return nil
        }
    }
    /// Two numbers.
    public static var placeholders: (Double, Double) { (0, 1) }
}

extension URL: ScalarDecodable {
    /// Creates an address from a string.
    public init?(json: JSONValue) {
        guard case .string(let text) = json, let url = URL(string: text) else { return nil }
        self = url
    }
    /// Two file addresses.
    public static var placeholders: (URL, URL) {
        (URL(filePath: "/"), URL(filePath: "/-"))
    }
}

extension JSONValue: ScalarDecodable {
    /// Creates a value from any JSON.
    public init?(json: JSONValue) { self = json }
    /// Two values.
    public static var placeholders: (JSONValue, JSONValue) { (.null, .bool(true)) }
}

extension ScalarDecodable where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// Creates the case with the given name.
    public init?(json: JSONValue) {
        guard case .string(let name) = json else { return nil }
        self.init(rawValue: name)
    }

    /// The first case and the last case.
    public static var placeholders: (Self, Self) {
        // An enumeration without cases has no values, so no field can have this type.
        let cases = Array(allCases)
        guard let first = cases.first, let last = cases.last else {
            preconditionFailure("\(Self.self) has no cases, so a field of this type can have no value")
        }
        return (first, last)
    }

    /// An enumeration. `isOpen` is true if the Swift type also decodes names that do not belong to its cases.
    public static var shape: ValueShape {
        let values = allCases.map(\.rawValue)
        // This name is longer than all names of the cases, so it differs from each of them.
        let other = values.reduce("_") { $0.count > $1.count ? $0 : $1 + "_" }
        return .enumeration(Self.self, values: values, isOpen: Self(rawValue: other) != nil)
    }
}

/// An enumeration of a schema, with a case for values that are added to the schema after the app was compiled. `duet
/// generate` generates types that conform to this protocol.
///
///     enum Gender: GraphQLEnumeration {
///         case female
///         case male
///         case unknown(String)
///
///         static let allCases: [Gender] = [.female, .male]
///         init(rawValue: String) {
///             switch rawValue {
///             case "F": self = .female
///             case "M": self = .male
///             default: self = .unknown(rawValue)
///             }
///         }
///         var rawValue: String {
///             switch self {
///             case .female: "F"
///             case .male: "M"
///             case .unknown(let name): name
///             }
///         }
///     }
public protocol GraphQLEnumeration: ScalarDecodable, InputValue, RawRepresentable, CaseIterable, Hashable
where RawValue == String {
    /// Returns the value for a name that does not belong to any other case.
    static func unknown(_ name: String) -> Self
}
