/// The changes that clients can make to the rows of a resource. By default, they can make none. In the catalogue of a
/// role, the rules are those of the role.
///
/// ``Catalogue`` derives the writes of the API from the rules.
public struct WriteRules: Sendable, Hashable {
    /// The rules for new rows.
    public struct Create: Sendable, Hashable {
        /// The names of the fields that a request can set.
        public var fields: [String]
        /// The values that the service sets, by the names of the fields. A value can be a claim.
        public var set: [String: Operand]
        /// The condition that a new row must satisfy.
        public var check: Filter

        /// Creates rules.
        public init(fields: [String], set: [String: Operand] = [:], check: Filter = .everything) {
            self.fields = fields
            self.set = set
            self.check = check
        }
    }

    /// The rules for changes of existing rows.
    public struct Update: Sendable, Hashable {
        /// The condition that a row must satisfy before the change.
        public var condition: Filter
        /// The names of the fields that a request can set.
        public var fields: [String]
        /// The values that the service sets with each change, by the names of the fields. A value can be a claim.
        public var set: [String: Operand]
        /// The condition that the row must satisfy after the change.
        public var check: Filter

        /// Creates rules.
        public init(
            where condition: Filter = .everything, fields: [String], set: [String: Operand] = [:],
            check: Filter = .everything
        ) {
            self.condition = condition
            self.fields = fields
            self.set = set
            self.check = check
        }
    }

    /// The rules for the removal of rows.
    public struct Delete: Sendable, Hashable {
        /// The condition that a row must satisfy.
        public var condition: Filter

        /// Creates rules.
        public init(where condition: Filter = .everything) {
            self.condition = condition
        }
    }

    /// The rules for new rows; nil if clients cannot create rows.
    public var create: Create?
    /// The rules for changes of existing rows; nil if clients cannot change rows.
    public var update: Update?
    /// The rules for the removal of rows; nil if clients cannot remove rows.
    public var delete: Delete?

    /// Creates rules.
    public init(create: Create? = nil, update: Update? = nil, delete: Delete? = nil) {
        self.create = create
        self.update = update
        self.delete = delete
    }

    /// True if clients can make no changes.
    public var isEmpty: Bool { create == nil && update == nil && delete == nil }
}

extension WriteRules {
    /// The kinds of changes that a description can permit.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// New rows.
        case create
        /// Changes of existing rows.
        case update
        /// The removal of rows.
        case delete
    }

    /// Returns the rules that permit kinds of changes to all writable fields of a resource.
    public static func permitting(_ kinds: Set<Kind>, of resource: Resource) -> WriteRules {
        let writable = resource.fields.filter(\.isOwnWritable).map(\.name)
        return WriteRules(
            create: kinds.contains(.create) ? Create(fields: writable) : nil,
            update: kinds.contains(.update)
                ? Update(fields: writable.filter { !resource.key.contains($0) }) : nil,
            delete: kinds.contains(.delete) ? Delete() : nil)
    }

    /// The kinds of changes that the rules permit.
    public var kinds: Set<Kind> {
        Set(
            [(Kind.create, create != nil), (.update, update != nil), (.delete, delete != nil)].filter(\.1).map(\.0))
    }
}

extension Field {
    /// True if a write can set the field: it is writable, and it is a column of the resource's own table.
    package var isOwnWritable: Bool { isWritable && relation == nil && type != .any }

    /// True if a new row needs a value of the client.
    package var isRequiredForCreate: Bool { isOwnWritable && !isNullable && databaseValue == nil }
}
