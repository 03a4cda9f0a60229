import DuetSQLDatabase

/// Links between the rows of two resources.
extension ChangePerformance {
    /// Adds or removes a link. The rows at both ends are locked, so that no other request adds the same link.
    /// - Parameter check: A closure that is called before anything is written. The argument is false if the link does
    ///   not exist.
    /// - Throws: ``ServiceError`` if one of the rows or the link to remove does not exist for the caller;
    ///   ``ChangeRepetition`` if another program has added the link at the same time.
    func performLink(
        _ link: Change.Link, _ change: Change, _ check: (Bool) throws -> Void
    ) throws -> ChangeOutcome {
        let resource = try planner.resource(link.resource)
        let relation = try resource.requiredRelation(link.relation)
        let target = try planner.catalogue.target(of: relation)
        let table = try planner.resource(change.resource)
        entities += try lock(resource, link.key) + lock(target, link.relatedKey)
        lists += [resource, target].map { $0.entities.first?.type ?? $0.type }
        var row = RowValues()
        for pair in relation.joins.first?.columns ?? [] {
            row[try table.requiredField(ofColumn: pair.to).name] = try resource.value(ofColumn: pair.from, in: link.key)
        }
        for pair in relation.columns {
            row[try table.requiredField(ofColumn: pair.from).name] = try target.value(
                ofColumn: pair.to, in: link.relatedKey)
        }
        let condition = Filter.all(row.elements.map { .compare($0, .equal, [.value($1)]) })
        let isNew =
            try change.kind == .upsert && hasUniqueKey(relation, table)
            && !transaction.exists(planner.presence(of: table, where: condition))
        let keys = try isNew ? [] : transaction.keys(of: table, where: condition, limit: Change.maximumRows)
        try check(!keys.isEmpty)
        if change.kind == .delete {
            guard !keys.isEmpty else {
                let values = zip(target.key, link.relatedKey).map { (field: $0, value: $1) }
                throw Subject(target, of: Subject(resource, link.key), with: values).missing
            }
            for key in keys {
                var removal = Change.delete(from: table.name, key: key)
                removal.appliesRules = true
                _ = try perform(removal)
            }
            return ChangeOutcome(keys: [], count: keys.count, isNew: false)
        }
        guard keys.isEmpty else { return ChangeOutcome(keys: [], count: 0, isNew: false) }
        var insert = Change.insert(row, into: table.name)
        insert.appliesRules = true
        do {
            _ = try perform(insert)
        } catch let error as ServiceError where error.code == .conflict {
            // Another program has added the link, or the caller does not see it. The repetition finds out which.
            throw ChangeRepetition(error)
        }
        return ChangeOutcome(keys: [], count: 1, isNew: true)
    }

    /// Checks that the caller sees the rows that a link of an earlier request connects.
    /// - Parameter removed: The positions of the ends that did not exist for the caller after the earlier request.
    /// - Throws: ``ServiceError`` for a row that does not exist for the caller.
    func requireEnds(of link: Change.Link, except removed: [Int]) throws {
        for (position, end) in try ends(of: link).enumerated() where !removed.contains(position) {
            try transaction.requireRow(of: end.resource, end.key)
        }
    }

    /// Returns the positions of the ends of a link that do not exist for the caller.
    func missingEnds(of link: Change.Link) throws -> [Int] {
        let ends = try ends(of: link)
        return try ends.indices.filter { index in
            try !transaction.exists(planner.presence(of: planner.resource(ends[index].resource), ends[index].key))
        }
    }

    private func ends(of link: Change.Link) throws -> [(resource: String, key: [SQLValue])] {
        let relation = try planner.resource(link.resource).requiredRelation(link.relation)
        return [(link.resource, link.key), (relation.target, link.relatedKey)]
    }

    /// Returns true if a unique key of the database prevents that two requests add one link. A missing link is then
    /// not locked. On MariaDB, the lock of a missing row locks the gap between its neighbors. If two requests lock the
    /// same gap, neither can add its row.
    private func hasUniqueKey(_ relation: Relation, _ table: Resource) -> Bool {
        let names = (relation.joins.first?.columns ?? []).map(\.to) + relation.columns.map(\.from)
        let columns = Set(names.map { $0.lowercased() })
        return planner.catalogue.constraints[table.table].unique.contains { key in
            columns.isSuperset(of: key.columns.map { $0.lowercased() })
        }
    }
}
