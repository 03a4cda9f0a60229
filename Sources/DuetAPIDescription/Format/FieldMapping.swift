import DuetResourceService
import DuetResultSetJSON

/// A field of a resource in a description.
struct FieldMapping: DescriptionMapping {
    /// The values of the member `charset`.
    enum Charset: String, CaseIterable {
        case utf8
    }

    var type: FieldTypeName?
    var column: String?
    var of: String?
    var nullable: Bool?
    var mismatch: YAMLValue?
    var minimum: Int64?
    var maximum: Int64?
    var maxLength: Int64?
    var scale: Int64?
    var single: Bool?
    var ordinal: Bool?
    var charset: Charset?
    var form: FieldType.NumberForm?
    var stored: DateTimeForm?
    var name: String?
    var values: YAMLValue?
    var about: String?
    var writable: Bool?
    var absent: DatabaseValue?
    var aggregates: Bool?
    var description: String?
    var example: YAMLValue?

    static let members = MemberTable<Self>(
        "field", "A field, which exposes a column to clients.",
        [
            .choice(
                "type", \.type,
                "The type of the values. int has 32 bits and integer 53; key is a text that identifies a row; dateTime has no time zone, and timestamp is UTC."
            ).required,
            .text("column", \.column, "The column. The default is the name of the field.").written(at: -1),
            .text(
                "of", \.of,
                "The to-one relation to the table that has the column. By default, the column is in the table of the resource."
            ).written(at: -1),
            .flag("nullable", \.nullable, "True if a value can be NULL. The default is false.").written(at: 2),
            .structure(
                "mismatch", .choiceOrNull(["error"]), \.mismatch,
                "The response if a stored value does not have the type: an error (the default), or null. For null, the field needs nullable: true."
            ).written(at: 2),
            .integer("minimum", FieldType.safeNumbers, \.minimum, "The least value.").forTypes(.int, .integer),
            .integer("maximum", FieldType.safeNumbers, \.maximum, "The greatest value.").forTypes(.int, .integer),
            .integer("maxLength", 1...Int64(Int32.max), \.maxLength, "The maximum number of characters.")
                .forTypes(.text, .key),
            .integer(
                "scale", 0...38, \.scale, "The minimum number of digits after the point. The default is 0."
            ).forTypes(.decimal),
            .flag(
                "single", \.single,
                "True if the column has 32 bits, such as FLOAT in MariaDB. The default is false."
            ).forTypes(.number).written(at: 1),
            .flag(
                "ordinal", \.ordinal,
                "True if the column is an ENUM or SET of MariaDB. MariaDB sorts such a column by the positions of the values, Duet by their texts. The default is false."
            ).forTypes(.text, .key).written(at: 1),
            .choice(
                "charset", \.charset,
                "The encoding of texts in a column of bytes, such as VARBINARY or BLOB. Texts are compared and sorted by their bytes."
            ).forTypes(.text, .key, .enumeration, .json).written(at: 1),
            .choice(
                "as", \.form, "The form in JSON. The default is a string, because many clients round numbers."
            ).forTypes(.bigInteger, .unsignedBigInteger, .decimal),
            .choice(
                "stored", \.stored,
                "The format in the database. SQLite: 2024-01-31 12:34:56 (sql, the default) or 2024-01-31T12:34:56 (iso). SQLite and timestamp: 2024-01-31T12:34:56Z (utc), with any offset (offset), or a Julian day (julianDays). Both databases and timestamp: seconds, milliseconds or microseconds since 1970 (unixSeconds, unixMilliseconds, unixMicroseconds), seconds since 2001 (cocoaSeconds), or microseconds since 1601 (webKitMicroseconds)."
            ).forTypes(.dateTime, .timestamp),
            .name("name", \.name, "The name of the GraphQL type of the values.").required.forTypes(.enumeration),
            .structure(
                "values", .choiceValues, \.values,
                "The values, which must be valid GraphQL names: a list, or a mapping from values to their descriptions."
            ).required.forTypes(.enumeration),
            .text("about", \.about, "A sentence about the GraphQL type of the values.").forTypes(.enumeration),
            .flag(
                "writable", \.writable,
                "False if clients can only read the field, for example because the column is generated. The default is true."
            ).written(at: 2),
            .choice(
                "absent", \.absent,
                "The value that the database sets in a new row if a request has no value for the field: the default value of the column (default), or a generated value, such as an automatic key (automatic)."
            ).written(at: 2),
            .flag(
                "aggregates", \.aggregates,
                "False if clients can request neither aggregates of the field nor groups by it. The default is true."
            ).written(at: 2),
            .text("description", \.description, "A sentence about the field, for the documentation.").written(at: 3),
            .structure("example", .scalar, \.example, "A value, for the documentation.").written(at: 3),
        ])
}

extension MappedMember<FieldMapping> {
    /// Returns the member, restricted to fields of the given types.
    fileprivate func forTypes(_ types: FieldTypeName...) -> Self {
        ifMember("type", isOneOf: types.map(\.rawValue))
    }
}
