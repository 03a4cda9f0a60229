/// A mapping of a description, with a property for each member. A property is nil if the mapping omits the member.
///
/// The properties have the form of the file. The writer creates the mapping from a part of the catalogue. The reader
/// creates a part of the catalogue from the members of a mapping, which it reads by their properties.
protocol DescriptionMapping: Sendable {
    /// The members. Each of them has a stored property.
    static var members: MemberTable<Self> { get }
}

/// The table of the members of a mapping. The reader, the writer, the error messages and the JSON Schema use it.
struct MemberTable<Mapping: DescriptionMapping>: Sendable {
    /// The names, values and descriptions of the members, and the valid combinations of members.
    let definition: MappingDefinition
    private let members: [MappedMember<Mapping>]
    /// The indices into ``members``, keyed by the offset of the property in memory.
    private let positions: [Int: Int]
    /// The members in the order in which they are written.
    private let written: [MappedMember<Mapping>]

    /// - Parameter members: The members in the order of error messages and of the JSON Schema.
    init(
        _ name: String, _ description: String, _ members: [MappedMember<Mapping>],
        alternatives: [MappingDefinition.Alternative] = [], conflicts: [(String, String)] = [],
        needsMember: Bool = false
    ) {
        definition = MappingDefinition(
            name, description, members.map(\.definition), alternatives: alternatives, conflicts: conflicts,
            needsMember: needsMember)
        self.members = members
        positions = Dictionary(
            members.enumerated().compactMap { index, member in member.offset.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
        written = members.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            .map(\.element)
    }

    /// Returns the member with a property; nil if the table lacks it.
    func member(_ property: PartialKeyPath<Mapping>) -> MappedMember<Mapping>? {
        MemoryLayout<Mapping>.offset(of: property).flatMap { positions[$0] }.map { members[$0] }
    }

    /// Returns the members of a mapping that are not nil, in the order in which they are written.
    func values(of mapping: Mapping) -> [(name: String, value: YAMLValue)] {
        written.compactMap { member in member.value(mapping).map { (member.definition.name, $0) } }
    }
}

/// A member of a mapping: its definition, its property, and how it is read and written.
struct MappedMember<Mapping: DescriptionMapping>: Sendable {
    fileprivate(set) var definition: MemberDefinition
    /// The offset of the property in memory, which identifies the property.
    fileprivate let offset: Int?
    /// Reads the value, and reports an error if it is invalid. The result is nil for an invalid value, and for a member
    /// that the reader itself reads.
    let read: @Sendable (DescriptionReader, YAMLObject.Member) -> Any?
    /// Returns the value of the member in a mapping; nil if the mapping omits the member.
    let value: @Sendable (Mapping) -> YAMLValue?
    /// The place in a written mapping. Members with the same place have the order of the table.
    fileprivate(set) var place = 0

    private init<Value>(
        _ name: String, _ value: MemberDefinition.Value, _ property: any KeyPath<Mapping, Value?> & Sendable,
        _ description: String, yaml: @escaping @Sendable (Value) -> YAMLValue,
        read: @escaping @Sendable (DescriptionReader, YAMLObject.Member) -> Value?
    ) {
        definition = MemberDefinition(
            name: name, value: value, description: description, isRequired: false, condition: nil)
        offset = MemoryLayout<Mapping>.offset(of: property)
        self.read = { reader, member in read(reader, member) }
        self.value = { $0[keyPath: property].map(yaml) }
    }

    /// A text.
    static func text(
        _ name: String, _ property: any KeyPath<Mapping, String?> & Sendable, _ description: String
    ) -> Self {
        Self(name, .text, property, description, yaml: { .text($0) }, read: { $0.text($1.value, name) })
    }

    /// A name of the API.
    static func name(
        _ name: String, _ property: any KeyPath<Mapping, String?> & Sendable, _ description: String
    ) -> Self {
        Self(name, .name, property, description, yaml: { .text($0) }, read: { $0.text($1.value, name) })
    }

    /// A Boolean value.
    static func flag(
        _ name: String, _ property: any KeyPath<Mapping, Bool?> & Sendable, _ description: String
    ) -> Self {
        Self(name, .flag, property, description, yaml: { .plain("\($0)") }, read: { $0.flag($1.value, name) })
    }

    /// An integer.
    static func integer(
        _ name: String, _ range: ClosedRange<Int64>, _ property: any KeyPath<Mapping, Int64?> & Sendable,
        _ description: String
    ) -> Self {
        Self(
            name, .integer(range), property, description, yaml: { .plain("\($0)") },
            read: { $0.integer($1.value, name, in: range) })
    }

    /// One of the cases of an enumeration.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ property: any KeyPath<Mapping, Choice?> & Sendable, _ description: String
    ) -> Self {
        Self(
            name, .choice(Choice.allCases.map(\.rawValue)), property, description, yaml: { .plain($0.rawValue) },
            read: { $0.choice($1.value, name, Choice.self) })
    }

    /// A list of cases of an enumeration, or a text that stands for all of them.
    static func choices<Choice: RawRepresentable<String> & CaseIterable & Hashable & Sendable>(
        _ name: String, all: String, _ property: any KeyPath<Mapping, Set<Choice>?> & Sendable, _ description: String
    ) -> Self {
        let names = Choice.allCases.map(\.rawValue)
        return Self(
            name, .choices(names, all: all), property, description,
            yaml: { chosen in
                chosen.count == names.count
                    ? .plain(all) : .texts(Choice.allCases.filter(chosen.contains).map(\.rawValue))
            }, read: { $0.choices($1, Choice.self, all: all) })
    }

    /// A list of texts, or a single text.
    static func texts(
        _ name: String, _ property: any KeyPath<Mapping, [String]?> & Sendable, _ description: String
    ) -> Self {
        Self(name, .texts, property, description, yaml: { .texts($0) }, read: { $0.texts($1)?.map(\.text) })
    }

    /// A member that the reader itself reads.
    static func structure(
        _ name: String, _ value: MemberDefinition.Value, _ property: any KeyPath<Mapping, YAMLValue?> & Sendable,
        _ description: String
    ) -> Self {
        Self(name, value, property, description, yaml: { $0 }, read: { _, _ in nil })
    }

    /// The member as a required one.
    var required: Self {
        var member = self
        member.definition = MemberDefinition(
            name: definition.name, value: definition.value, description: definition.description, isRequired: true,
            condition: definition.condition)
        return member
    }

    /// Returns the member with a condition.
    /// - Parameter defaultValue: The default value of the other member; nil if the other member is required.
    func ifMember(_ other: String, isOneOf values: [String], default defaultValue: String? = nil) -> Self {
        var member = self
        member.definition = MemberDefinition(
            name: definition.name, value: definition.value, description: definition.description,
            isRequired: definition.isRequired,
            condition: .init(member: other, values: values, defaultValue: defaultValue))
        return member
    }

    /// Returns the member at a place in a written mapping. The default is 0, and a smaller place is further ahead.
    func written(at place: Int) -> Self {
        var member = self
        member.place = place
        return member
    }
}
