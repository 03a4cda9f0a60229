import DuetResourceService
import DuetResultSetJSON

/// The definitions of the mappings in a description.
extension Mapping {
    /// The version of the format.
    static let version = 1

    static let description = Mapping(
        "description", "The API of a database: names, types and relations.",
        [
            Member("$schema", .text, "The address of this schema, for editors. Duet ignores it."),
            Member("duet", .version, required: true, "The version of the format."),
            Member("description", .text, "A sentence about the API, for its documentation."),
            Member("formats", .mapping(formats), "The format of values in responses."),
            Member(
                "maxQueryCost", .integer(1...1_000_000_000),
                "The maximum cost of a GraphQL query. The cost is about the number of its rows. The default is the limit of the server."
            ),
            Member(
                "resources", .named(.mapping(resource), isName: true), required: true,
                "The resources, keyed by name. The name is the REST path and the GraphQL list field: orders."),
        ])

    static let formats = Mapping(
        "formats", "The format of values in responses.",
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
            Member(
                "key", .texts,
                "The fields that identify a row. Without a key, lists have no cursors and rows have no address."),
            Member(
                "fields", .named(.mapping(field), isName: true), required: true,
                "The fields, keyed by name, in the order of responses."),
            Member("hidden", .texts, "Columns that are deliberately not exposed."),
            Member(
                "defaultFields", .texts,
                "The fields of REST responses if a request does not select fields. The default is all fields."),
            Member("sort", .texts, "The fields that lists can be sorted by."),
            Member("order", .texts, "The default order of lists: [hireDate desc]. The key is always appended."),
            Member("relations", .named(.mapping(relation), isName: true), "The relations, keyed by name."),
            Member(
                "filters", .named(.mapping(filter), isName: true), "Named filters."),
            Member(
                "list", .choice(ListName.allCases.map(\.rawValue)),
                "The list of all rows: in pages (pages, the default), as a whole (whole), or not available (none)."),
            Member(
                "pageSize", .integer(1...Int64(ResourceService.maximumPageSize)), if: "list",
                isOneOf: [ListName.pages.rawValue], default: ListName.pages.rawValue,
                "The number of rows per page of the list if a request does not specify it. The default is 100."),
            Member(
                "typicalSize", .integer(1...1_000_000), if: "list", isOneOf: [ListName.whole.rawValue],
                default: ListName.pages.rawValue,
                "The typical number of rows of a whole list, for estimating the cost of requests. The default is 10."),
            Member("items", .flag, "False if single rows have no address. The default is true."),
            Member(
                "entities", .named(.texts, isName: true),
                """
                The types of the entities that a row shows, each with the fields that contain the key of the entity. The \
                default is the type and the key of the row.
                """
            ),
            Member(
                "maxAge", .integer(0...31_536_000),
                "The number of seconds for which caches can reuse a response. The default is 0."),
        ])

    static let field = Mapping(
        "field", "A field, which exposes a column to clients.",
        [
            Member(
                "type", .choice(FieldTypeName.allCases.map(\.rawValue)), required: true,
                "The type of the values. int has 32 bits and integer 53; key is a text that identifies a row; dateTime has no time zone, and timestamp is UTC."
            ),
            Member("column", .text, "The column. The default is the name of the field."),
            Member(
                "of", .text,
                "The to-one relation to the table that has the column. By default, the column is in the table of the resource."
            ),
            Member("nullable", .flag, "True if a value can be NULL. The default is false."),
            Member(
                "mismatch", .choiceOrNull(["error"]),
                "The response if a stored value does not have the type: an error (the default), or null. For null, the field needs nullable: true."
            ),
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
                "True if the column has 32 bits, such as FLOAT in MariaDB. The default is false."),
            Member(
                "ordinal", .flag, forTypes: [.text, .key],
                "True if the column is an ENUM or SET of MariaDB. MariaDB sorts such a column by the positions of the values, Duet by their texts. The default is false."
            ),
            Member(
                "charset", .choice(TextCharset.allCases.map(\.rawValue)), forTypes: [.text, .key, .enumeration, .json],
                "The encoding of texts in a column of bytes, such as VARBINARY or BLOB. Texts are compared and sorted by their bytes."
            ),
            Member(
                "as", .choice(FieldType.NumberForm.allCases.map(\.rawValue)),
                forTypes: [.bigInteger, .unsignedBigInteger, .decimal],
                "The form in JSON. The default is a string, because many clients round numbers."),
            Member(
                "stored", .choice(DateTimeForm.allCases.map(\.rawValue)),
                forTypes: [.dateTime, .timestamp],
                "The format in the database. SQLite: 2024-01-31 12:34:56 (sql, the default) or 2024-01-31T12:34:56 (iso). SQLite and timestamp: 2024-01-31T12:34:56Z (utc), with any offset (offset), or a Julian day (julianDays). Both databases and timestamp: seconds, milliseconds or microseconds since 1970 (unixSeconds, unixMilliseconds, unixMicroseconds), seconds since 2001 (cocoaSeconds), or microseconds since 1601 (webKitMicroseconds)."
            ),
            Member(
                "name", .name, forTypes: [.enumeration], required: true, "The name of the GraphQL type of the values."),
            Member(
                "values", .choiceValues, forTypes: [.enumeration], required: true,
                "The values, which must be valid GraphQL names: a list, or a mapping from values to their descriptions."
            ),
            Member("about", .text, forTypes: [.enumeration], "A sentence about the GraphQL type of the values."),
            Member("description", .text, "A sentence about the field, for the documentation."),
            Member("example", .scalar, "A value, for the documentation."),
        ])

    static let relation = Mapping(
        "relation", "A relation from a row to rows of a resource.",
        [
            Member("to", .text, required: true, "The resource of the related rows."),
            Member(
                "one", .choice(RelationSizeName.allCases.map(\.rawValue)),
                "A single row: required if it always exists, otherwise optional."),
            Member("few", .integer(1...1_000_000), "A list of all rows. The value is the typical number of rows."),
            Member(
                "many", .integer(1...Int64(ResourceService.maximumPageSize)),
                "Pages of rows. The value is the page size."),
            Member("through", .list(join), "The intermediate tables."),
            Member(
                "columns", .columns, required: true, "The columns that are equal: {column: column of the next table}."),
            Member("collations", .columns, collations),
            Member(
                "order", .orders(joinOrder),
                "The order of the rows: fields of the resource, or columns of intermediate tables."),
            Member(
                "equality", .choice(Relation.Equality.allCases.map(\.rawValue)),
                "The comparison of the columns: bytes if equal values always have the same bytes; database if they can have different bytes, for example under a case-insensitive collation. The default is derived from the types of the fields."
            ),
            Member("description", .text, "A sentence about the relation, for the documentation."),
        ],
        alternatives: [Alternative("one"), Alternative("few"), Alternative("many")])

    private static let collations =
        "The collations for comparing columns, if those of the two columns differ: {column: NOCASE}."

    static let join = Mapping(
        "join", "An intermediate table of a relation.",
        [
            Member("table", .text, required: true, "The table."),
            Member(
                "columns", .columns, required: true,
                "The columns that are equal: {column of the previous table: column}."
            ),
            Member("collations", .columns, collations),
            Member("where", .named(.scalar, isName: false), "The values that columns of the table must have."),
            Member("differs", .columns, "Columns whose values must differ: {column: column of the previous table}."),
            Member(
                "enforced", .flag,
                "False if a row of the table may have no matching row in the next table. The default is true."),
        ])

    static let joinOrder = Mapping(
        "joinOrder", "An order by a column of an intermediate table.",
        [
            Member(
                "through", .integer(1...100), required: true,
                "The position of the table in the list of the member through, starting from 1."),
            Member("column", .text, required: true, "The column."),
            Member("descending", .flag, "True for descending order. The default is false."),
        ])

    static let filter = Mapping(
        "filter", "A named filter: a comparison of fields with its value, a flag, or a condition on related rows.",
        [
            Member("description", .text, "A sentence about the filter, for the documentation."),
            Member("compare", .texts, "The fields to compare with the value. At least one field must match."),
            Member("operator", .choice(Comparison.allCases.map(\.rawValue)), "The operator of the comparison."),
            Member("whenTrue", .filter, "The filter for the value true: {toDate: {eq: 9999-01-01}}."),
            Member("whenFalse", .filter, "The filter for the value false."),
            Member("some", .text, "The relation. A related row must have the value in a field."),
            Member("field", .text, "The field of the related rows that must have the value."),
            Member("and", .filter, "An additional filter for the related rows."),
        ],
        alternatives: [
            Alternative("compare", "operator"), Alternative("whenTrue", "whenFalse"),
            Alternative("some", "field", optional: ["and"]),
        ])
}

extension Member {
    /// Creates a member that only fields of the given types can have.
    fileprivate init(
        _ name: String, _ value: Value, forTypes types: [FieldTypeName], required: Bool = false, _ description: String
    ) {
        self.init(name, value, required: required, if: "type", isOneOf: types.map(\.rawValue), description)
    }
}

extension Member.Value {
    fileprivate static var columns: Self { .named(.text, isName: false) }
}

/// The values of the member `one` of a to-one relation: the related row always exists, or it can be missing.
enum RelationSizeName: String, CaseIterable {
    case required, optional
}
