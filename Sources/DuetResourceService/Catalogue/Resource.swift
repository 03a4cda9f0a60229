public import DuetGraphQL

/// A kind of thing that the API offers: rows of a table with their fields, relations, filters and cache policy.
public struct Resource: Sendable, Hashable {
    /// The form of the list of all rows.
    public enum Collection: Sendable, Hashable {
        /// There is none: rows are reached through relations.
        case none
        /// A list of at most so many rows, which GraphQL shows whole.
        case few(typical: Int)
        /// Pages, which have so many rows if a request names no number.
        case pages(size: Int = ResourceService.defaultPageSize)
    }

    /// A key of an entity that a row shows; caches remove the answer when that entity changes.
    public struct Entity: Sendable, Hashable {
        /// The type of the entity, such as `Employee`.
        public var type: String
        /// The fields that hold its key.
        public var fields: [String]

        /// Creates a reference to an entity.
        public init(_ type: String, _ fields: [String]) {
            self.type = type
            self.fields = fields
        }
    }

    /// The name of the list, such as `employees`; also the path over REST.
    public var name: String
    /// The name of one, such as `employee`.
    public var singular: String
    /// The name of the type, such as `Employee`.
    public var type: String
    /// The table or view.
    public var table: String
    /// A sentence for the documentation.
    public var description: String
    /// The fields, in the order of the documentation.
    public let fields: [Field]
    /// Columns of the table that no field shows, on purpose.
    public var hiddenColumns: [String] = []
    /// The names of the fields that identify a row, none of which is NULL. Without any, lists have neither cursors nor items.
    public let key: [String]
    /// The fields of ``key`` that there are. A catalogue refuses a key with others.
    let keyFields: [Field]
    /// The order of lists if none is asked for; the key comes last.
    public var order: [SortField]
    /// The fields shown if none are asked for.
    public var defaultFields: [String]
    /// The fields that lists can be sorted by.
    public var sortFields: [String]
    /// Filters with a name and a meaning of their own.
    public var filters: [NamedFilter]
    /// Relations to other resources.
    public var relations: [Relation]
    /// The form of the list of all rows.
    public var collection: Collection
    /// True if a row can be asked for by its key.
    public var hasItems: Bool
    /// The entities that a row shows. The first one is the one that a row belongs to: itself, or what it is a part of.
    public var entities: [Entity]
    /// For how many seconds caches may use an answer that shows a row.
    public var maxAge: Int

    /// Creates a resource.
    /// - Parameters:
    ///   - defaultFields: The fields shown if none are asked for; all by default.
    ///   - entities: The entities that a row shows; by default the row itself.
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

    /// The field of that name.
    public func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    /// The relation of that name.
    public func relation(_ name: String) -> Relation? { relations.first { $0.name == name } }

    /// - Throws: ``CatalogueError``: catalogues and questions name only fields that there are.
    package func requiredField(_ name: String) throws(CatalogueError) -> Field {
        guard let field = field(name) else { throw CatalogueError("\(self.name) has no field \(name)") }
        return field
    }

    /// - Throws: ``CatalogueError``: catalogues and questions name only relations that there are.
    func requiredRelation(_ name: String) throws(CatalogueError) -> Relation {
        guard let relation = relation(name) else { throw CatalogueError("\(self.name) has no relation \(name)") }
        return relation
    }

    /// The named filter of that name.
    func filter(_ name: String) -> NamedFilter? { filters.first { $0.name == name } }

    /// How long an answer that shows a row may be cached.
    public var cachePolicy: CachePolicy { CachePolicy(maxAge: maxAge) }

    /// True if a row is an entity of its own, rather than a part of one.
    var isEntity: Bool { entities.first?.type == type }

    /// True if the list of all rows has pages.
    public var isPaged: Bool { if case .pages = collection { true } else { false } }

    /// The number of rows that REST shows of the list of all rows if a request names none.
    var pageSize: Int { if case .pages(let size) = collection { size } else { ResourceService.defaultPageSize } }

    /// True if rows have a key, so that lists have cursors.
    public var hasKey: Bool { !key.isEmpty }

    /// True if rows have the GraphQL field `id`, which is the key as a text. A field or relation of that name takes its place.
    var hasIdentifier: Bool { isEntity && key.count == 1 && field("id") == nil && relation("id") == nil }

    /// The fields shown by default of rows that belong to a row by a relation: without those that repeat the row's key.
    package func defaultFields(of relation: Relation) -> [String] {
        guard relation.joins.isEmpty, relation.isToMany else { return defaultFields }
        return defaultFields.filter { name in
            guard let field = field(name), field.relation == nil else { return true }
            return !relation.keyColumns.contains(field.column)
        }
    }
}

/// A field that a list is ordered by.
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
