import DuetClient
import DuetGraphQL
import DuetJSON
import Foundation

/// The scalars that the library itself can decode from JSON.
enum BuiltInScalar {
    case string, bool, integer, integer32, double, url

    init?(_ type: any FieldDecodable.Type) {
        switch type {
        case is String.Type: self = .string
        case is Bool.Type: self = .bool
        case is Int.Type, is Int64.Type: self = .integer
        case is Int32.Type: self = .integer32
        case is Double.Type: self = .double
        case is URL.Type: self = .url
        default: return nil
        }
    }

    /// The names of common custom scalars whose values can exceed the range of `Int32`.
    private static let longIntegers: Set<String> = ["Int64", "UInt64", "UInt32", "Long", "BigInt"]

    /// Returns the error message for a field of the GraphQL type `type` that a model reads as `swiftType`; `nil` if the
    /// Swift type is correct.
    func message(_ swiftType: any FieldDecodable.Type, _ type: NamedType) -> String? {
        if self == .integer32, Self.longIntegers.contains(type.name) {
            return "The field is of type \(type.name), whose values can be larger than Int32. Read Int64."
        }
        guard let remedy = remedy(type) else { return nil }
        return "The field is of type \(type.name), which cannot be read as \(swiftType). Read \(remedy)."
    }

    /// Returns the Swift type to use for the GraphQL type; `nil` if this scalar is correct.
    private func remedy(_ type: NamedType) -> String? {
        if case .enum = type { return self == .string ? nil : "String, or an enumeration" }
        return switch (type.name, self) {
        case ("Int", .integer), ("Int", .integer32), ("Int", .double), ("Int", .string): nil
        case ("Int", _): "Int"
        case ("Float", .double): nil
        case ("Float", _): "Double"
        case ("Boolean", .bool): nil
        case ("Boolean", _): "Bool"
        case ("String", .string), ("String", .url), ("ID", .string), ("ID", .url): nil
        case ("String", _), ("ID", _): "String"
        // The service defines the representation of a custom scalar.
        default: nil
        }
    }
}

extension ValueShape {
    /// True for `JSONValue`, which can read any GraphQL type.
    var readsAnything: Bool {
        if case .scalar(let type) = self { type == JSONValue.self } else { false }
    }

    /// True for a scalar that the app defines.
    var isOwnScalar: Bool {
        if case .scalar(let type) = self { BuiltInScalar(type) == nil } else { false }
    }

    /// The name of the type in Swift source.
    var name: String {
        switch self {
        case .scalar(let type), .enumeration(let type, _, _): "\(type)"
        case .object(let model): "\(model)"
        case .optional(let wrapped): "\(wrapped.name)?"
        case .list(let element): "[\(element.name)]"
        }
    }
}
