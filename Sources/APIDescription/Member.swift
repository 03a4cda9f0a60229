/// A member of a mapping in a description: its name, its values and its meaning.
///
/// The reader takes the members of these tables alone, and the JSON Schema of descriptions is made of them.
struct Member: Sendable {
    /// The values that a member can have.
    indirect enum Value: Sendable {
        /// The version of the format.
        case version
        case text
        /// A name of the API: letters of ASCII and digits.
        case name
        case flag
        case integer(ClosedRange<Int64>)
        /// One of these texts.
        case choice([String])
        /// A text, a number or a truth value.
        case scalar
        /// A list of texts, or one text.
        case texts
        /// The values of an enumeration: a list of texts, or a mapping of texts to their descriptions.
        case choiceValues
        /// A filter in the form that requests have it.
        case filter
        /// Fields with `asc` or `desc` after them, or other orders.
        case orders(Mapping)
        case mapping(Mapping)
        case list(Mapping)
        /// A mapping from any names to values.
        case named(Value, isName: Bool)
    }

    /// Another member, whose values decide if a member is allowed.
    struct Condition: Sendable, Equatable {
        let member: String
        let values: [String]
        /// The value of the other member where it is left out; nil if it cannot be.
        let defaultValue: String?

        /// True if the other member can be left out.
        var isMetByDefault: Bool { defaultValue.map(values.contains) ?? false }
    }

    let name: String
    let value: Value
    /// The sentence for editors.
    let description: String
    let isRequired: Bool
    let condition: Condition?

    init(
        _ name: String, _ value: Value, required: Bool = false, if member: String? = nil, isOneOf values: [String] = [],
        default defaultValue: String? = nil, _ description: String
    ) {
        self.name = name
        self.value = value
        self.description = description
        isRequired = required
        condition = member.map { Condition(member: $0, values: values, defaultValue: defaultValue) }
    }
}

/// A mapping of a description: its members, and which of them go together.
struct Mapping: Sendable {
    /// The name of the definition in the JSON Schema.
    let name: String
    /// The sentence for editors.
    let description: String
    let members: [Member]
    /// Groups of members; a mapping has all required members of one group and none of the others.
    let alternatives: [Alternative]

    /// Members that go together.
    struct Alternative: Sendable {
        let required: [String]
        let optional: [String]

        init(_ required: String..., optional: [String] = []) {
            self.required = required
            self.optional = optional
        }

        var all: [String] { required + optional }
    }

    init(_ name: String, _ description: String, _ members: [Member], alternatives: [Alternative] = []) {
        self.name = name
        self.description = description
        self.members = members
        self.alternatives = alternatives
    }

    subscript(name: String) -> Member? { members.first { $0.name == name } }

    /// The range of a whole number.
    func range(of name: String) -> ClosedRange<Int64>? {
        guard case .integer(let range)? = self[name]?.value else { return nil }
        return range
    }
}
