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
        let read = try fields.joined().map { try resource.requiredField($0) }
        guard let values = try values(of: read, resource, key, connection) else { return [] }
        var position = -1
        return resource.entities.map { entity in
            Subject.EntityKey(
                type: entity.type,
                key: entity.fields.map { _ in
                    position += 1
                    return values[position]
                })
        }
    }

    /// Returns the values of fields of the row with a key; nil if the row does not exist.
    /// - Parameter isLocking: True to lock the row until the end of the transaction. The values are then current, even
    ///   if an earlier statement of the transaction has read the row.
    func values(
        of fields: [Field], _ resource: Resource, _ key: [SQLValue], _ connection: Connection, isLocking: Bool = false
    ) throws -> [SQLValue]? {
        var draft = try StatementDraft(resource, planner)
        let columns = try fields.map { try draft.expression(of: $0) }
        draft.source.conditions += draft.source.isSubject
        connection.sharedArguments = try arguments(of: draft.scope.parameters)
        let row = try connection.query(
            draft.source.select(columns.joined(separator: ", ")) + (isLocking ? database.dialect.rowLock : ""),
            Subject(resource, key).arguments(adding: draft.scope.arguments))
        defer { row.close() }
        guard try row.next() else { return nil }
        return fields.enumerated().map { $1.shown(row.value(at: $0)) }
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
