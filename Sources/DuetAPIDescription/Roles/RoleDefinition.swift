public import DuetResourceService

/// A role of callers as the description defines it. ``APIDescription/resolvedRoles()`` returns the roles with all that
/// they include.
public struct RoleDefinition: Sendable, Hashable {
    /// The name, which tokens contain.
    public var name: String
    /// The names of the roles whose entries the role has, too.
    public var includes: [String]
    /// The role's own entries.
    public var entries: [RoleEntry]

    /// Creates a role.
    public init(_ name: String, includes: [String] = [], entries: [RoleEntry] = []) {
        self.name = name
        self.includes = includes
        self.entries = entries
    }
}

/// The permissions of a role for one resource, or for all resources without an entry.
public struct RoleEntry: Sendable, Hashable {
    /// The key of an entry for all resources without an entry.
    public static let anyResource = RoleMapping.anyResource

    /// The name of the resource, or ``anyResource``.
    public var resource: String
    /// The permission to read; nil if the entry takes away an included permission (`read: none`).
    ///
    /// The names of fields and relations in an entry for all resources apply to the resources that have such a field or
    /// relation. Its condition is that of the first resource. ``APIDescription/resolvedRoles()`` returns the condition
    /// of each resource.
    public var read: Role.Read?
    /// The conditions of the resources whose condition is not that of ``read``, because the values of their fields have
    /// other types.
    var conditions: [String: Filter] = [:]
    /// The reasons why the condition cannot apply to a resource, keyed by the resource.
    var misfits: [String: String] = [:]

    /// Creates an entry.
    public init(_ resource: String, read: Role.Read?) {
        self.resource = resource
        self.read = read
    }

    /// Returns the permission to read a resource. The entry must be for this resource or for all resources.
    func read(of resource: Resource) -> Role.Read? {
        guard self.resource == Self.anyResource, var read else { return read }
        // Most entries for all resources have neither names nor a condition.
        guard read.fields != .all || !conditions.isEmpty || !read.relationOrders.isEmpty else { return read }
        func existing(_ names: [String]) -> [String] { names.filter { resource.field($0) != nil } }
        switch read.fields {
        case .all: break
        case .only(let names): read.fields = .only(existing(names))
        case .except(let names): read.fields = .except(existing(names))
        }
        if let condition = conditions[resource.name] { read.condition = condition }
        read.relationOrders = read.relationOrders.filter { resource.relation($0.key) != nil }
        return read
    }

    /// Returns true if two entries give the same permissions.
    func isEquivalent(to other: RoleEntry) -> Bool {
        guard let read, let otherRead = other.read else { return read == nil && other.read == nil }
        return resource == other.resource && read.isEquivalent(to: otherRead) && conditions == other.conditions
    }
}

extension Role.Read {
    /// Returns true if two permissions give the same fields and rows in the same orders.
    func isEquivalent(to other: Role.Read) -> Bool {
        fields.names == other.fields.names && condition == other.condition && order == other.order
            && relationOrders == other.relationOrders
    }
}

extension Role.Read.Fields {
    /// The names, without their order; `isExcluded` is true for the fields that are not visible.
    fileprivate var names: Names {
        switch self {
        case .all: Names(isExcluded: true, names: [])
        case .only(let names): Names(isExcluded: false, names: Set(names))
        case .except(let names): Names(isExcluded: true, names: Set(names))
        }
    }

    fileprivate struct Names: Equatable {
        let isExcluded: Bool
        let names: Set<String>
    }
}
