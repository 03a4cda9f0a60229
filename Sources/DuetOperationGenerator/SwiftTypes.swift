import DuetGraphQL

/// Maps the types of a schema to Swift types.
struct SwiftTypes {
    let schema: Schema
    let scalars: [String: String]

    /// Returns the Swift type of a scalar, an enumeration or an input object.
    func named(_ name: String) -> String {
        if let mapped = scalars[name] { return mapped }
        switch name {
        case "Int": return "Int"
        case "Float": return "Double"
        case "Boolean": return "Bool"
        case "String", "ID": return "String"
        default:
            if case .scalar? = schema.type(named: name) { return "JSONValue" }
            return SwiftName.type(name)
        }
    }

    /// Returns the Swift type of a GraphQL type. It is optional unless the GraphQL type is non-null.
    /// - Parameter base: The Swift type of the named type.
    static func wrapped(_ type: GraphQLType, _ base: String) -> String {
        switch type {
        case .nonNull(let inner): unwrapped(inner, base)
        default: unwrapped(type, base) + "?"
        }
    }

    /// Returns the Swift type of a GraphQL type, without the outer optional.
    static func unwrapped(_ type: GraphQLType, _ base: String) -> String {
        switch type {
        case .named: base
        case .list(let element): "[\(wrapped(element, base))]"
        case .nonNull(let inner): unwrapped(inner, base)
        }
    }
}
