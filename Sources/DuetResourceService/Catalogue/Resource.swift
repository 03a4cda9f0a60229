public import DuetGraphQL

/// A resource of the API: rows of a table with their fields, relations, filters and cache policy.
public struct Resource: Sendable, Hashable {
    /// The representation of the list of all rows.
    public enum Collection: Sendable, Hashable {
        /// No list. Rows are accessible through relations only.
        case none
        /// A list that GraphQL shows without pages. `typical` is an estimate of the number of rows.
        case few(typical: Int)
        /// Pages of `size` rows, unless the client requests a number.
        case pages(size: Int = ResourceService.defaultPageSize)
    }

    /// A reference to an entity that a row shows. Caches remove the answer when the entity changes.
    public struct Entity: Sendable, Hashable {
        /// The type of the entity, such as `Employee`.
        public var type: String
        /// The fields that contain its key.
        public var fields: [String]

        /// Creates a reference to an entity.
        public init(_ type: String, _ fields: [String]) {
            self.type = type
            self.fields = fields
        }
    }

    /// The name of the list, such as `employees`. It is also the path in REST.
    public var name: String
    /// The name of a row, such as `employee`.
    public var singular: String
    /// The name of the type, such as `Employee`.
    public var type: String
    /// The table or view.
    public var table: String
    /// A sentence for the documentation.
    public var description: String
    /// The fields, in the order of the documentation.
    public let fields: [Field]
    /// The columns of the table that deliberately have no field.
    public var hiddenColumns: [String] = []
    /// The names of the fields that identify a row. Their values are never NULL. Without a key, lists have no cursors
    /// and no items.
    public let key: [String]
    /// The existing fields of ``key``. A catalogue rejects a key that names other fields.
    let keyFields: [Field]
    /// The default order of lists. The key follows.
    public var order: [SortField]
    /// The fields that are shown by default.
    public var defaultFields: [String]
    /// The fields that lists can be sorted by.
    public var sortFields: [String]
    /// The filters with their own names.
    public var filters: [NamedFilter]
    /// The relations to resources.
    public var relations: [Relation]
    /// The representation of the list of all rows.
    public var collection: Collection
    /// True if clients can request a row by its key.
    public var hasItems: Bool
    /// The entities that a row shows. The first one is the entity of the row: the row itself, or the entity that
    /// contains it.
    public var entities: [Entity]
    /// The maximum age in seconds of a cached answer that shows a row.
    public var maxAge: Int

    /// Creates a resource.
    /// - Parameters:
    ///   - defaultFields: The fields that are shown by default; nil for all fields.
    ///   - entities: The entities that a row shows; nil for the row itself.
    public init(
        _ name: String, singular: String, type: String, table: String, description: String, fields: [Field],
        key: [String], order: [SortField] = [], defaultFields: [String]? = nil, sortFields: [String] = [],
        filters: [NamedFilter] = [], relations: [Relation] = [], collection: Collection = .pages(),
        hasItems: Bool = true, entities: [Entity]? = nil, maxAge: Int = 0
    ) {
        self.name = name
        self.singular = singular
        self.type = type
        self.table = table
        self.description = description
        self.fields = fields
        self.key = key
        keyFields = key.compactMap { name in fields.first { $0.name == name } }
        self.order = order
        self.defaultFields = defaultFields ?? fields.map(\.name)
        self.sortFields = sortFields
        self.filters = filters
        self.relations = relations
        self.collection = collection
        self.hasItems = hasItems && !key.isEmpty
        self.entities = entities ?? [Entity(type, key)]
        self.maxAge = maxAge
    }

    /// Returns the field with a name.
    public func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    /// Returns the relation with a name.
    public func relation(_ name: String) -> Relation? { relations.first { $0.name == name } }

    /// - Throws: ``CatalogueError`` if the field does not exist. Catalogues and questions name only existing fields.
    package func requiredField(_ name: String) throws(CatalogueError) -> Field {
        guard let field = field(name) else { throw CatalogueError("\(self.name) has no field \(name)") }
        return field
    }

    /// - Throws: ``CatalogueError`` if the relation does not exist. Catalogues and questions name only existing
    ///   relations.
    func requiredRelation(_ name: String) throws(CatalogueError) -> Relation {
        guard let relation = relation(name) else { throw CatalogueError("\(self.name) has no relation \(name)") }
        return relation
    }

    /// Returns the named filter with a name.
    func filter(_ name: String) -> NamedFilter? { filters.first { $0.name == name } }

    /// The cache policy of an answer that shows a row.
    public var cachePolicy: CachePolicy { CachePolicy(maxAge: maxAge) }

    /// True if a row is an entity of its own; false if it is a part of another entity.
    var isEntity: Bool { entities.first?.type == type }

    /// True if the list of all rows has pages.
    public var isPaged: Bool { if case .pages = collection { true } else { false } }

    /// The default page size of the list of all rows in REST.
    var pageSize: Int { if case .pages(let size) = collection { size } else { ResourceService.defaultPageSize } }

    /// True if rows have a key, which lists need for cursors.
    public var hasKey: Bool { !key.isEmpty }

    /// True if rows have the GraphQL field `id`, which is the key as a text. A field or relation named `id` replaces
    /// it.
    var hasIdentifier: Bool { isEntity && key.count == 1 && field("id") == nil && relation("id") == nil }

    /// Returns the default fields of the rows of a relation. They exclude fields that repeat the key of the parent row.
    package func defaultFields(of relation: Relation) -> [String] {
        guard relation.joins.isEmpty, relation.isToMany else { return defaultFields }
        return defaultFields.filter { name in
            guard let field = field(name), field.relation == nil else { return true }
            return !relation.keyColumns.contains(field.column)
        }
    }
}

/// A field in the order of a list.
public struct SortField: Sendable, Hashable {
    /// The name of the field.
    public var field: String
    /// True if the greatest value comes first.
    public var descending: Bool

    /// Creates an order.
    public init(_ field: String, descending: Bool = false) {
        self.field = field
        self.descending = descending
    }
}
