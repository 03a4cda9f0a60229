import DuetResourceService

/// A role in a description.
struct RoleMapping: DescriptionMapping {
    var includes: [String]?
    var resources: YAMLValue?

    /// The key of the entry for all resources without an entry of their own.
    static let anyResource = "*"

    static let members = MemberTable<Self>(
        "role",
        "A role of callers: the resources, fields and rows that they see, and the changes that they can make. A role sees and changes nothing else.",
        [
            .texts(
                "includes", \.includes,
                "Other roles. The role has their entries, too, except those for which it has an own entry."),
            .structure(
                "resources", .named(.mapping(PermissionMapping.members.definition), .ofResources), \.resources,
                "The permissions, keyed by resource. The entry \"*\" is for all resources without an entry."),
        ])
}

/// The permissions of a role for one resource.
struct PermissionMapping: DescriptionMapping {
    var read: YAMLValue?
    var create: YAMLValue?
    var update: YAMLValue?
    var delete: YAMLValue?

    /// The value of a permission that takes an included permission away.
    static let none = "none"

    static let members = MemberTable<Self>(
        "permission", "The permissions of a role for a resource.",
        [
            .structure(
                "read", .mappingOrChoice(ReadMapping.members.definition, [none]), \.read,
                "The visible fields and rows: {} for all of them. The value none takes away what the role includes."
            ),
            .structure(
                "create", .mappingOrChoice(CreateMapping.members.definition, [none]), \.create,
                "The new rows that callers can add: {} for all that the resource permits. The value none takes away what the role includes."
            ),
            .structure(
                "update", .mappingOrChoice(UpdateMapping.members.definition, [none]), \.update,
                "The rows and fields that callers can change: {} for all that the resource permits. The value none takes away what the role includes."
            ),
            .structure(
                "delete", .mappingOrChoice(DeleteMapping.members.definition, [none]), \.delete,
                "The rows that callers can remove: {} for all visible rows. The value none takes away what the role includes."
            ),
        ], needsMember: true)
}

/// The permission to read a resource.
struct ReadMapping: DescriptionMapping {
    var fields: [String]?
    var except: [String]?
    var condition: YAMLValue?
    var order: [String]?
    var relations: YAMLValue?
    var aggregate: Bool?

    static let members = MemberTable<Self>(
        "read", "The fields and rows of a resource that a role sees.",
        [
            .texts("fields", \.fields, "The visible fields. The default is all fields."),
            .texts("except", \.except, "The fields that are not visible. All others are visible."),
            .structure(
                "where", .filter, \.condition,
                "The condition on the visible rows, as a filter in the format of requests. A value can be a claim of the token: {customerId: {eq: {claim: customer}}}. The default is all rows."
            ),
            .texts(
                "order", \.order,
                "The default order of lists for the role, if the order of the resource has a field that the role does not see: [name desc]."
            ),
            .structure(
                "relations", .named(.mapping(RelationOrderMapping.members.definition), .ofAPI), \.relations,
                "The orders of relations for the role, keyed by the name of the relation."),
            .flag(
                "aggregate", \.aggregate,
                "True if callers can request aggregates and groups of the visible rows and fields. The default is false."
            ),
        ],
        conflicts: [("except", "fields")])
}

/// The order of a relation for a role.
struct RelationOrderMapping: DescriptionMapping {
    var order: YAMLValue?

    static let members = MemberTable<Self>(
        "relationOrder", "The order of a relation for a role.",
        [
            .structure(
                "order", .orders(JoinOrderMapping.members.definition), \.order,
                "The order of the rows: fields of the resource, or columns of intermediate tables."
            ).required
        ])
}
