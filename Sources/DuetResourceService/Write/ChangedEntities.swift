import DuetSQLDatabase

/// The entities that a write changes.
extension ResourceService {
    /// Returns the keys of the entities whose data the row with this key contains; see ``Resource/entities``. The
    /// function reads them from the database if the key of the row does not contain them, or if the stored key can
    /// differ from the key in the request.
    func entities(
        of resource: Resource, _ key: [SQLValue], _ connection: Connection
    ) throws -> [Subject.EntityKey] {
        if resource.isEntity, resource.hasExactKey { return [Subject.EntityKey(type: resource.type, key: key)] }
        let fields = resource.entities.map(\.fields)
        let positions = fields.map { $0.map { resource.key.firstIndex(of: $0) } }
        guard positions.joined().contains(nil) || !resource.hasExactKey else {
            return zip(resource.entities, positions).map { entity, positions in
                Subject.EntityKey(type: entity.type, key: positions.compactMap { $0.map { key[$0] } })
            }
        }
        var draft = try StatementDraft(resource, planner)
        let columns = try fields.joined().map { try draft.expression(of: try resource.requiredField($0)) }
        draft.source.conditions += draft.source.isSubject
        connection.sharedArguments = try arguments(of: draft.scope.parameters)
        let row = try connection.query(
            draft.source.select(columns.joined(separator: ", ")),
            Subject(resource, key).arguments(adding: draft.scope.arguments))
        defer { row.close() }
        guard try row.next() else { return [] }
        var position = -1
        return try resource.entities.map { entity in
            Subject.EntityKey(
                type: entity.type,
                key: try entity.fields.map { name in
                    position += 1
                    return try resource.requiredField(name).shown(row.value(at: position))
                })
        }
    }
}

extension Planner {
    /// Returns the entities that a write to a related row changes, in addition to those of the parent row.
    func relatedEntities(of request: WriteRequest, _ resource: Resource) throws -> [Subject.EntityKey] {
        guard let name = request.write.target.relation else { return [] }
        let relation = try resource.requiredRelation(name)
        let target = try catalogue.target(of: relation)
        var known: [String: SQLValue] = [:]
        if case .relatedItem(_, let fields) = request.write.target {
            for (field, value) in zip(fields, request.relatedKey) { known[field] = value }
        } else {
            for name in request.values.names { known[name] = request.values[name] }
            // Without intermediate tables, the columns of the new row that refer to the parent row contain the parent's
            // values.
            for pair in relation.joins.isEmpty ? relation.columns : [] {
                guard let field = target.ownField(ofColumn: pair.to),
                    let index = resource.keyFields.firstIndex(where: { $0.column == pair.from })
                else { continue }
                known[field.name] = request.key[index]
            }
        }
        return target.entities.compactMap { entity in
            let key = entity.fields.compactMap { known[$0] }
            return key.count == entity.fields.count ? Subject.EntityKey(type: entity.type, key: key) : nil
        }
    }

    /// Returns the names of the entity types that are cache tags of the lists that may contain the changed row.
    func changedLists(of write: Write, _ resource: Resource) throws -> [String] {
        var types = [resource.entities.first?.type ?? resource.type]
        if case .newRelated(let name) = write.target {
            let target = try catalogue.target(of: try resource.requiredRelation(name))
            if let type = target.entities.first?.type { types.append(type) }
        }
        return types
    }
}
