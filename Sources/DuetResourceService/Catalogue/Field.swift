public import DuetSQLDatabase

/// A field of a resource: its name in both styles, its column, and the type of its values.
public struct Field: Sendable, Hashable {
    /// The name, such as `hireDate`.
    public var name: String
    /// The column of the resource's table or, if ``relation`` is not nil, of the relation's target.
    public var column: String
    /// The to-one relation whose target has the column; nil for a column of the resource's table.
    public var relation: String?
    /// The type of the values.
    public var type: FieldType
    /// True if a value may be NULL.
    public var isNullable: Bool
    /// True for a `FLOAT` column of MariaDB, whose values have 32 bits. Numbers are rounded to 32 bits before they are
    /// compared with the column.
    public var isSingle: Bool
    /// True for a column of type `ENUM` or `SET`. MariaDB sorts such a column by the index of each value in the
    /// column's definition. The service sorts it by the text of the values.
    public var isOrdinal: Bool
    /// True for a text that the database stores as bytes in UTF-8, in a column such as `VARBINARY` or `BLOB`. Bytes
    /// have no collation, so texts are compared and sorted by their bytes. The type is a text, an identifier, a choice,
    /// or JSON.
    public var isStoredAsBytes: Bool
    /// True if a value that does not have the type is null in responses. If it is false, such a value makes the request
    /// fail. The field must be nullable.
    public var nullifiesMismatches: Bool
    /// False for a field that clients can only read, for example a generated column.
    public var isWritable = true
    /// The value that the database sets in a new row if a request does not set the field; nil if it sets none.
    public var databaseValue: DatabaseValue?
    /// False if clients can request neither aggregates of the field nor groups by it.
    public var isAggregated = true
    /// A sentence for the documentation.
    public var description: String
    /// An example value for the documentation.
    public var example: SQLValue?

    /// Creates a field.
    public init(
        _ name: String, _ type: FieldType, column: String, of relation: String? = nil, isNullable: Bool = false,
        isSingle: Bool = false, isOrdinal: Bool = false, isStoredAsBytes: Bool = false,
        nullifiesMismatches: Bool = false, description: String, example: SQLValue? = nil
    ) {
        self.isStoredAsBytes = isStoredAsBytes
        self.nullifiesMismatches = nullifiesMismatches
        self.name = name
        self.type = type
        self.column = column
        self.relation = relation
        self.isNullable = isNullable
        self.isSingle = isSingle
        self.isOrdinal = isOrdinal
        self.description = description
        self.example = example
    }
}

/// A value that the database sets in a new row.
public enum DatabaseValue: String, Sendable, Hashable, CaseIterable {
    /// The default value of the column.
    case `default`
    /// A value that the database generates, such as the next number of an automatic key.
    case automatic
}

/// A type with a fixed set of texts as values.
public struct Choice: Sendable, Hashable {
    /// A value and its description.
    public struct Value: Sendable, Hashable {
        /// The text, which must be a GraphQL name.
        public var name: String
        /// A sentence for the documentation.
        public var description: String

        /// Creates a value.
        public init(_ name: String, _ description: String) {
            self.name = name
            self.description = description
        }
    }

    /// The name of the type, such as `Gender`.
    public var name: String
    /// A sentence for the documentation.
    public var description: String
    /// The values.
    public var values: [Value]

    /// Creates a type.
    public init(_ name: String, _ description: String, _ values: [Value]) {
        self.name = name
        self.description = description
        self.values = values
    }
}
