import DuetSQLDatabase

/// The entities that a change changes.
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
    /// Returns the entities that a change of related rows changes, in addition to those of the parent row.
    func relatedEntities(of change: Change) throws -> [Subject.EntityKey] {
        guard change.parent != nil else { return [] }
        let target = try resource(change.resource)
        return change.rows.flatMap { row in
            target.entities.compactMap { entity in
                let key = entity.fields.compactMap { row[$0] }
                return key.count == entity.fields.count ? Subject.EntityKey(type: entity.type, key: key) : nil
            }
        }
    }

    /// Returns the names of the entity types that are cache tags of the lists that may contain the changed rows.
    func changedLists(of change: Change) throws -> [String] {
        let changed = try resource(change.resource)
        guard let parent = change.parent else { return [changed.entities.first?.type ?? changed.type] }
        let resource = try resource(parent.resource)
        let types = [resource.entities.first?.type ?? resource.type]
        return types + (change.kind == .insert ? [changed.entities.first?.type].compactMap(\.self) : [])
    }
}
