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

/// An action that a role can permit.
public enum RoleAction: String, Sendable, Hashable, CaseIterable {
    /// Read rows.
    case read
    /// Create rows.
    case create
    /// Change rows.
    case update
    /// Remove rows.
    case delete

    /// Creates the action of a kind of change.
    public init(_ kind: WriteRules.Kind) {
        self =
            switch kind {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
    }

    /// The kind of change; nil for ``read``.
    public var kind: WriteRules.Kind? { WriteRules.Kind(rawValue: rawValue) }
}

/// The permissions of a role for one resource, or for all resources without an entry. Each action of an entry is
/// independent of the others: an action that the entry does not contain comes from the included roles.
public struct RoleEntry: Sendable, Hashable {
    /// The key of an entry for all resources without an entry.
    public static let anyResource = RoleMapping.anyResource

    /// The name of the resource, or ``anyResource``.
    public var resource: String
    /// The permission to read; nil if the entry has none.
    ///
    /// The names of fields and relations in an entry for all resources apply to the resources that have such a field or
    /// relation. Its condition is that of the first resource. ``APIDescription/resolvedRoles()`` returns the condition
    /// of each resource.
    public var read: Role.Read?
    /// The permissions to make changes. An entry for all resources applies to the resources that permit the kind of
    /// change (`Resource.writes`). Its names and conditions have the meaning of those in ``read``.
    public var writes: Role.Writes
    /// The actions whose included permission the entry takes away, such as `read: none`.
    public var removed: Set<RoleAction>
    /// The conditions of the resources whose condition is not that of the permission, because the values of their
    /// fields have other types. Only an entry for all resources has them, and the other dictionaries.
    var conditions: [RolePart: [String: Filter]] = [:]
    /// The values that the service sets in the resources in which they have other types.
    var sets: [RolePart: [String: [String: Operand]]] = [:]
    /// The reasons why a part of the entry cannot apply to a resource, keyed by the resource.
    var misfits: [RolePart: [String: String]] = [:]

    /// Creates an entry.
    /// - Parameter read: The permission to read; nil if the entry takes away an included permission (`read: none`).
    public init(_ resource: String, read: Role.Read?) {
        self.init(resource, read: read, writes: Role.Writes(), removed: read == nil ? [.read] : [])
    }

    /// Creates an entry with permissions to make changes.
    /// - Parameters:
    ///   - read: The permission to read; nil if the entry has none.
    ///   - writes: The permissions to make changes.
    ///   - removed: The actions whose included permission the entry takes away.
    public init(
        _ resource: String, read: Role.Read? = nil, writes: Role.Writes, removed: Set<RoleAction> = []
    ) {
        self.resource = resource
        self.read = read
        self.writes = writes
        self.removed = removed
    }
}

/// A part of an entry whose values depend on the fields of the resource.
enum RolePart: Hashable, CaseIterable {
    case readCondition
    case createSet, createCheck
    case updateCondition, updateSet, updateCheck
    case deleteCondition

    var action: RoleAction {
        switch self {
        case .readCondition: .read
        case .createSet, .createCheck: .create
        case .updateCondition, .updateSet, .updateCheck: .update
        case .deleteCondition: .delete
        }
    }

    /// The name of the member in a description.
    var name: String {
        switch self {
        case .readCondition, .updateCondition, .deleteCondition: "where"
        case .createSet, .updateSet: "set"
        case .createCheck, .updateCheck: "check"
        }
    }

    /// The members of an entry that lead to the part.
    var path: [String] { [action.rawValue, name] }

    var isSet: Bool { self == .createSet || self == .updateSet }
}

extension RoleEntry {
    /// Returns true if the entry permits an action.
    func permits(_ action: RoleAction) -> Bool {
        switch action {
        case .read: read != nil
        case .create: writes.create != nil
        case .update: writes.update != nil
        case .delete: writes.delete != nil
        }
    }

    /// Returns true if the entry permits an action, or takes it away.
    func contains(_ action: RoleAction) -> Bool { permits(action) || removed.contains(action) }

    /// The actions that the entry permits or takes away.
    var actions: [RoleAction] { RoleAction.allCases.filter(contains) }

    /// The condition of a part. The permission of the part must exist to set it.
    subscript(condition part: RolePart) -> Filter? {
        get {
            switch part {
            case .readCondition: read?.condition
            case .createCheck: writes.create?.check
            case .updateCondition: writes.update?.condition
            case .updateCheck: writes.update?.check
            case .deleteCondition: writes.delete?.condition
            case .createSet, .updateSet: nil
            }
        }
        set {
            let condition = newValue ?? .everything
            switch part {
            case .readCondition: read?.condition = condition
            case .createCheck: writes.create?.check = condition
            case .updateCondition: writes.update?.condition = condition
            case .updateCheck: writes.update?.check = condition
            case .deleteCondition: writes.delete?.condition = condition
            case .createSet, .updateSet: break
            }
        }
    }

    /// The values of a part. The permission of the part must exist to set them.
    subscript(set part: RolePart) -> [String: Operand] {
        get {
            switch part {
            case .createSet: writes.create?.set ?? [:]
            case .updateSet: writes.update?.set ?? [:]
            default: [:]
            }
        }
        set {
            switch part {
            case .createSet: writes.create?.set = newValue
            case .updateSet: writes.update?.set = newValue
            default: break
            }
        }
    }

    /// Returns the resources to which an action of the entry can apply. If no resource permits the action, the result
    /// is all resources.
    func candidates(for action: RoleAction, in catalogue: Catalogue) -> [Resource] {
        if let resource = catalogue[resource] { return [resource] }
        guard let kind = action.kind else { return catalogue.resources }
        let permitting = catalogue.resources.filter { $0.writes.kinds.contains(kind) }
        return permitting.isEmpty ? catalogue.resources : permitting
    }

    // MARK: Permissions for a resource

    /// Returns the permission to read a resource. The entry must be for this resource or for all resources.
    func read(of resource: Resource) -> Role.Read? {
        guard self.resource == Self.anyResource, var read else { return read }
        // Most entries for all resources have neither names nor a condition.
        guard read.fields != .all || !conditions.isEmpty || !read.relationOrders.isEmpty else { return read }
        read.fields = read.fields.filtered { resource.field($0) != nil }
        if let condition = conditions[.readCondition]?[resource.name] { read.condition = condition }
        read.relationOrders = read.relationOrders.filter { resource.relation($0.key) != nil }
        return read
    }

    /// Returns the permission for a kind of change of a resource. The entry must be for this resource or for all
    /// resources.
    func writes(_ kind: WriteRules.Kind, of resource: Resource) -> Role.Writes {
        var entry = RoleEntry(self.resource, writes: Role.Writes())
        switch kind {
        case .create: entry.writes.create = writes.create
        case .update: entry.writes.update = writes.update
        case .delete: entry.writes.delete = writes.delete
        }
        guard self.resource == Self.anyResource else { return entry.writes }
        for part in RolePart.allCases where part.action.kind == kind {
            if let condition = conditions[part]?[resource.name] { entry[condition: part] = condition }
            if let set = sets[part]?[resource.name] { entry[set: part] = set }
        }
        if let create = entry.writes.create {
            let fields = create.fields.filtered(among: resource.writes.create?.fields)
            if let fields { entry.writes.create?.fields = fields } else { entry.writes.create = nil }
        }
        if let update = entry.writes.update {
            let fields = update.fields.filtered(among: resource.writes.update?.fields)
            if let fields { entry.writes.update?.fields = fields } else { entry.writes.update = nil }
        }
        return entry.writes
    }

    // MARK: Comparison

    /// Returns true if two entries give the same permission for an action.
    func isEquivalent(to other: RoleEntry, for action: RoleAction) -> Bool {
        guard resource == other.resource, permits(action) == other.permits(action) else { return false }
        guard permits(action) else { return true }
        let parts = RolePart.allCases.filter { $0.action == action }
        guard
            parts.allSatisfy({ part in
                self[condition: part] == other[condition: part] && self[set: part] == other[set: part]
                    && conditions[part] == other.conditions[part] && sets[part] == other.sets[part]
            })
        else { return false }
        return switch action {
        case .read:
            if let read, let otherRead = other.read { read.isEquivalent(to: otherRead) } else { false }
        case .create: writes.create?.fields.names == other.writes.create?.fields.names
        case .update: writes.update?.fields.names == other.writes.update?.fields.names
        case .delete: true
        }
    }
}

extension Role.Read {
    /// Returns true if two permissions give the same fields and rows in the same orders.
    func isEquivalent(to other: Role.Read) -> Bool {
        fields.names == other.fields.names && condition == other.condition && order == other.order
            && relationOrders == other.relationOrders && aggregates == other.aggregates
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

    /// Returns the names that satisfy a predicate.
    fileprivate func filtered(_ isIncluded: (String) -> Bool) -> Self {
        switch self {
        case .all: self
        case .only(let names): .only(names.filter(isIncluded))
        case .except(let names): .except(names.filter(isIncluded))
        }
    }

    /// Returns the names that are also in a list; nil if this leaves none of the names of fields to set.
    fileprivate func filtered(among known: [String]?) -> Self? {
        let known = Set(known ?? [])
        let filtered = filtered(known.contains)
        if case .only([]) = filtered, self != filtered { return nil }
        return filtered
    }

    fileprivate struct Names: Equatable {
        let isExcluded: Bool
        let names: Set<String>
    }
}
