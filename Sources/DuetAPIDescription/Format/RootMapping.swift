import DuetResourceService

/// The outermost mapping of a description.
struct RootMapping: DescriptionMapping {
    /// The version of the format.
    static let version = 1

    var schema: String?
    var duet: YAMLValue?
    var description: String?
    var formats: YAMLValue?
    var maxQueryCost: Int64?
    var resources: YAMLValue?
    var roles: YAMLValue?

    static let members = MemberTable<Self>(
        "description", "The API of a database: names, types and relations.",
        [
            .text("$schema", \.schema, "The address of this schema, for editors. Duet ignores it."),
            .structure("duet", .version, \.duet, "The version of the format.").required,
            .text("description", \.description, "A sentence about the API, for its documentation."),
            .structure(
                "formats", .mapping(FormatsMapping.members.definition), \.formats,
                "The format of values in responses."),
            .integer(
                "maxQueryCost", 1...1_000_000_000, \.maxQueryCost,
                "The maximum cost of a GraphQL query. The cost is about the number of its rows. The default is the limit of the server."
            ),
            .structure(
                "resources", .named(.mapping(ResourceMapping.members.definition), .ofAPI), \.resources,
                "The resources, keyed by name. The name is the REST path and the GraphQL list field: orders."
            ).required,
            .structure(
                "roles", .named(.mapping(RoleMapping.members.definition), .ofRoles), \.roles,
                "The roles of callers, keyed by name. Without roles, every caller sees all resources."),
        ])
}

/// The member `formats` of a description.
struct FormatsMapping: DescriptionMapping {
    var dates: APIDescription.Dates?
    var timeZone: String?

    static let members = MemberTable<Self>(
        "formats", "The format of values in responses.",
        [
            .choice(
                "dates", \.dates,
                "Dates as YYYY-MM-DD (iso, the default) or in milliseconds since 1970 (milliseconds)."),
            .text(
                "timeZone", \.timeZone,
                "The time zone of dates in milliseconds, such as Europe/Paris. The default is UTC."),
        ])
}
