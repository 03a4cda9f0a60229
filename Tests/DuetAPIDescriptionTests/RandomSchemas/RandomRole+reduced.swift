import DuetResourceService

extension RandomRole {
    /// Returns the part of a catalogue that the role sees, without writes.
    func reduced(_ whole: Catalogue) throws -> Catalogue {
        let resources = whole.resources.compactMap { resource -> Resource? in
            guard let names = hidden[resource.name] else { return nil }
            let fields = resource.fields.filter { !names.contains($0.name) }
            let hasKey = !names.contains(where: resource.key.contains)
            var copy = Resource(
                resource.name, singular: resource.singular, type: resource.type, table: resource.table,
                description: resource.description, fields: fields, key: hasKey ? resource.key : [],
                order: hasKey ? resource.order : fields.map { SortField($0.name) },
                defaultFields: resource.defaultFields.filter { !names.contains($0) },
                sortFields: resource.sortFields.filter { !names.contains($0) }, filters: resource.filters,
                relations: resource.relations.compactMap { relation in
                    let tables = relation.joins.map(\.table) + [whole[relation.target]?.table ?? ""]
                    guard tables.allSatisfy({ !concealed.contains($0) }) else { return nil }
                    var relation = relation
                    for index in relation.joins.indices { relation.joins[index].isEnforced = false }
                    if case .one = relation.size, conditions[tables.last ?? ""] != nil {
                        relation.size = .one(isOptional: true)
                    }
                    return relation
                },
                collection: resource.collection, hasItems: resource.hasItems, maxAge: resource.maxAge)
            // Random roles have no permission for aggregates.
            copy.isAggregated = false
            copy.hiddenColumns = resource.fields.filter { names.contains($0.name) }.map(\.column)
            return copy
        }
        return try Catalogue(resources, description: whole.description)
    }
}
