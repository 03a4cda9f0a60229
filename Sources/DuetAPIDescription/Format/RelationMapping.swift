import DuetResourceService

/// A relation of a resource in a description.
struct RelationMapping: DescriptionMapping {
    /// The values of the member `one`: the related row always exists, or it can be missing.
    enum One: String, CaseIterable {
        case required, optional
    }

    var to: String?
    var one: One?
    var few: Int64?
    var many: Int64?
    var through: YAMLValue?
    var columns: YAMLValue?
    var collations: YAMLValue?
    var order: YAMLValue?
    var equality: Relation.Equality?
    var description: String?

    static let members = MemberTable<Self>(
        "relation", "A relation from a row to rows of a resource.",
        [
            .text("to", \.to, "The resource of the related rows.").required,
            .choice("one", \.one, "A single row: required if it always exists, otherwise optional."),
            .integer(
                "few", 1...1_000_000, \.few, "A list of all rows. The value is the typical number of rows."),
            .integer(
                "many", 1...Int64(ResourceService.maximumPageSize), \.many,
                "Pages of rows. The value is the page size."),
            .structure("through", .list(JoinMapping.members.definition), \.through, "The intermediate tables."),
            .structure(
                "columns", .columns, \.columns, "The columns that are equal: {column: column of the next table}."
            ).required,
            .structure("collations", .columns, \.collations, JoinMapping.aboutCollations),
            .structure(
                "order", .orders(JoinOrderMapping.members.definition), \.order,
                "The order of the rows: fields of the resource, or columns of intermediate tables."),
            .choice(
                "equality", \.equality,
                "The comparison of the columns: bytes if equal values always have the same bytes; database if they can have different bytes, for example under a case-insensitive collation. The default is derived from the types of the fields."
            ),
            .text("description", \.description, "A sentence about the relation, for the documentation."),
        ],
        alternatives: [.init("one"), .init("few"), .init("many")])
}

/// An intermediate table of a relation.
struct JoinMapping: DescriptionMapping {
    var table: String?
    var columns: YAMLValue?
    var collations: YAMLValue?
    var conditions: YAMLValue?
    var differs: YAMLValue?
    var enforced: Bool?

    static let aboutCollations =
        "The collations for comparing columns, if those of the two columns differ: {column: NOCASE}."

    static let members = MemberTable<Self>(
        "join", "An intermediate table of a relation.",
        [
            .text("table", \.table, "The table.").required,
            .structure(
                "columns", .columns, \.columns,
                "The columns that are equal: {column of the previous table: column}."
            ).required,
            .structure("collations", .columns, \.collations, aboutCollations),
            .structure(
                "where", .named(.scalar, .any), \.conditions,
                "The values that columns of the table must have."),
            .structure(
                "differs", .columns, \.differs,
                "Columns whose values must differ: {column: column of the previous table}."
            ).written(at: 1),
            .flag(
                "enforced", \.enforced,
                "False if a row of the table may have no matching row in the next table. The default is true."),
        ])
}

/// An order by a column of an intermediate table.
struct JoinOrderMapping: DescriptionMapping {
    var through: Int64?
    var column: String?
    var descending: Bool?

    static let members = MemberTable<Self>(
        "joinOrder", "An order by a column of an intermediate table.",
        [
            .integer(
                "through", 1...100, \.through,
                "The position of the table in the list of the member through, starting from 1."
            ).required,
            .text("column", \.column, "The column.").required,
            .flag("descending", \.descending, "True for descending order. The default is false."),
        ])
}
