public import DuetSQLDatabase

/// A request for rows, independent of the API style (REST or GraphQL). It consists of a subject (the requested row or
/// list) and the selected members of the rows.
public struct Question: Sendable, Hashable {
    /// The row or list that is requested.
    public indirect enum Subject: Sendable, Hashable {
        /// The row of a resource that has this key. If the row does not satisfy the condition, the answer is the same
        /// as for a row that does not exist.
        case item(resource: String, key: [SQLValue], condition: Filter = .everything)
        /// The rows of a resource.
        case list(resource: String, Window)
        /// The related rows of a parent row. The parent row must exist.
        case related(resource: String, key: [SQLValue], relation: String, Window)
        /// One related row of a parent row: the row that matches the filter. The parent row must exist.
        case relatedItem(resource: String, key: [SQLValue], relation: String, Filter)
    }

    /// The representation of the requested row or list, with the selected members.
    public enum Form: Sendable, Hashable {
        /// The representation of one row: an object.
        case item(Selection)
        /// The representation of a list.
        case list(ListForm)
        /// The representation of the groups of a list's rows. The order and the limits of the list's window are not
        /// used.
        case groups(Aggregation, GroupForm)
    }

    /// The row or list that is requested.
    public var subject: Subject
    /// The representation of the row or list.
    public var form: Form
    /// True to count the rows of all pages for ``Answer/totalCount``. The rows of a list without a key are also counted
    /// if the list has more rows than the answer, because it has no cursors.
    public var countsRows = false

    /// Creates a question. The form of a single row is ``Form/item(_:)``, and the form of a list is ``Form/list(_:)``.
    public init(_ subject: Subject, _ form: Form) {
        self.subject = subject
        self.form = form
    }
}

/// The requested part of a list, and the order of the list.
public struct Window: Sendable, Hashable {
    /// The filter of the rows in the list.
    public var filter: Filter
    /// The order of the rows; empty for the catalogue's order.
    public var order: [RowOrder]
    /// The maximum number of rows; nil for all rows.
    public var first: Int?
    /// The cursor after which the rows begin, as the text from the client.
    public var after: String?

    /// Creates a window. The default is the whole list.
    public init(filter: Filter = .everything, order: [RowOrder] = [], first: Int? = nil, after: String? = nil) {
        self.filter = filter
        self.order = order
        self.first = first
        self.after = after
    }
}

/// The ordered members of a row's JSON object.
public struct Selection: Sendable, Hashable {
    /// A member of the object.
    public enum Member: Sendable, Hashable {
        /// A field. `name` is the member's name in the response; the second value is the name of the field.
        case field(name: String, String)
        /// The key as a text. The key of the resource must have one field.
        case identifier(name: String)
        /// The entity tag of the row: the digest of its representation in REST without a query.
        case entityTag(name: String)
        /// A member whose value is constant JSON.
        case constant(name: String, json: String)
        /// The row of a to-one relation: an object or null.
        case item(name: String, relation: String, Selection)
        /// The rows of a to-many relation.
        case list(name: String, relation: String, Window, ListForm)
        /// The aggregates of the rows of a to-many relation that match the filter: an object.
        case aggregate(name: String, relation: String, Filter, [GroupMember])
    }

    /// The members.
    public var members: [Member]

    /// Returns the members of a row that a REST response contains if the request has no query.
    static func usual(of resource: Resource) -> Selection {
        Selection(resource.defaultFields.map { .field(name: $0, $0) })
    }

    /// Creates a selection.
    public init(_ members: [Member] = []) {
        self.members = members
    }
}

/// The representation of a list in the response.
public enum ListForm: Sendable, Hashable {
    /// An array of objects.
    case array(Selection)
    /// A page object.
    case page([PageMember])
}

/// A member of a page object (Relay cursor connections specification).
public indirect enum PageMember: Sendable, Hashable {
    /// The rows as an array.
    case nodes(name: String, Selection)
    /// The rows with their cursors as an array.
    case edges(name: String, [EdgeMember])
    /// The object that describes the position of the page in the list.
    case pageInfo(name: String, [PageInfoMember])
    /// The number of rows on all pages.
    case totalCount(name: String)
    /// A member whose value is constant JSON.
    case constant(name: String, json: String)
}

/// A member of an edge object, which contains a row of a page.
public enum EdgeMember: Sendable, Hashable {
    /// The row.
    case node(name: String, Selection)
    /// The cursor of the row.
    case cursor(name: String)
    /// A member whose value is constant JSON.
    case constant(name: String, json: String)
}

/// A member of the object that describes the position of a page in its list.
public enum PageInfoMember: Sendable, Hashable {
    /// True if rows follow the page.
    case hasNextPage(name: String)
    /// True if the page begins after a cursor.
    case hasPreviousPage(name: String)
    /// The cursor of the first row; null on an empty page.
    case startCursor(name: String)
    /// The cursor of the last row; null on an empty page.
    case endCursor(name: String)
    /// A member whose value is constant JSON.
    case constant(name: String, json: String)
}
