import DuetSQLDatabase

extension ChangeTransaction {
    /// Locks the row with a key until the end of the transaction, even if the caller does not see it. The statement
    /// reads no other row.
    ///
    /// A transaction of MariaDB reads a snapshot of the database, which begins with the first statement that locks no
    /// row. If a row is locked after that, another transaction can have changed it in the meantime. New servers then
    /// report an error (`innodb_snapshot_isolation`). On old servers, a precondition would be compared with the row of
    /// the snapshot.
    func lockRow(of resource: Resource, _ key: [SQLValue]) throws {
        let lock = planner.dialect.rowLock
        guard !lock.isEmpty else { return }
        var scope = StatementScope()
        var source = try RowSource(resource, planner, &scope, .all)
        source.conditions += source.isSubject
        for (field, value) in zip(resource.keyFields, key) { scope.bind(.value(field.bound(value)), as: field.name) }
        _ = try exists(planner.statement(source.select("1") + lock, scope))
    }
}
