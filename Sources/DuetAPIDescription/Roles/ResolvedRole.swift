public import DuetResourceService

/// A role with the permissions for each resource, which come from its own entries and from the roles that it includes.
public struct ResolvedRole: Sendable {
    /// The role.
    public let role: Role
    /// The origins of the permissions to read, keyed by resource. Each resource in ``role`` has an origin.
    public let origins: [String: RuleOrigin]
    /// The origins of the permissions to make changes, keyed by the kind of change, and then by resource.
    public let writeOrigins: [WriteRules.Kind: [String: RuleOrigin]]

    /// Returns the origin of the permission for an action on a resource; nil if the role does not have the permission.
    public func origin(of action: RoleAction, on resource: String) -> RuleOrigin? {
        guard let kind = action.kind else { return origins[resource] }
        return writeOrigins[kind]?[resource]
    }
}

/// The entry of a description from which a permission comes.
public struct RuleOrigin: Sendable, Hashable {
    /// The name of the role that has the entry. A role can include it.
    public let role: String
    /// The name of the resource in the entry, or `*`.
    public let entry: String
    /// The name of the description's file; nil if the description was not read from a file.
    public let file: String?
    /// The line of the entry or, for a change, of its permission in the entry, starting from 1; nil if the description
    /// was not read from a file.
    public let line: Int?
}

extension APIDescription {
    /// Returns the roles, in the order of the description, with the permissions for each resource:
    ///
    /// - A role has the entries of the roles that it includes. Each action of an entry is independent of the others.
    ///   The role's own permission for an action replaces an included one for the same action and resource, and
    ///   `read: none`, `create: none`, `update: none` and `delete: none` take it away.
    /// - A permission in an entry for a resource precedes that in the entry `*`, which is for all other resources. The
    ///   permissions of `*` to make changes are for the resources that permit these changes (`Resource.writes`).
    /// - A role does not see a resource without an entry, and it cannot change a resource that it does not see.
    /// - Throws: ``DescriptionError`` if two included roles have different permissions for an action on a resource and
    ///   the role has no own permission, if a role includes itself, or if a role refers to an unknown role or resource.
    public func resolvedRoles() throws -> [ResolvedRole] {
        let resolver = try RoleResolver.checked(self)
        return roles.map(resolver.resolve)
    }

    /// Returns the role with a name, with the permissions for each resource; nil if there is no such role.
    /// - Throws: ``DescriptionError``; see ``resolvedRoles()``.
    public func resolvedRole(_ name: String) throws -> ResolvedRole? {
        let resolver = try RoleResolver.checked(self)
        return roles.first { $0.name == name }.map(resolver.resolve)
    }
}
