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
