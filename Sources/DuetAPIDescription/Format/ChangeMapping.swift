/// The texts about the members that the permissions for several kinds of changes have.
private enum ChangeTexts {
    static let fields = "The fields that a request can set. The default is all visible and writable fields."
    static let except = "The fields that a request cannot set. It can set all others that the resource permits."
    static let set =
        "The values that the server sets, keyed by field. A request cannot set these fields. A value can be a claim of the token: {createdBy: {claim: sub}}."
}

/// The permission of a role to create rows.
struct CreateMapping: DescriptionMapping {
    var fields: [String]?
    var except: [String]?
    var set: YAMLValue?
    var check: YAMLValue?

    static let members = MemberTable<Self>(
        "create", "The rows of a resource that a role can create.",
        [
            .texts("fields", \.fields, ChangeTexts.fields),
            .texts("except", \.except, ChangeTexts.except),
            .structure("set", .named(.operand, .ofAPI), \.set, ChangeTexts.set),
            .structure(
                "check", .filter, \.check,
                "The condition that a new row must satisfy, as a filter in the format of requests. A value can be a claim."
            ),
        ],
        conflicts: [("except", "fields")])
}

/// The permission of a role to change rows.
struct UpdateMapping: DescriptionMapping {
    var condition: YAMLValue?
    var fields: [String]?
    var except: [String]?
    var set: YAMLValue?
    var check: YAMLValue?

    static let members = MemberTable<Self>(
        "update", "The rows and fields of a resource that a role can change.",
        [
            .structure(
                "where", .filter, \.condition,
                "The condition that a row must satisfy before the change, as a filter in the format of requests. A value can be a claim. The default is all visible rows."
            ),
            .texts("fields", \.fields, ChangeTexts.fields),
            .texts("except", \.except, ChangeTexts.except),
            .structure("set", .named(.operand, .ofAPI), \.set, ChangeTexts.set),
            .structure(
                "check", .filter, \.check,
                "The condition that the row must satisfy after the change, as a filter in the format of requests. A value can be a claim."
            ),
        ],
        conflicts: [("except", "fields")])
}

/// The permission of a role to remove rows.
struct DeleteMapping: DescriptionMapping {
    var condition: YAMLValue?

    static let members = MemberTable<Self>(
        "delete", "The rows of a resource that a role can remove.",
        [
            .structure(
                "where", .filter, \.condition,
                "The condition that a row must satisfy, as a filter in the format of requests. A value can be a claim. The default is all visible rows."
            )
        ])
}
