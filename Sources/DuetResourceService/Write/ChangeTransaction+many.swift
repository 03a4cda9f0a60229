import DuetSQLDatabase

/// Changes of several rows: the rows of a list, and all rows that match a filter.
extension ChangeTransaction {
    /// The maximum number of keys in one statement.
    private static let keysPerStatement = 250

    /// Inserts the rows of a list. An error of a row contains its position.
    func insertEach(_ change: Change) throws -> ChangeOutcome {
        var keys: [[SQLValue]] = []
        for (index, row) in change.rows.enumerated() {
            var single = change
            single.rows = [row]
            single.isList = false
            do {
                keys += try perform(single).keys
            } catch {
                let error = try clientError(error, of: single)
                guard let error = error as? ServiceError, error.code.status < 500 else { throw error }
                throw error.located(at: index)
            }
        }
        return ChangeOutcome(keys: keys, count: change.rows.count, isNew: true)
    }

    /// Returns the change with the keys of the rows that match its condition, if it changes all of them. The rows are
    /// locked until the end of the transaction.
    /// - Throws: ``ServiceError`` with the code `too-many-rows` if more rows match than the change permits;
    ///   ``ServiceError`` with the code `write-not-permitted` if the caller must not change one of the rows.
    func selectingRows(of change: Change) throws -> Change {
        guard let maximum = change.maximum else { return change }
        let resource = try planner.resource(change.resource)
        var selected = change
        let keys = try keys(of: resource, where: change.condition, limit: maximum + 1)
        guard keys.count <= maximum else {
            throw ServiceError(
                .tooManyRows,
                "more than \(maximum) rows match the filter, so nothing was changed; narrow the filter, or set max to a greater number, at most \(Change.maximumRows)",
                parameter: "max")
        }
        for key in keys {
            var single = change
            single.key = key
            try checkRules(of: resource, single)
        }
        selected.keys = keys
        return selected
    }

    /// Returns the keys of the rows that match a condition, and locks the rows.
    /// - Throws: ``ServiceError`` if the statement examines too many rows; `DatabaseError`.
    func keys(of resource: Resource, where condition: Filter, limit: Int) throws -> [[SQLValue]] {
        let maximum = Resource.scanLimit(resource.maximumScan, default: service.maximumScan)
        do {
            return try connection.limitingScans(to: maximum) {
                let rows = try query(planner.keys(of: resource, where: condition, limit: limit))
                defer { rows.close() }
                var keys: [[SQLValue]] = []
                while try rows.next() {
                    keys.append(resource.keyFields.enumerated().map { $1.shown(rows.value(at: $0)) })
                }
                return keys
            }
        } catch let error as DatabaseError where error.code == .scanTooLarge {
            let advice = ScanAdvice(planner, resource, order: [], filter: condition)
            throw ServiceError(
                scanOf: resource.name, limit: maximum ?? 0,
                advice: advice.text(error.statement.flatMap { connection.explain($0) }))
        }
    }

    /// Changes or removes the rows with the given keys.
    func changeRows(_ keys: [[SQLValue]], _ change: Change) throws -> ChangeOutcome {
        // Without a row, no value refers to another row.
        guard !keys.isEmpty else { return ChangeOutcome(keys: [], count: 0, isNew: false) }
        let resource = try planner.resource(change.resource)
        if change.appliesRules { try checkReferences(of: resource, change) }
        let cascaded = try checkCascades(of: resource, change, keys: keys)
        for first in stride(from: 0, to: keys.count, by: Self.keysPerStatement) {
            var part = change
            part.keys = Array(keys[first..<min(first + Self.keysPerStatement, keys.count)])
            _ = try execute(part)
        }
        // A row can be removed before its turn, because it refers to another row of the change.
        try checkCascadedRows(cascaded, of: resource, change)
        let outcome = ChangeOutcome(keys: keys, count: keys.count, isNew: false)
        guard change.kind != .delete else { return outcome }
        if change.appliesRules { try checkReferences(of: resource, change, outcome) }
        try checkRows(of: resource, change, outcome)
        return outcome
    }
}
