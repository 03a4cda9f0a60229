import DuetResourceService

/// A resource in a description.
struct ResourceMapping: DescriptionMapping {
    /// The values of the member `list`: a list of all rows in pages, a list of all rows as a whole, or no list.
    enum List: String, CaseIterable {
        case pages, whole, none
    }

    var table: String?
    var singular: String?
    var type: String?
    var description: String?
    var key: [String]?
    var fields: YAMLValue?
    var hidden: [String]?
    var defaultFields: [String]?
    var sort: [String]?
    var order: [String]?
    var relations: YAMLValue?
    var filters: YAMLValue?
    var list: List?
    var pageSize: Int64?
    var typicalSize: Int64?
    var items: Bool?
    var entities: YAMLValue?
    var maxAge: Int64?
    var aggregates: Bool?
    var maxScan: Int64?
    var writes: Set<WriteRules.Kind>?

    static let members = MemberTable<Self>(
        "resource", "The rows of a table or view.",
        [
            .text("table", \.table, "The table or view. The default is the name of the resource."),
            .name("singular", \.singular, "The name of one row: order.").required,
            .name("type", \.type, "The name of the GraphQL type: Order.").required,
            .text("description", \.description, "A sentence about a row, for the documentation."),
            .texts(
                "key", \.key,
                "The fields that identify a row. Without a key, lists have no cursors and rows have no address."),
            .structure(
                "fields", .named(.mapping(FieldMapping.members.definition), .ofAPI), \.fields,
                "The fields, keyed by name, in the order of responses."
            ).required,
            .texts("hidden", \.hidden, "Columns that are deliberately not exposed."),
            .texts(
                "defaultFields", \.defaultFields,
                "The fields of REST responses if a request does not select fields. The default is all fields."),
            .texts("sort", \.sort, "The fields that lists can be sorted by."),
            .texts(
                "order", \.order, "The default order of lists: [hireDate desc]. The key is always appended."),
            .structure(
                "relations", .named(.mapping(RelationMapping.members.definition), .ofAPI), \.relations,
                "The relations, keyed by name."),
            .structure(
                "filters", .named(.mapping(FilterMapping.members.definition), .ofAPI), \.filters,
                "Named filters."),
            .choice(
                "list", \.list,
                "The list of all rows: in pages (pages, the default), as a whole (whole), or not available (none)."),
            .integer(
                "pageSize", 1...Int64(ResourceService.maximumPageSize), \.pageSize,
                "The number of rows per page of the list if a request does not specify it. The default is 100."
            ).ifMember("list", isOneOf: [List.pages.rawValue], default: List.pages.rawValue),
            .integer(
                "typicalSize", 1...1_000_000, \.typicalSize,
                "The typical number of rows of a whole list, for estimating the cost of requests. The default is 10."
            ).ifMember("list", isOneOf: [List.whole.rawValue], default: List.pages.rawValue),
            .flag("items", \.items, "False if single rows have no address. The default is true."),
            .structure(
                "entities", .named(.texts, .ofAPI), \.entities,
                """
                The types of the entities that a row shows, each with the fields that contain the key of the entity. The \
                default is the type and the key of the row.
                """
            ),
            .integer(
                "maxAge", 0...31_536_000, \.maxAge,
                "The number of seconds for which caches can reuse a response. The default is 0."),
            .flag(
                "aggregates", \.aggregates,
                "False if clients can request neither aggregates nor groups of the rows. The default is true. With roles, a role also needs its own permission."
            ),
            .integer(
                "maxScan", 0...Int64(ResourceService.largestMaximumScan), \.maxScan,
                "The maximum number of rows that a statement can examine without returning them, when a request reads rows of the resource. The value 0 means no limit. The default is the limit of the server."
            ),
            .choices(
                "writes", all: "all", \.writes,
                "The changes that clients can make: create, update and delete, or all of them. The default is none. With roles, a role needs its own permission, too."
            ),
        ])
}

/// A named filter of a resource in a description.
struct FilterMapping: DescriptionMapping {
    var description: String?
    var compare: [String]?
    var comparison: Comparison?
    var whenTrue: YAMLValue?
    var whenFalse: YAMLValue?
    var relation: String?
    var field: String?
    var and: YAMLValue?

    static let members = MemberTable<Self>(
        "filter", "A named filter: a comparison of fields with its value, a flag, or a condition on related rows.",
        [
            .text("description", \.description, "A sentence about the filter, for the documentation.")
                .written(at: 1),
            .texts(
                "compare", \.compare, "The fields to compare with the value. At least one field must match."),
            .choice("operator", \.comparison, "The operator of the comparison."),
            .structure(
                "whenTrue", .filter, \.whenTrue, "The filter for the value true: {toDate: {eq: 9999-01-01}}."),
            .structure("whenFalse", .filter, \.whenFalse, "The filter for the value false."),
            .text("some", \.relation, "The relation. A related row must have the value in a field."),
            .text("field", \.field, "The field of the related rows that must have the value."),
            .structure("and", .filter, \.and, "An additional filter for the related rows."),
        ],
        alternatives: [
            .init("compare", "operator"), .init("whenTrue", "whenFalse"),
            .init("some", "field", optional: ["and"]),
        ])
}
