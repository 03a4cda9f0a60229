public import DuetSQLDatabase

/// A change of rows of a resource, independent of the API style (REST or GraphQL).
/// ``ResourceService/write(_:)-(Change)`` performs it in one transaction.
///
/// The planner converts a change to statements, as it converts a ``Question``. ``ChangeHook``s add the rules of a
/// database, which a change cannot express.
public struct Change: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Adds rows.
        case insert
        /// Changes the fields of existing rows.
        case update
        /// Changes the fields of the row that has the key, or adds the row if it does not exist.
        case upsert
        /// Changes the fields of the row that has the key, or adds the row if it does not exist. A field without a
        /// value gets the default value of the database, or NULL.
        case replace
        /// Removes rows.
        case delete
    }

    /// The row to which the changed rows are related. It must exist, and is locked during the change. If the relation
    /// has no intermediate tables, a new row gets the columns that refer to the parent row.
    public struct Parent: Sendable, Hashable {
        /// The name of the parent row's resource.
        public var resource: String
        /// The key of the parent row.
        public var key: [SQLValue]
        /// The name of the relation that leads from the parent row to the changed rows.
        public var relation: String

        /// Creates a parent.
        public init(_ resource: String, key: [SQLValue], relation: String) {
            self.resource = resource
            self.key = key
            self.relation = relation
        }
    }

    /// A representation that the service reads in the transaction of the change: before the change for the
    /// precondition, and after the change for the answer.
    public enum Representation: Sendable, Hashable {
        /// The changed row. After an insert of several rows, there is an answer for each row.
        case row(Selection)
        /// The answer to a question, for example the rows that are related to the parent row.
        case question(Question)
    }

    /// The kind.
    public var kind: Kind
    /// The name of the resource of the changed rows.
    public var resource: String
    /// The values: one element for each row of an insert or upsert, one element with the new values of an update, and
    /// none for a delete. The rows of an upsert or of a replacement contain the key.
    public var rows: [RowValues]
    /// The key of the changed row. It is nil for an insert or upsert, and for a change of all rows that match the
    /// condition.
    public var key: [SQLValue]?
    /// A condition on the existing row, in addition to the key. A row that does not match the condition is treated as a
    /// row that does not exist.
    public var condition: Filter
    /// The row to which the changed rows are related; nil if there is none.
    public var parent: Parent?
    /// The precondition; nil if there is none. It refers to the first representation.
    public var precondition: Precondition?
    /// The representations to read after the change. A delete reads none of them.
    public var representations: [Representation]
    /// True if the rules of the resource (``Resource/writes``) apply, as they do for a request. False for a change that
    /// the program makes.
    var appliesRules = false
    /// True if the request has a list of new rows. The errors of a row then contain its position.
    package internal(set) var isList = false
    /// The maximum number of rows that a change of all rows that match the condition changes; nil if there is none.
    var maximum: Int?
    /// The keys of the locked rows that match the condition; nil if the change selects its rows in another way.
    var keys: [[SQLValue]]?
    /// The rows that a link connects; nil for any other change. The change then has no rows and no key.
    var link: Link?
    /// The fields that an update sets to their default values, with the expressions of these values. An expression is
    /// a part of the database's schema.
    var defaults: [DefaultValue] = []

    /// The maximum number of rows in a list of new rows, and of rows that a change with a filter changes.
    package static let maximumRows = 10_000

    /// The default value of a field.
    struct DefaultValue: Sendable, Hashable {
        let field: String
        let expression: String
    }
    /// True to roll back the transaction of the change after its representations have been read.
    public var isRolledBack = false
    /// The changes of related rows, for each element of ``rows``; empty if there are none. ``ChangeHook``s get changes
    /// without related changes.
    public var related: [[RelatedChange]] = []

    /// Creates a change.
    public init(
        _ kind: Kind, of resource: String, rows: [RowValues] = [], key: [SQLValue]? = nil,
        where condition: Filter = .everything, parent: Parent? = nil, precondition: Precondition? = nil,
        representations: [Representation] = []
    ) {
        self.kind = kind
        self.resource = resource
        self.rows = rows
        self.key = key
        self.condition = condition
        self.parent = parent
        self.precondition = precondition
        self.representations = representations
    }

    /// Returns an insert of rows.
    public static func insert(_ rows: RowValues..., into resource: String) -> Change {
        Change(.insert, of: resource, rows: rows)
    }

    /// Returns an update of the row with a key or, without a key, of all rows that match a condition.
    public static func update(
        _ resource: String, key: [SQLValue]? = nil, where condition: Filter = .everything, set values: RowValues
    ) -> Change {
        Change(.update, of: resource, rows: [values], key: key, where: condition)
    }

    /// Returns an upsert of a row. The row contains the key.
    public static func upsert(
        _ row: RowValues, into resource: String, where condition: Filter = .everything
    ) -> Change {
        Change(.upsert, of: resource, rows: [row], where: condition)
    }

    /// Returns a delete of the row with a key or, without a key, of all rows that match a condition.
    public static func delete(
        from resource: String, key: [SQLValue]? = nil, where condition: Filter = .everything
    ) -> Change {
        Change(.delete, of: resource, key: key, where: condition)
    }
}

/// The effect of a ``Change``.
public struct ChangeOutcome: Sendable, Hashable {
    /// The keys of the rows after the change or, for a delete, before it. The list is empty if the rows have no key, or
    /// if a condition without a key selected them.
    public var keys: [[SQLValue]]
    /// The number of inserted, updated or deleted rows.
    public var count: Int
    /// True if the change created a row.
    public var isNew: Bool

    /// Creates an outcome.
    public init(keys: [[SQLValue]], count: Int, isNew: Bool) {
        self.keys = keys
        self.count = count
        self.isNew = isNew
    }

    /// The key of the only row, or of the first row; empty if ``keys`` is empty.
    public var key: [SQLValue] { keys.first ?? [] }
}

/// The result of ``ResourceService/write(_:)-(Change)``.
public struct ChangeAnswer: Sendable {
    /// The effect of the change.
    public let outcome: ChangeOutcome
    /// The representations in their order; empty after a delete.
    public let answers: [Answer]
    /// The cost of the whole transaction, including the commit.
    public let cost: Answer.Cost
    /// The names of the entities that the change has changed, and the cache tags of the lists that may contain these
    /// entities. If only a condition selects the rows, the names of the entities are not known, and only the tags of
    /// lists exist.
    public let tags: EntityTags
    /// True if an earlier request with the same idempotency key has performed the change.
    package let isReplayed: Bool
}
