public import DuetGraphQL

/// A resource of the API: the rows of a table or view, with their fields, relations, filters and cache policy.
public struct Resource: Sendable, Hashable {
    /// The representation of the list of all rows.
    public enum Collection: Sendable, Hashable {
        /// No list exists. Rows are accessible only through relations or by their key.
        case none
        /// A list that has no pages in GraphQL. `typical` is an estimate of the number of rows.
        case few(typical: Int)
        /// Pages of `size` rows, unless the client specifies a maximum number of rows.
        case pages(size: Int = ResourceService.defaultPageSize)
    }

    /// A reference to an entity whose data a row contains. An entity is a row with its parts, such as an employee with
    /// the employee's titles. When an entity changes, caches remove the responses that contain its data.
    public struct Entity: Sendable, Hashable {
        /// The type of the entity, such as `Employee`.
        public var type: String
        /// The names of the fields that contain the key of the entity.
        public var fields: [String]

        /// Creates a reference to an entity.
        public init(_ type: String, _ fields: [String]) {
            self.type = type
            self.fields = fields
        }
    }

    /// The name of the resource and of the list of all rows, such as `employees`. It is also the first path segment in
    /// REST.
    public var name: String
    /// The name of a row, such as `employee`.
    public var singular: String
    /// The name of the type, such as `Employee`.
    public var type: String
    /// The table or view.
    public var table: String
    /// The description of the resource, for the documentation.
    public var description: String
    /// The fields, in the order of the documentation.
    public private(set) var fields: [Field]
    /// The columns of the table that intentionally have no field.
    public var hiddenColumns: [String] = []
    /// The names of the fields that identify a row. Their values are never NULL. If a resource has no key, its lists
    /// have no cursors, and clients cannot request single rows.
    public let key: [String]
    /// The fields of ``key``. Names in ``key`` without a field are omitted here. A catalogue rejects a resource with
    /// such a name.
    let keyFields: [Field]
    /// The default order of lists. Rows that are equal in this order are ordered by the key.
    public var order: [SortField]
    /// The names of the fields that a REST response contains by default.
    public var defaultFields: [String]
    /// The names of the fields by which clients can sort lists.
    public var sortFields: [String]
    /// The named filters.
    public var filters: [NamedFilter]
    /// The relations to other resources, or to the resource itself.
    public var relations: [Relation]
    /// The representation of the list of all rows.
    public var collection: Collection
    /// True if clients can request a row by its key.
    public var hasItems: Bool
    /// The entities whose data a row contains. The first element is the row itself, or the entity that the row is a
    /// part of.
    public var entities: [Entity]
    /// The maximum age in seconds of a cached answer that contains a row.
    public var maxAge: Int
    /// The condition on the rows. Clients receive the same answers as if the table had only the rows that satisfy it:
    /// this affects lists, relations, counts, filters, single rows, and cache tags. The condition can use the fields of
    /// the table itself, and relations. It reads all related rows, including those that the condition of their own
    /// resource excludes. A change that would add or leave a row outside the condition fails.
    ///
    /// A to-one relation to a resource with a condition is optional, because the condition can exclude the row. See
    /// ``Catalogue/init(_:writes:description:)``.
    public var condition = Filter.everything
    /// True if clients can request aggregates and groups of the rows.
    public var isAggregated = true
    /// The maximum number of rows that each statement for rows of this resource can examine without returning them; 0
    /// for no limit. If it is nil, the limit is that of the resource whose rows the request identifies, or
    /// ``ResourceService/maximumScan``.
    public var maximumScan: Int?
    /// The changes that clients can make to the rows; none by default.
    public var writes = WriteRules()
    /// The fields and relations that clients do not see; see ``Catalogue/restricted(to:)``.
    var concealed = Concealed()
    /// The names of the to-many relations whose aggregates can be sort keys and conditions of filters. A catalogue sets
    /// them, because the targets of the relations determine whether clients can request aggregates.
    var comparedRelations: [String] = []

    /// The fields and relations of a resource that clients do not see. Conditions and Boolean filters can use them.
    struct Concealed: Sendable, Hashable {
        var fields: [Field] = []
        var relations: [Relation] = []
    }

    /// Creates a resource.
    /// - Parameters:
    ///   - name: The name of the list, in paths and in `Query`.
    ///   - singular: The name of one row.
    ///   - type: The name of the GraphQL type.
    ///   - table: The table or view.
    ///   - description: A sentence for OpenAPI and SDL.
    ///   - fields: The fields.
    ///   - key: The names of the fields that identify a row.
    ///   - order: The default order of the list.
    ///   - defaultFields: The names of the fields that a REST response contains by default; nil for all fields.
    ///   - sortFields: The names of the fields by which clients can sort.
    ///   - filters: The named filters.
    ///   - relations: The relations to other resources.
    ///   - collection: The representation of the list of all rows.
    ///   - hasItems: True if clients can request a row by its key. Without a key, the property is always false.
    ///   - entities: The entities whose data a row contains; nil for the row itself.
    ///   - maxAge: The maximum age of responses in caches, in seconds.
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

    /// Returns the field with a name, unless clients do not see it.
    public func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    /// Returns the relation with a name, unless clients do not see it.
    public func relation(_ name: String) -> Relation? { relations.first { $0.name == name } }

    /// Returns the field with a name, even if clients do not see it. Code that reads requests must not use it.
    func declaredField(_ name: String) -> Field? {
        field(name) ?? concealed.fields.first { $0.name == name }
    }

    /// Returns the relation with a name, even if clients do not see it. Code that reads requests must not use it.
    func declaredRelation(_ name: String) -> Relation? {
        relation(name) ?? concealed.relations.first { $0.name == name }
    }

    /// Returns the field with a name, even if clients do not see it. For a name from a checked catalogue, the function
    /// does not throw.
    /// - Throws: ``CatalogueError`` if the field does not exist.
    package func requiredField(_ name: String) throws(CatalogueError) -> Field {
        guard let field = declaredField(name) else { throw CatalogueError("\(self.name) has no field \(name)") }
        return field
    }

    /// Returns the relation with a name, even if clients do not see it. For a name from a checked catalogue, the
    /// function does not throw.
    /// - Throws: ``CatalogueError`` if the relation does not exist.
    func requiredRelation(_ name: String) throws(CatalogueError) -> Relation {
        guard let relation = declaredRelation(name) else {
            throw CatalogueError("\(self.name) has no relation \(name)")
        }
        return relation
    }

    /// Returns the filter with a name.
    func filter(_ name: String) -> NamedFilter? { filters.first { $0.name == name } }

    /// The cache policy of an answer that contains a row.
    public var cachePolicy: CachePolicy { CachePolicy(maxAge: maxAge) }

    /// True if a row is an entity; false if a row is a part of another entity.
    var isEntity: Bool { entities.first?.type == type }

    /// True if the list of all rows has pages.
    public var isPaged: Bool { if case .pages = collection { true } else { false } }

    /// The default page size of the list of all rows in REST.
    var pageSize: Int { if case .pages(let size) = collection { size } else { ResourceService.defaultPageSize } }

    /// True if rows have a key, which lists need for cursors.
    public var hasKey: Bool { !key.isEmpty }

    /// True if rows have the generated GraphQL field `id`, which is the key as a text. The field is not generated if
    /// the resource has a field or relation named `id`.
    var hasIdentifier: Bool { isEntity && key.count == 1 && field("id") == nil && relation("id") == nil }

    /// True if clients can sort the rows of lists.
    var isSortable: Bool { !sortFields.isEmpty || !comparedRelations.isEmpty }

    /// Returns a copy in which the to-one relations that satisfy a predicate are optional, and the fields of these
    /// relations are nullable.
    func withOptional(_ isOptional: (Relation) -> Bool) -> Resource {
        var copy = self
        func change(_ relations: inout [Relation]) {
            for index in relations.indices
            where relations[index].size == .one(isOptional: false) && isOptional(relations[index]) {
                relations[index].size = .one(isOptional: true)
                let name = relations[index].name
                for index in copy.fields.indices where copy.fields[index].relation == name {
                    copy.fields[index].isNullable = true
                }
                for index in copy.concealed.fields.indices where copy.concealed.fields[index].relation == name {
                    copy.concealed.fields[index].isNullable = true
                }
            }
        }
        var (visible, hidden) = (relations, concealed.relations)
        change(&visible)
        change(&hidden)
        (copy.relations, copy.concealed.relations) = (visible, hidden)
        return copy
    }

    /// Returns the default fields of the rows of a relation. In a to-many relation without intermediate tables, the
    /// result excludes the fields that repeat the key of the parent row.
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
    /// True for descending order.
    public var descending: Bool

    /// Creates an element of an order.
    public init(_ field: String, descending: Bool = false) {
        self.field = field
        self.descending = descending
    }
}
