public import DuetSQLDatabase

/// The transaction of a ``Change``. A ``ChangeHook`` must not use it after its function has returned.
public struct ChangeTransaction {
    /// The connection, which is in a write transaction.
    public let connection: Connection
    let service: ResourceService
    var planner: Planner { service.planner }
    private let failure = FirstFailure()

    init(_ connection: Connection, _ service: ResourceService) {
        self.connection = connection
        self.service = service
    }

    /// The first error of a transaction. After an error, the database can have rolled back the transaction, or a part
    /// of a change is missing. Therefore each further change fails with the same error.
    private final class FirstFailure {
        private var error: (any Error)?

        func recording<Value>(_ body: () throws -> Value) throws -> Value {
            if let error { throw error }
            do {
                return try body()
            } catch {
                self.error = error
                throw error
            }
        }
    }

    /// Performs the statements of a change, without hooks. It ignores the precondition and the representations, and it
    /// does not check that the parent row exists.
    /// - Throws: ``ServiceError`` if the row with the key of the change does not exist or does not match the condition;
    ///   ``ServiceError`` with the code `conflict` if a changed row does not satisfy the condition of its resource;
    ///   `DatabaseError`, with the code `unique-violation` if another row has the same key. After an error, each
    ///   further call throws the same error.
    @discardableResult
    public func perform(_ change: Change) throws -> ChangeOutcome { try perform(change, checksRows: true) }

    /// Performs the statements of a change.
    /// - Parameter checksRows: False if the caller calls ``checkRows(of:_:_:)`` later.
    func perform(_ change: Change, checksRows: Bool) throws -> ChangeOutcome {
        try failure.recording {
            if change.kind == .replace { return try replace(change) }
            if change.isList { return try insertEach(change) }
            if let keys = change.keys { return try changeRows(keys, change) }
            let resource = try planner.resource(change.resource)
            if change.appliesRules { try checkReferences(of: resource, change) }
            let cascaded = try checkCascades(of: resource, change, keys: change.key.map { [$0] } ?? [])
            let outcome = try execute(change)
            try checkCascadedRows(cascaded, of: resource, change)
            guard change.kind != .delete else { return outcome }
            if change.appliesRules { try checkReferences(of: resource, change, outcome) }
            if checksRows { try checkRows(of: resource, change, outcome) }
            return outcome
        }
    }

    /// Checks that the rows satisfy the conditions of their resource and of the rules after a change.
    func checkRows(of resource: Resource, _ change: Change, _ outcome: ChangeOutcome) throws {
        let check = Self.check(of: resource, change)
        if !resource.condition.isEverything || !check.isEverything {
            try requireRows(of: resource, change, outcome, where: check)
        }
    }

    /// Returns the condition that the rows of a change must satisfy after it, in addition to the condition of their
    /// resource.
    private static func check(of resource: Resource, _ change: Change) -> Filter {
        guard change.appliesRules else { return .everything }
        return (change.kind == .insert ? resource.writes.create?.check : resource.writes.update?.check) ?? .everything
    }

    /// Checks that the changed rows satisfy the condition of their resource and a further condition, so that no caller
    /// writes a row that it cannot read.
    private func requireRows(
        of resource: Resource, _ change: Change, _ outcome: ChangeOutcome, where condition: Filter
    ) throws {
        guard outcome.keys.count == outcome.count || outcome.count == 0 else {
            throw CatalogueError(
                "\(resource.name) has a condition, so a change of its rows needs their keys, which this change lacks")
        }
        for key in outcome.keys where try !exists(planner.presence(of: resource, key, satisfying: condition)) {
            guard change.appliesRules else {
                throw ServiceError(.conflict, "the new values are not permitted by the condition of \(resource.name)")
            }
            throw ServiceError(
                .writeNotPermitted, "the rules for \(resource.name) do not permit the new values; send other values")
        }
    }

    /// Checks that a row may be changed or removed.
    /// - Throws: ``ServiceError`` with the code `write-not-permitted`.
    func checkRules(of resource: Resource, _ change: Change) throws {
        guard change.appliesRules, let key = change.key else { return }
        if change.kind == .replace { return try checkReplacement(of: resource, key) }
        let condition =
            switch change.kind {
            case .update, .upsert: resource.writes.update?.condition
            case .delete: resource.writes.delete?.condition
            case .insert, .replace: nil as Filter?
            }
        guard let condition, !condition.isEverything else { return }
        guard try exists(planner.presence(of: resource, key, satisfying: condition, isLocking: true)) else {
            throw ServiceError.changeNotPermitted(of: resource)
        }
    }

    /// Returns the error for the client, if an error reports that the values or other rows do not permit the change.
    /// Returns any other error unchanged.
    func clientError(_ error: any Error, of change: Change) throws -> any Error {
        guard let error = error as? DatabaseError else { return error }
        if change.appliesRules {
            // The statement had no effect, and the transaction ends with this error.
            return try violationError(error, of: planner.resource(change.resource), change) ?? error
        }
        guard error.code == .uniqueViolation else { return error }
        return ServiceError(.conflict, "another row already has the same key or another unique value")
    }

    /// Performs the statements of a change, without any check of its rows.
    func execute(_ change: Change) throws -> ChangeOutcome {
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
        try failure.recording {
            guard try exists(planner.presence(of: resource, key)) else { throw ServiceError.missing(resource, key) }
        }
    }

    /// Locks the row with a key until the end of the transaction.
    /// - Returns: False if the row does not exist or does not match the condition.
    func lock(_ resource: Resource, _ key: [SQLValue], where condition: Filter) throws -> Bool {
        try exists(planner.presence(of: resource, key, where: condition, isLocking: true))
    }

    func query(_ statement: ChangePlan.Statement) throws -> ResultSet {
        connection.sharedArguments = try service.arguments(of: statement.parameters)
        return try connection.query(statement.sql, statement.arguments)
    }

    private func execute(_ statement: ChangePlan.Statement) throws -> Int {
        connection.sharedArguments = try service.arguments(of: statement.parameters)
        return try connection.execute(statement.sql, statement.arguments)
    }

    func exists(_ statement: ChangePlan.Statement) throws -> Bool {
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
