/// A role of callers: the resources, fields and rows that its callers may read and change. A role sees nothing that is
/// not given to it.
///
/// ``Catalogue/restricted(to:)`` returns the catalogue of a role.
public struct Role: Sendable, Hashable {
    /// The part of one resource that a role may read.
    public struct Read: Sendable, Hashable {
        /// The visible fields.
        public enum Fields: Sendable, Hashable {
            /// All fields.
            case all
            /// The fields with these names.
            case only([String])
            /// All fields, except those with these names.
            case except([String])
        }

        /// The visible fields.
        public var fields: Fields
        /// The condition on the visible rows. Its operands can be claims (``ClaimPath/parameter``). The condition is
        /// evaluated with all rows of the database.
        public var condition: Filter
        /// The default order of lists for this role; nil for the order of the resource. The role needs an order if the
        /// resource's order has a field that the role does not see.
        public var order: [SortField]?
        /// The orders of relations for this role, by the names of the relations. The other relations have the orders of
        /// the catalogue.
        public var relationOrders: [String: [Relation.Order]]
        /// True if the role can request aggregates and groups of the visible rows.
        public var aggregates = false

        /// Creates the permission to read all fields and rows of a resource, or a part of them.
        public init(
            fields: Fields = .all, where condition: Filter = .everything, order: [SortField]? = nil,
            relationOrders: [String: [Relation.Order]] = [:]
        ) {
            self.fields = fields
            self.condition = condition
            self.order = order
            self.relationOrders = relationOrders
        }
    }

    /// The changes of one resource that a role may make, within the rules of the resource (``Resource/writes``). A role
    /// writes only fields that it sees; the values of `set` can be those of any field.
    public struct Writes: Sendable, Hashable {
        /// The permission to create rows.
        public struct Create: Sendable, Hashable {
            /// The fields that a request can set.
            public var fields: Read.Fields
            /// The values that the service sets; see ``WriteRules/Create/set``.
            public var set: [String: Operand]
            /// The condition that a new row must satisfy.
            public var check: Filter

            /// Creates a permission.
            public init(fields: Read.Fields = .all, set: [String: Operand] = [:], check: Filter = .everything) {
                self.fields = fields
                self.set = set
                self.check = check
            }
        }

        /// The permission to change rows.
        public struct Update: Sendable, Hashable {
            /// The condition that a row must satisfy before the change.
            public var condition: Filter
            /// The fields that a request can set.
            public var fields: Read.Fields
            /// The values that the service sets; see ``WriteRules/Update/set``.
            public var set: [String: Operand]
            /// The condition that the row must satisfy after the change.
            public var check: Filter

            /// Creates a permission.
            public init(
                where condition: Filter = .everything, fields: Read.Fields = .all, set: [String: Operand] = [:],
                check: Filter = .everything
            ) {
                self.condition = condition
                self.fields = fields
                self.set = set
                self.check = check
            }
        }

        /// The permission to create rows; nil if the role has none.
        public var create: Create?
        /// The permission to change rows; nil if the role has none.
        public var update: Update?
        /// The permission to remove rows; nil if the role has none.
        public var delete: WriteRules.Delete?

        /// Creates permissions.
        public init(create: Create? = nil, update: Update? = nil, delete: WriteRules.Delete? = nil) {
            self.create = create
            self.update = update
            self.delete = delete
        }

        /// The conditions, and the operands of `set`, in a constant order.
        var conditions: [Filter] {
            [create?.check, update?.condition, update?.check, delete?.condition].compactMap(\.self)
        }

        /// The values that the service sets, in a constant order.
        var operands: [Operand] {
            [create?.set, update?.set].compactMap(\.self).flatMap { set in
                set.sorted { $0.key < $1.key }.map(\.value)
            }
        }
    }

    /// The name.
    public var name: String
    /// The visible resources, by name.
    public var reads: [String: Read]
    /// The permitted changes, by the names of the resources.
    public var writes: [String: Writes]

    /// Creates a role.
    public init(_ name: String, reads: [String: Read], writes: [String: Writes] = [:]) {
        self.name = name
        self.reads = reads
        self.writes = writes
    }

    /// The claims that the permissions of the role use, each of them once.
    public var claims: [ClaimPath] {
        let reads = reads.sorted { $0.key < $1.key }.flatMap(\.value.condition.parameters)
        let writes = writes.sorted { $0.key < $1.key }.flatMap { _, writes in
            writes.conditions.flatMap(\.parameters)
                + writes.operands.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
        }
        var found: [ClaimPath] = []
        for path in (reads + writes).map(ClaimPath.init(parameter:)) where !found.contains(path) { found.append(path) }
        return found
    }
}

/// An error in a role, described for the author of the role.
public struct RoleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The part of a role's permission for a resource that has the error.
    public enum Member: Sendable, Hashable {
        /// The resource itself.
        case resource
        /// The visible fields.
        case fields
        /// The condition on the rows.
        case condition
        /// The default order of lists.
        case order
        /// The order of the relation with a name.
        case relation(String)
        /// A part of the permission for a kind of change; nil for the whole permission.
        case write(WriteRules.Kind, WritePart?)
    }

    /// A part of the permission for a kind of change.
    public enum WritePart: Sendable, Hashable {
        /// The fields that a request can set.
        case fields
        /// The values that the service sets.
        case set
        /// The condition on the rows before the change.
        case condition
        /// The condition on the rows after the change.
        case check
    }

    /// The name of the role.
    public let role: String
    /// The name of the resource.
    public let resource: String
    /// The part of the permission.
    public let member: Member
    /// The sentence that describes the error.
    public let description: String

    init(_ role: Role, _ resource: String, _ member: Member, _ description: String) {
        self.role = role.name
        self.resource = resource
        self.member = member
        self.description = description
    }
}

extension Filter {
    /// The names of the parameters in the filter, in their order.
    var parameters: [String] {
        switch self {
        case .compare(_, _, let operands):
            operands.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
        case .isNull: []
        case .all(let filters), .any(let filters): filters.flatMap(\.parameters)
        case .not(let filter), .related(_, _, let filter), .aggregate(_, _, let filter): filter.parameters
        }
    }
}
