public import DuetSQLDatabase

/// A read as a client means it, in either style: a subject, and the selection of what to show of it.
public struct Question: Sendable, Hashable {
    /// The subject of a read.
    public indirect enum Subject: Sendable, Hashable {
        /// The row of a resource with that key.
        case item(resource: String, key: [SQLValue])
        /// The rows of a resource.
        case list(resource: String, Window)
        /// The rows that belong to a row by a relation. The row must be there.
        case related(resource: String, key: [SQLValue], relation: String, Window)
        /// The row that belongs to a row by a relation and fulfils a filter.
        case relatedItem(resource: String, key: [SQLValue], relation: String, Filter)
    }

    /// The subject of a read.
    public var subject: Subject
    /// The form of a list; of an item, ``ListForm/array(_:)`` with what to show of it.
    public var form: ListForm
    /// True if the rows of all pages are to be counted, for ``Answer/totalCount``.
    public var countsRows = false

    /// Creates a question.
    public init(_ subject: Subject, _ form: ListForm) {
        self.subject = subject
        self.form = form
    }
}

/// The part of a list that is asked for, and its order.
public struct Window: Sendable, Hashable {
    /// The rows that are in the list.
    public var filter: Filter
    /// The order; without any, the catalogue's.
    public var order: [SortField]
    /// The maximum number of rows; nil for all of them.
    public var first: Int?
    /// The cursor of the row before the first one, as the client sent it.
    public var after: String?

    /// Creates a window; by default, it is the whole list.
    public init(filter: Filter = .everything, order: [SortField] = [], first: Int? = nil, after: String? = nil) {
        self.filter = filter
        self.order = order
        self.first = first
        self.after = after
    }
}

/// The members of the JSON object that answers for a row, in their order.
public struct Selection: Sendable, Hashable {
    /// A member of the object.
    public enum Member: Sendable, Hashable {
        /// A field, under a name of its own.
        case field(name: String, String)
        /// The key as a text, of a resource whose key is one field.
        case identifier(name: String)
        /// The same JSON in each object.
        case constant(name: String, json: String)
        /// The row of a to-one relation: an object, or null.
        case item(name: String, relation: String, Selection)
        /// The rows of a to-many relation.
        case list(name: String, relation: String, Window, ListForm)
    }

    /// The members.
    public var members: [Member]

    /// Creates a selection.
    public init(_ members: [Member] = []) {
        self.members = members
    }
}

/// The form in which a list is shown.
public enum ListForm: Sendable, Hashable {
    /// An array of objects.
    case array(Selection)
    /// An object about a page of the list.
    case page([PageMember])
}

/// A member of an object about a page of a list (Relay cursor connections specification).
public indirect enum PageMember: Sendable, Hashable {
    /// The rows, as an array.
    case nodes(name: String, Selection)
    /// The rows with their cursors, as an array.
    case edges(name: String, [EdgeMember])
    /// The place of the page in its list.
    case pageInfo(name: String, [PageInfoMember])
    /// The number of rows on all pages.
    case totalCount(name: String)
    /// The same JSON in each object.
    case constant(name: String, json: String)
}

/// A member of an object about a row of a page.
public enum EdgeMember: Sendable, Hashable {
    /// The row.
    case node(name: String, Selection)
    /// The cursor of the row.
    case cursor(name: String)
    /// The same JSON in each object.
    case constant(name: String, json: String)
}

/// A member of an object about the place of a page in its list.
public enum PageInfoMember: Sendable, Hashable {
    /// True if there are rows after the page.
    case hasNextPage(name: String)
    /// True if the page begins after a cursor.
    case hasPreviousPage(name: String)
    /// The cursor of the first row; null without rows.
    case startCursor(name: String)
    /// The cursor of the last row; null without rows.
    case endCursor(name: String)
    /// The same JSON in each object.
    case constant(name: String, json: String)
}
