/// A role of callers: the resources, fields and rows that its callers may read. A role sees nothing that is not given
/// to it.
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

    /// The name.
    public var name: String
    /// The visible resources, by name.
    public var reads: [String: Read]

    /// Creates a role.
    public init(_ name: String, reads: [String: Read]) {
        self.name = name
        self.reads = reads
    }

    /// The claims that the conditions of the role compare, each of them once.
    public var claims: [ClaimPath] {
        var found: [ClaimPath] = []
        for read in reads.sorted(by: { $0.key < $1.key }) {
            for name in read.value.condition.parameters {
                let path = ClaimPath(parameter: name)
                if !found.contains(path) { found.append(path) }
            }
        }
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
        case .not(let filter), .related(_, _, let filter): filter.parameters
        }
    }
}
