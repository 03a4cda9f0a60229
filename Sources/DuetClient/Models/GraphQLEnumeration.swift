/// An enumeration of a schema with a case for values that the schema gets later. `duet generate` writes such types.
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
///             default: self = .unlisted(rawValue)
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
    /// A value that the type has no case for.
    static func unknown(_ name: String) -> Self

    /// The case of a deprecated value, which `allCases` does not have; `nil` if it is none.
    static func deprecated(_ name: String) -> Self?
}

extension GraphQLEnumeration {
    /// None.
    public static func deprecated(_ name: String) -> Self? { nil }

    /// The value of a name that `allCases` does not have.
    public static func unlisted(_ name: String) -> Self { deprecated(name) ?? unknown(name) }
}
