import DuetResourceService

/// The definitions of the mappings in a description.
extension Mapping {
    /// The version of the format.
    static let version = 1

    static let description = Mapping(
        "description", "The API of a database: names, types and relations.",
        [
            Member("$schema", .text, "The address of this schema, for editors. Duet does not read it."),
            Member("duet", .version, required: true, "The version of the format."),
            Member("description", .text, "A sentence about the API, for its documentation."),
            Member("formats", .mapping(formats), "The form of values in responses."),
            Member(
                "maxQueryCost", .integer(1...1_000_000_000),
                "The maximum cost of a GraphQL query, about the number of its rows. The default is that of the server."),
            Member(
                "resources", .named(.mapping(resource), isName: true), required: true,
                "The resources by their names. A name is the path over REST and the list in GraphQL: orders."),
        ])

    static let formats = Mapping(
        "formats", "The form of values in responses.",
        [
            Member(
                "dates", .choice(APIDescription.Dates.allCases.map(\.rawValue)),
                "Dates as YYYY-MM-DD (iso, the default) or in milliseconds since 1970 (milliseconds)."),
            Member(
                "timeZone", .text, "The time zone of dates in milliseconds, such as Europe/Paris. The default is UTC."),
        ])

    static let resource = Mapping(
        "resource", "The rows of a table or view.",
        [
            Member("table", .text, "The table or view. The default is the name of the resource."),
            Member("singular", .name, required: true, "The name of one row: order."),
            Member("type", .name, required: true, "The name of the GraphQL type: Order."),
            Member("description", .text, "A sentence about a row, for the documentation."),
            Member("key", .texts, "The fields that identify a row. Without them there are no cursors and no items."),
            Member(
                "fields", .named(.mapping(field), isName: true), required: true,
                "The fields by their names, in the order of responses."),
            Member("hidden", .texts, "Columns that no field shows, on purpose."),
            Member("defaultFields", .texts, "The fields that REST shows if a request names none. The default is all."),
            Member("sort", .texts, "The fields that lists can be sorted by."),
            Member("order", .texts, "The order of lists if a request names none: [hireDate desc]. The key comes last."),
            Member("relations", .named(.mapping(relation), isName: true), "The relations by their names."),
            Member(
                "filters", .named(.mapping(filter), isName: true), "Filters with a name and a meaning of their own."),
            Member(
                "list", .choice(ListName.allCases.map(\.rawValue)),
                "The list of all rows: in pages (the default), whole, or none."),
            Member(
                "pageSize", .integer(1...Int64(ResourceService.maximumPageSize)), if: "list",
                isOneOf: [ListName.pages.rawValue], default: ListName.pages.rawValue,
                "The number of rows on a page of the list if a request names none. The default is 100."),
            Member(
                "typicalSize", .integer(1...1_000_000), if: "list", isOneOf: [ListName.whole.rawValue],
                default: ListName.pages.rawValue,
                "The typical number of rows of a whole list, for the cost of requests. The default is 10."),
            Member("items", .flag, "False if no address shows one row. The default is true."),
            Member(
                "entities", .named(.texts, isName: true),
                "The types of the entities that a row shows, with the fields that hold their keys. The default is the row itself."
            ),
            Member(
                "maxAge", .integer(0...31_536_000),
                "The number of seconds for which caches can use an answer. The default is 0."),
        ])

    static let field = Mapping(
        "field", "A column, as clients see it.",
        [
            Member(
                "type", .choice(FieldTypeName.allCases.map(\.rawValue)), required: true,
                "The type of the values. int has 32 bits and integer 53; key is a text that identifies a row; dateTime has no time zone, and timestamp is UTC."
            ),
            Member("column", .text, "The column. The default is the name of the field."),
            Member("of", .text, "The to-one relation whose table has the column. The default is the table itself."),
            Member("nullable", .flag, "True if a value can be NULL. The default is false."),
            Member("minimum", .integer(FieldType.safeNumbers), forTypes: [.int, .integer], "The least value."),
            Member("maximum", .integer(FieldType.safeNumbers), forTypes: [.int, .integer], "The greatest value."),
            Member(
                "maxLength", .integer(1...Int64(Int32.max)), forTypes: [.text, .key],
                "The maximum number of characters."),
            Member(
                "scale", .integer(0...38), forTypes: [.decimal],
                "The minimum number of digits after the point. The default is 0."),
            Member(
                "single", .flag, forTypes: [.number],
                "True if the column has 32 bits, as FLOAT of MariaDB. The default is false."),
            Member(
                "ordinal", .flag, forTypes: [.text, .key],
                "True if the column is an ENUM or SET of MariaDB, which sorts values by their positions. Lists sort them by their texts. The default is false."
            ),
            Member(
                "as", .choice(FieldType.NumberForm.allCases.map(\.rawValue)),
                forTypes: [.bigInteger, .unsignedBigInteger, .decimal],
                "The form in JSON. A string is the default, because many clients round numbers."),
            Member(
                "stored", .choice(FieldType.DateTimeStorage.allCases.map(\.rawValue)),
                forTypes: [.dateTime, .timestamp],
                "The text in a SQLite database: 2024-01-31 12:34:56 (sql, the default), with a T between (iso), or with a Z at the end, too (utc, for timestamp)."
            ),
            Member(
                "name", .name, forTypes: [.enumeration], required: true, "The name of the GraphQL type of the values."),
            Member(
                "values", .choiceValues, forTypes: [.enumeration], required: true,
                "The values, which are names of GraphQL: a list, or a mapping of values to their descriptions."),
            Member("about", .text, forTypes: [.enumeration], "A sentence about the GraphQL type of the values."),
            Member("description", .text, "A sentence about the field, for the documentation."),
            Member("example", .scalar, "A value, for the documentation."),
        ])

    static let relation = Mapping(
        "relation", "Rows of a resource that belong to a row.",
        [
            Member("to", .text, required: true, "The resource that the rows are of."),
            Member(
                "one", .choice(RelationSizeName.allCases.map(\.rawValue)),
                "One row: required if there always is one, else optional."),
            Member("few", .integer(1...1_000_000), "A list of all rows; the typical number of them."),
            Member("many", .integer(1...Int64(ResourceService.maximumPageSize)), "Pages of rows; the size of a page."),
            Member("through", .list(join), "The tables on the way to the resource."),
            Member(
                "columns", .columns, required: true, "The columns that are equal: {column: column of the next table}."),
            Member("collations", .columns, collations),
            Member(
                "order", .orders(joinOrder),
                "The order of the rows: fields of the resource, or columns of tables on the way."),
            Member(
                "equality", .choice(Relation.Equality.allCases.map(\.rawValue)),
                "The comparison of the columns: bytes if equal values have the same bytes; database if they may have others, as under a collation that ignores case. The default is found from the types of the fields."
            ),
            Member("description", .text, "A sentence about the relation, for the documentation."),
        ],
        alternatives: [Alternative("one"), Alternative("few"), Alternative("many")])

    private static let collations =
        "The collations that columns compare by, if those of the two columns differ: {column: NOCASE}."

    static let join = Mapping(
        "join", "A table on the way of a relation.",
        [
            Member("table", .text, required: true, "The table."),
            Member(
                "columns", .columns, required: true, "The columns that are equal: {column of the table before: column}."
            ),
            Member("collations", .columns, collations),
            Member("where", .named(.scalar, isName: false), "Values that columns of the table have."),
            Member("differs", .columns, "Columns that differ: {column: column of the table before}."),
            Member(
                "enforced", .flag, "False if a row of the table may have no row in the next one. The default is true."),
        ])

    static let joinOrder = Mapping(
        "joinOrder", "An order by a column of a table on the way.",
        [
            Member("through", .integer(1...100), required: true, "The position of the table in through, from 1."),
            Member("column", .text, required: true, "The column."),
            Member("descending", .flag, "True if the greatest value comes first."),
        ])

    static let filter = Mapping(
        "filter", "A filter with a name: fields that compare to its value, a flag, or rows of a relation.",
        [
            Member("description", .text, "A sentence about the filter, for the documentation."),
            Member("compare", .texts, "The fields of which one compares to the value."),
            Member("operator", .choice(Comparison.allCases.map(\.rawValue)), "The comparison of fields and value."),
            Member("whenTrue", .filter, "The filter that the value true means: {toDate: {eq: 9999-01-01}}."),
            Member("whenFalse", .filter, "The filter that the value false means."),
            Member("some", .text, "The relation of which a row has the value in a field."),
            Member("field", .text, "The field of the relation's resource."),
            Member("and", .filter, "Another filter for the rows of the relation."),
        ],
        alternatives: [
            Alternative("compare", "operator"), Alternative("whenTrue", "whenFalse"),
            Alternative("some", "field", optional: ["and"]),
        ])
}

extension Member {
    /// Creates a member of fields with particular types.
    fileprivate init(
        _ name: String, _ value: Value, forTypes types: [FieldTypeName], required: Bool = false, _ description: String
    ) {
        self.init(name, value, required: required, if: "type", isOneOf: types.map(\.rawValue), description)
    }
}

extension Member.Value {
    fileprivate static var columns: Self { .named(.text, isName: false) }
}

/// The sizes of a to-one relation, as named in descriptions.
enum RelationSizeName: String, CaseIterable {
    case required, optional
}
