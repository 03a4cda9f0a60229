package import DuetJSON
import DuetResultSetJSON

/// Everything that the API offers, as values: resources with their fields, keys, relations, filters and cache policies.
///
/// Routes, contracts, questions and statements are made from it; nothing else names a table or a column.
public struct Catalogue: Sendable {
    /// A sentence for the documentation.
    public let description: String
    /// The resources, in the order of the documentation.
    public let resources: [Resource]
    /// The changes that clients can make.
    public let writes: [Write]
    /// The maximum cost of a GraphQL query, about the number of its rows; nil for that of the server.
    public var maximumQueryCost: Int?
    /// The columns of the database that cannot have all characters.
    public var narrowColumns = NarrowColumns()
    /// The types of the entities that answers can show.
    let entityTypes: [String]
    private let byName: [String: Resource]

    /// Creates a catalogue.
    /// - Throws: ``CatalogueError`` that names the first contradiction: an unknown name, or a name with two meanings.
    public init(_ resources: [Resource], writes: [Write] = [], description: String) throws(CatalogueError) {
        self.description = description
        self.resources = resources
        self.writes = writes
        var types: [String] = []
        for entity in resources.flatMap(\.entities) where !types.contains(entity.type) { types.append(entity.type) }
        entityTypes = types
        byName = Dictionary(resources.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        try check()
    }

    /// The resource of that name.
    public subscript(name: String) -> Resource? { byName[name] }

    /// The resource of that name.
    /// - Throws: ``CatalogueError`` if there is none.
    package func required(_ name: String) throws(CatalogueError) -> Resource {
        guard let resource = self[name] else { throw CatalogueError("there is no resource \(name)") }
        return resource
    }

    /// The nouns of the rows that can be asked for by a key, and so may be missing.
    public var nounsOfItems: [String] {
        let related = writes.compactMap { write -> String? in
            guard case .relatedItem(let name, _) = write.target, let resource = self[write.resource] else { return nil }
            return resource.relation(name).flatMap { self[$0.target]?.singular }
        }
        return resources.filter(\.hasItems).map(\.singular) + related
    }

    /// The resource whose rows belong by a relation. The check has found that there is one.
    func target(of relation: Relation) throws(CatalogueError) -> Resource {
        guard let target = self[relation.target] else {
            throw CatalogueError("the relation \(relation.name) leads to \(relation.target), which is no resource")
        }
        return target
    }

    /// True if a relation has pages of the resource's rows.
    func hasPages(of resource: Resource) -> Bool {
        resources.flatMap(\.relations).contains { relation in
            if case .many = relation.size { relation.target == resource.name } else { false }
        }
    }

    /// The field whose values a named filter takes; nil if it takes true and false.
    func field(of filter: NamedFilter, _ resource: Resource) -> Field? {
        switch filter.meaning {
        case .compare(let fields, _): fields.first.flatMap(resource.field)
        case .flag: nil
        case .some(let name, let field, _): resource.relation(name).flatMap { self[$0.target]?.field(field) }
        }
    }

    /// The filter that a JSON object means, in the form that requests have it.
    /// - Throws: ``ServiceError`` that names the member at fault.
    package func filter(_ object: JSONObject, of resource: Resource) throws -> Filter {
        try FilterReader(catalogue: self, values: ValueReader(dates: .iso)).filter(object, of: resource, "filter")
    }

    /// The position of an entity's type in ``entityTypes``.
    func entityKind(_ type: String) -> Int? { entityTypes.firstIndex(of: type) }
}

/// A contradiction in a catalogue, as a sentence for its author.
public struct CatalogueError: Error, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String
    /// The place: a resource, then `fields`, `relations` or `filters` and a name, as far as it is known.
    public let path: [String]

    package init(_ description: String, at path: [String] = []) {
        self.description = description
        self.path = path
    }
}
