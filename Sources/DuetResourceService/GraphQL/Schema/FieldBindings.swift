import DuetGraphQL
import DuetSQLDatabase

// The bindings of the schema's fields: the parts of the catalogue that the fields return. There is one type for each
// kind of object type.

/// The binding of a field of `Query`.
enum QueryField: Sendable {
    /// One row, by its key.
    case item(BoundResource)
    /// All rows as a list without pages.
    case list(BoundResource)
    /// All rows in pages.
    case page(BoundResource, size: Int)
    /// The aggregates of all rows.
    case aggregate(BoundResource)
    /// Groups of the rows in pages.
    case groups(BoundResource)
}

/// The binding of a field of the type of aggregates or groups. The binding of a field of the type of a field's
/// aggregates is an ``AggregateFunction``.
enum GroupField: Sendable {
    /// The keys of the group.
    case key
    /// The number of rows.
    case count
    /// The aggregates of the field with this name.
    case aggregates(of: String)

    /// The name of the field with the keys.
    static let keyName = "key"
}

/// The binding of a field of the type of a group's keys.
enum GroupKeyField: Sendable {
    /// The value of the field with this name.
    case field(String)
    /// The fields of the row of the to-one relation with this name.
    case relation(String)
    /// The value and the parts of the date in the field with this name.
    case date(String)
    /// A part of a date; nil for the whole value.
    case part(DatePart?)
}

/// The binding of a field of a resource's type.
enum RowField: Sendable {
    /// The key as a text.
    case identifier
    /// The entity tag of the row.
    case entityTag
    /// The field of the resource with this name.
    case field(String)
    /// The row of a to-one relation.
    case item(relation: String)
    /// The rows of a relation as a list without pages.
    case list(relation: String, BoundResource)
    /// The rows of a relation in pages.
    case page(relation: String, BoundResource, size: Int)
    /// The aggregates of the rows of a relation.
    case aggregate(relation: String, BoundResource)
}

/// The binding of a field of a page's type.
enum PageField: Sendable {
    case nodes, edges, pageInfo, totalCount
}

/// The binding of a field of an edge's type.
enum EdgeField: Sendable {
    case cursor, node
}

/// The binding of a field of `PageInfo`.
enum PageInfoField: Sendable {
    case hasNextPage, hasPreviousPage, startCursor, endCursor
}

/// The binding of a field of a payload's type.
enum PayloadField: Sendable {
    /// The row after the change.
    case row
    /// The entity tag of the row after the change.
    case entityTag
    /// The new rows.
    case rows
    /// The number of changed or removed rows.
    case count
    /// The key of the removed row.
    case deletedIdentifier
    case errors
}

/// The binding of a field of a type that implements `UserError`.
enum UserErrorField: Sendable {
    case message, field, key, fields
}

/// The names of the arguments of a list, except those of named filters.
enum ListArgument {
    static let first = "first"
    static let after = "after"
    static let filter = "filter"
    static let sort = "sort"
    static let orderBy = "orderBy"
}

/// The names of the members of an order.
enum SortArgument {
    static let field = "field"
    static let direction = "direction"
}

/// The names of the arguments of groups, and of the members of their values.
enum GroupArgument {
    static let groupBy = "groupBy"
    static let having = "having"
    static let timeZone = "timeZone"
    static let key = "key"
    static let aggregate = "aggregate"
    static let direction = "direction"
}

extension PlannedField {
    /// The selected fields of the object, or of the objects in the list; empty for a scalar.
    var subfields: [PlannedField] { selection?.fields ?? [] }
}
