/// The definition of a member of a mapping in an API description: its name, its valid values and its meaning.
///
/// The reader rejects members without a definition. The JSON Schema of API descriptions is generated from the
/// definitions, too. ``MappedMember`` adds how a member is read and written.
struct MemberDefinition: Sendable {
    /// The valid values of a member.
    indirect enum Value: Sendable {
        /// The version of the format.
        case version
        case text
        /// A name of the API: ASCII letters and digits.
        case name
        case flag
        case integer(ClosedRange<Int64>)
        /// One of the given texts.
        case choice([String])
        /// A list of the given texts, or a single text: one of them, or the last one, which stands for all of them.
        case choices([String], all: String)
        /// One of the given texts, or null.
        case choiceOrNull([String])
        /// A text, a number or a Boolean value.
        case scalar
        /// A text, a number, a Boolean value or null, or a claim such as `{claim: customer}`.
        case operand
        /// A list of texts, or a single text.
        case texts
        /// The values of an enumeration: a list of texts, or a mapping of texts to their descriptions.
        case choiceValues
        /// A filter in the format of requests.
        case filter
        /// One order, or a list of orders. An order is a text (a field, optionally followed by `asc` or `desc`) or a
        /// mapping.
        case orders(MappingDefinition)
        case mapping(MappingDefinition)
        /// A mapping, or one of the given texts.
        case mappingOrChoice(MappingDefinition, [String])
        case list(MappingDefinition)
        /// A mapping from names to values.
        case named(Value, Names)

        /// A mapping from columns to columns or collations.
        static var columns: Self { .named(.text, .any) }
    }

    /// The valid names in a mapping from names to values.
    enum Names: Sendable {
        case any
        /// Names of the API: ASCII letters and digits.
        case ofAPI
        /// Names of roles.
        case ofRoles
        /// The name of a resource, or `*`.
        case ofResources

        /// The regular expression that each name matches; nil if all names are valid.
        var pattern: String? {
            switch self {
            case .any: nil
            case .ofAPI: "^[A-Za-z][A-Za-z0-9]*$"
            case .ofRoles: "^[A-Za-z0-9._:/@+-]+$"
            case .ofResources: "^([A-Za-z][A-Za-z0-9]*|\\*)$"
            }
        }
    }

    /// A condition under which a member is allowed: another member of the mapping must have one of the given values.
    struct Condition: Sendable, Equatable {
        /// The name of the other member.
        let member: String
        let values: [String]
        /// The default value of the other member; nil if the other member is required.
        let defaultValue: String?

        /// True if the condition is met when the mapping omits the other member.
        var isMetByDefault: Bool { defaultValue.map(values.contains) ?? false }
    }

    let name: String
    let value: Value
    /// The description for editors.
    let description: String
    let isRequired: Bool
    let condition: Condition?
}

/// The definition of a mapping in a description: its members and their valid combinations.
struct MappingDefinition: Sendable {
    /// The name of the definition in the JSON Schema.
    let name: String
    /// The description for editors.
    let description: String
    let members: [MemberDefinition]
    /// Alternative groups of members. A mapping must contain all required members of exactly one group and no members
    /// of the other groups.
    let alternatives: [Alternative]
    /// Pairs of members that a mapping cannot have together.
    let conflicts: [(String, String)]
    /// True if a mapping needs at least one member.
    let needsMember: Bool
    /// The indices into ``members``, keyed by name.
    private let positions: [String: Int]

    /// A group of members that are used together.
    struct Alternative: Sendable {
        let required: [String]
        let optional: [String]

        init(_ required: String..., optional: [String] = []) {
            self.required = required
            self.optional = optional
        }

        var all: [String] { required + optional }
    }

    init(
        _ name: String, _ description: String, _ members: [MemberDefinition], alternatives: [Alternative],
        conflicts: [(String, String)], needsMember: Bool
    ) {
        self.name = name
        self.description = description
        self.members = members
        self.alternatives = alternatives
        self.conflicts = conflicts
        self.needsMember = needsMember
        positions = Dictionary(
            members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(name: String) -> MemberDefinition? { positions[name].map { members[$0] } }
}
