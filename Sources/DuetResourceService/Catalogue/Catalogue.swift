package import DuetJSON
import DuetResultSetJSON

/// The description of the API: resources with their fields, keys, relations, filters and cache policies.
///
/// Routes, API descriptions, questions and SQL statements are derived from the catalogue. The code of this module
/// contains no names of tables or columns.
public struct Catalogue: Sendable {
    /// A text that describes the API in the documentation.
    public let description: String
    /// The resources, in the order of the documentation.
    public let resources: [Resource]
    /// The changes that clients can make: the declared ones, and those that follow from the rules of the resources
    /// (``Resource/writes``). A declared write replaces a derived one with the same name, or with the same kind and
    /// place.
    public let writes: [Write]
    /// The view to which the catalogue belongs. Plans and validators of one view are not valid for another view.
    public var view = CatalogueView.whole
    /// The maximum cost of a GraphQL query; nil for the server's default. The cost is roughly the number of rows that
    /// the query requests.
    public var maximumQueryCost: Int?
    /// The columns of the database whose character sets do not support all Unicode characters.
    public var narrowColumns = NarrowColumns()
    /// The maximum lengths of the values in the columns of the database.
    public var columnLengths = ColumnLengths()
    /// The classes of the database's columns.
    public var comparisonClasses = ComparisonClasses()
    /// The constraints of the database's tables.
    public var constraints = TableConstraints()
    /// The names of the entity types whose data answers can contain; see ``Resource/Entity``.
    let entityTypes: [String]
    private let byName: [String: Resource]
    /// The resources, by the names of their tables in lower case.
    private let byTable: [String: [Resource]]
    /// True if a resource has a condition, so that clients do not see all rows.
    let hasConditions: Bool
    /// The resources of tables that are intermediate tables of relations, by the names of the tables.
    private let joined: [String: Resource]
    /// The names of the resources that have the same intermediate table, for each table with several resources.
    let sharedJoins: [[String]]
    private let entityKinds: [String: Int]
    /// The targets of to-many relations.
    private let listTargets: Set<String>
    /// The targets of relations whose rows are in pages.
    private let pageTargets: Set<String>

    /// Creates a catalogue. In the catalogue, a to-one relation is optional if the target or an intermediate table has
    /// a condition (``Resource/condition``).
    /// - Throws: ``CatalogueError`` for the first inconsistency, such as an unknown name or a name that is used twice.
    public init(_ resources: [Resource], writes: [Write] = [], description: String) throws(CatalogueError) {
        try self.init(resources, concealed: [], writes: writes, description: description)
    }

    /// Creates a catalogue of other resources of a database.
    /// - Parameter concealed: The resources that clients do not see. Conditions and Boolean filters can read them.
    init(
        _ catalogue: Catalogue, _ resources: [Resource], concealed: [Resource], view: CatalogueView
    ) throws(CatalogueError) {
        try self.init(resources, concealed: concealed, writes: [], description: catalogue.description)
        self.view = view
        maximumQueryCost = catalogue.maximumQueryCost
        narrowColumns = catalogue.narrowColumns
        columnLengths = catalogue.columnLengths
        comparisonClasses = catalogue.comparisonClasses
        constraints = catalogue.constraints
    }

    private init(
        _ resources: [Resource], concealed: [Resource], writes: [Write], description: String
    ) throws(CatalogueError) {
        self.description = description
        let all = resources + concealed
        let joined = Self.joined(all)
        let conditional = Set(all.filter { !$0.condition.isEverything }.map(\.name))
        let aggregated = Set(resources.filter(\.isAggregated).map(\.name))
        func completed(_ resource: Resource) -> Resource {
            var copy = resource.withOptional { relation in
                conditional.contains(relation.target)
                    || relation.joins.contains { joined[$0.table].map { conditional.contains($0.name) } ?? false }
            }
            copy.comparedRelations =
                copy.relations.filter { $0.isToMany && aggregated.contains($0.target) }.map(\.name)
            return copy
        }
        let resources = resources.map(completed)
        self.resources = resources
        self.joined = joined
        sharedJoins = Set(joined.keys.map { $0.lowercased() }).sorted().map { table in
            resources.filter { $0.table.lowercased() == table }.map(\.name)
        }.filter { $0.count > 1 }
        let resourceTypes = Set(resources.map(\.type))
        let related = RelatedResources(resources)
        var names: Set<String> = []
        self.writes =
            writes
            + resources.flatMap { resource in
                Write.derived(of: resource, types: resourceTypes)
                    + Write.derivedOfRelations(of: resource, in: related, names: &names)
            }.filter { derived in
                !writes.contains {
                    $0.name == derived.name || $0.name == derived.singleName
                        || ($0.resource, $0.kind, $0.place) == (derived.resource, derived.kind, derived.place)
                }
            }
        var types: [String] = []
        var kinds: [String: Int] = [:]
        for entity in resources.flatMap(\.entities) where kinds[entity.type] == nil {
            kinds[entity.type] = types.count
            types.append(entity.type)
        }
        entityTypes = types
        entityKinds = kinds
        let relations = resources.flatMap(\.relations)
        listTargets = Set(relations.filter(\.isToMany).map(\.target))
        pageTargets = Set(relations.filter { if case .many = $0.size { true } else { false } }.map(\.target))
        byName = Dictionary(
            (resources + concealed.map(completed)).map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first })
        byTable = Dictionary(grouping: byName.values) { $0.table.lowercased() }
        hasConditions = !conditional.isEmpty
        try check()
    }

    /// Returns the resource with a name. Clients do not see all resources of a catalogue for a role; ``resources`` has
    /// those that they see.
    public subscript(name: String) -> Resource? { byName[name] }

    /// Returns the resource with a name.
    /// - Throws: ``CatalogueError`` if the resource does not exist.
    package func required(_ name: String) throws(CatalogueError) -> Resource {
        guard let resource = self[name] else { throw CatalogueError("there is no resource \(name)") }
        return resource
    }

    /// The singular names of the resources whose rows a request can identify by a key. The error codes of missing rows
    /// contain these names.
    public var nounsOfItems: [String] {
        let related = writes.compactMap { write -> String? in
            guard case .relatedItem(let name, _) = write.place, write.link == nil, let resource = self[write.resource]
            else { return nil }
            return resource.relation(name).flatMap { self[$0.target]?.singular }
        }
        return resources.filter(\.hasItems).map(\.singular) + related
    }

    /// Returns the target of a relation. The initializer has checked that the target exists.
    func target(of relation: Relation) throws(CatalogueError) -> Resource {
        guard let target = self[relation.target] else {
            throw CatalogueError("the relation \(relation.name) leads to \(relation.target), which is not a resource")
        }
        return target
    }

    /// Returns the resources of a table. The result includes resources that clients do not see.
    func resources(ofTable table: String) -> [Resource] {
        (byTable[table.lowercased()] ?? []).filter { constraints.isSame($0.table, table) }
    }

    /// Returns the resource of an intermediate table; nil if the table belongs to no resource.
    func resource(of join: Relation.Join) -> Resource? { joined[join.table] }

    /// Returns the resources of the intermediate tables, by the names of the tables in the relations. SQLite ignores
    /// the case of a table's name, so the condition of a resource must apply to each spelling.
    private static func joined(_ resources: [Resource]) -> [String: Resource] {
        let relations = resources.flatMap { $0.relations + $0.concealed.relations }
        let tables = Set(relations.flatMap(\.joins).map(\.table))
        guard !tables.isEmpty else { return [:] }
        let exact = Dictionary(resources.map { ($0.table, $0) }, uniquingKeysWith: { first, _ in first })
        let folded = Dictionary(resources.map { ($0.table.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        return Dictionary(
            uniqueKeysWithValues: tables.compactMap { table in
                (exact[table] ?? folded[table.lowercased()]).map { (table, $0) }
            })
    }

    /// Returns true if a relation returns the rows of the resource in pages.
    func hasPages(of resource: Resource) -> Bool { pageTargets.contains(resource.name) }

    /// Returns true if a to-many relation returns rows of the resource.
    func hasLists(of resource: Resource) -> Bool { listTargets.contains(resource.name) }

    /// Returns the field that defines the type of a named filter's values; nil for a Boolean filter.
    func field(of filter: NamedFilter, _ resource: Resource) -> Field? {
        switch filter.meaning {
        case .compare(let fields, _): fields.first.flatMap(resource.field)
        case .flag: nil
        case .some(let name, let field, _): resource.relation(name).flatMap { self[$0.target]?.field(field) }
        }
    }

    /// Creates a filter from a JSON object, in the format of requests.
    /// - Throws: ``ServiceError`` whose message contains the name of the invalid member.
    /// - Parameter readsClaims: True if an operand can be a claim: `{"claim": "app.tenant"}` or
    ///   `{"claim": ["app", "tenant"]}`.
    package func filter(_ object: JSONObject, of resource: Resource, readsClaims: Bool = false) throws -> Filter {
        // A catalogue does not depend on the database, so its filters have the restriction of MariaDB: a time has at
        // most six fraction digits.
        let values = ValueReader(dates: .iso, dialect: .mariaDB)
        return try FilterReader(catalogue: self, values: values, readsClaims: readsClaims)
            .filter(object, of: resource, readsClaims ? "where" : "filter")
    }

    /// Returns the index of an entity type in ``entityTypes``.
    func entityKind(_ type: String) -> Int? { entityKinds[type] }
}

/// An error in a catalogue, described for the author of the catalogue.
public struct CatalogueError: Error, Sendable, CustomStringConvertible {
    /// The sentence that describes the error.
    public let description: String
    /// The location of the error: the name of a resource; then `fields`, `relations` or `filters`; then a name. Unknown
    /// parts are omitted.
    public let path: [String]

    package init(_ description: String, at path: [String] = []) {
        self.description = description
        self.path = path
    }
}

/// The name of a view of an API: its resources, fields and conditions for one kind of caller. Caches have a separate
/// key for each view, because the same request can have different answers in different views.
public struct CatalogueView: Sendable, Hashable {
    /// The name; empty for the whole catalogue.
    public let name: String

    /// The view that contains the whole catalogue.
    public static let whole = CatalogueView(name: "")

    /// Creates a name. The names of the views of one API must be different.
    public init(name: String) {
        self.name = name
    }

    /// Returns the key of a request in a cache. The name is preceded by its length, so that the keys of two views are
    /// different for all requests.
    package func key(_ request: String) -> String {
        name.isEmpty ? request : "\(name.utf8.count):\(name) \(request)"
    }
}
