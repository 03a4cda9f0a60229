public import DuetSQLDatabase

/// The transaction of a ``Change``. A ``ChangeHook`` must not use it after its function has returned.
public struct ChangeTransaction {
    /// The connection, which is in a write transaction.
    public let connection: Connection
    private let service: ResourceService
    private var planner: Planner { service.planner }

    init(_ connection: Connection, _ service: ResourceService) {
        self.connection = connection
        self.service = service
    }

    /// Performs the statements of a change, without hooks. It ignores the precondition and the representations, and it
    /// does not check that the parent row exists.
    /// - Throws: ``ServiceError`` if the row with the key of the change does not exist or does not match the condition;
    ///   ``ServiceError`` with the code `conflict` if a changed row does not satisfy the condition of its resource;
    ///   `DatabaseError`, with the code `unique-violation` if another row has the same key.
    @discardableResult
    public func perform(_ change: Change) throws -> ChangeOutcome {
        let outcome = try execute(change)
        let resource = try planner.resource(change.resource)
        if change.kind != .delete, !resource.condition.isEverything { try checkCondition(of: resource, outcome) }
        return outcome
    }

    /// Checks that the changed rows satisfy the condition of their resource, so that no caller writes a row that it
    /// cannot read.
    private func checkCondition(of resource: Resource, _ outcome: ChangeOutcome) throws {
        guard outcome.keys.count == outcome.count || outcome.count == 0 else {
            throw CatalogueError(
                "\(resource.name) has a condition, so a change of its rows needs their keys, which this change lacks")
        }
        for key in outcome.keys where try !exists(planner.presence(of: resource, key)) {
            throw ServiceError(.conflict, "the new values are not permitted by the condition of \(resource.name)")
        }
    }

    private func execute(_ change: Change) throws -> ChangeOutcome {
        switch try planner.plan(change) {
        case .insert(let inserts):
            let keys = try inserts.map(insert)
            return ChangeOutcome(keys: keys.filter { !$0.isEmpty }, count: keys.count, isNew: true)
        case .update(let update, let key):
            guard let update else { return ChangeOutcome(keys: [key].compactMap(\.self), count: 0, isNew: false) }
            return try outcome(of: update, of: change, key)
        case .delete(let delete): return try outcome(of: delete, of: change, change.key)
        case .upsert(let upserts):
            let isNew = try upserts.map(upsert)
            return ChangeOutcome(
                keys: upserts.map(\.insert.key).compactMap(\.self), count: isNew.count, isNew: isNew.contains(true))
        }
    }

    /// Checks that a row exists.
    /// - Throws: ``ServiceError`` if it does not exist; `DatabaseError`.
    public func requireRow(of resource: String, _ key: [SQLValue]) throws {
        let resource = try planner.resource(resource)
        guard try exists(planner.presence(of: resource, key)) else { throw ServiceError.missing(resource, key) }
    }

    /// Locks the row with a key until the end of the transaction.
    /// - Returns: False if the row does not exist or does not match the condition.
    func lock(_ resource: Resource, _ key: [SQLValue], where condition: Filter) throws -> Bool {
        try exists(planner.presence(of: resource, key, where: condition, isLocking: true))
    }

    private func query(_ statement: ChangePlan.Statement) throws -> ResultSet {
        connection.sharedArguments = try service.arguments(of: statement.parameters)
        return try connection.query(statement.sql, statement.arguments)
    }

    private func execute(_ statement: ChangePlan.Statement) throws -> Int {
        connection.sharedArguments = try service.arguments(of: statement.parameters)
        return try connection.execute(statement.sql, statement.arguments)
    }

    private func exists(_ statement: ChangePlan.Statement) throws -> Bool {
        let row = try query(statement)
        defer { row.close() }
        return try row.next()
    }

    private func outcome(
        of statement: ChangePlan.Statement, of change: Change, _ key: [SQLValue]?
    ) throws -> ChangeOutcome {
        let count = try execute(statement)
        if let key = change.key, count == 0 {
            let resource = try planner.resource(change.resource)
            // SQLite does not count the changes of a trigger, and only triggers change the rows of a view.
            guard change.kind == .update, try exists(planner.presence(of: resource, key, where: change.condition))
            else {
                throw ServiceError.missing(resource, key)
            }
        }
        return ChangeOutcome(keys: [key].compactMap(\.self), count: count, isNew: false)
    }

    /// Inserts a row.
    /// - Returns: The key; empty if the rows have no key.
    private func insert(_ insert: ChangePlan.Insert) throws -> [SQLValue] {
        let (statement, key) = (insert.statement, insert.key)
        if let key {
            _ = try execute(statement)
            return key
        }
        let row = try query(statement)
        defer { row.close() }
        guard try row.next() else { throw DatabaseError(.failed, "the database did not return the key of a new row") }
        let values = insert.returned.enumerated().map { $1.shown(row.value(at: $0)) }
        // The statement ends, and its constraints are checked, when no row is left.
        while try row.next() {}
        return values
    }

    /// Updates or inserts a row.
    /// - Returns: True if the row was inserted.
    private func upsert(_ upsert: ChangePlan.Upsert) throws -> Bool {
        guard try exists(upsert.presence) else {
            _ = try insert(upsert.insert)
            return true
        }
        // The row is locked, so it still exists.
        if let update = upsert.update { _ = try execute(update) }
        return false
    }
}
