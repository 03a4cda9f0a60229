import DuetSQLDatabase

extension Database {
    /// Runs a closure in a write transaction, which is rolled back at the end if `isRolledBack` is true. The
    /// constraints are checked that a commit would check.
    /// - Returns: The value of the closure.
    /// - Throws: The errors of `write(timeout:deadline:origin:_:)`.
    func write<Value: Sendable>(
        deadline: Deadline, origin: TransactionOrigin, isRolledBack: Bool,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        guard isRolledBack else { return try await write(deadline: deadline, origin: origin, body) }
        do {
            try await write(deadline: deadline, origin: origin) { connection -> Void in
                let value = try body(connection)
                try connection.checkDeferredConstraints()
                throw RolledBack(value: value)
            }
        } catch let rolledBack as RolledBack<Value> {
            return rolledBack.value
        }
        throw DatabaseError(.failed, "a transaction was committed, although its closure threw an error")
    }
}

/// The value of a transaction that is rolled back.
private struct RolledBack<Value: Sendable>: Error {
    let value: Value
}
