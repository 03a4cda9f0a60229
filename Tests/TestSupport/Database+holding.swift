import Dispatch
package import DuetSQLDatabase

extension Database {
    /// Occupies a connection of the pool, in a transaction, until the closure releases the connection or ends.
    /// - Parameter sql: A statement that the transaction runs. The transaction holds the locks of the statement.
    ///   Without a statement, the transaction is a read.
    package func holdingConnection(
        writing sql: String? = nil, _ body: (_ release: @Sendable () -> Void) async throws -> Void
    ) async throws {
        let held = DispatchSemaphore(value: 0)
        let (beginnings, begins) = AsyncStream<Void>.makeStream()
        async let holding: Void = {
            let hold: @Sendable (Connection) throws -> Void = { connection in
                if let sql { try connection.execute(sql) }
                begins.finish()
                held.wait()
            }
            // The stream ends in every case, so that the loop below does not wait forever.
            defer { begins.finish() }
            if sql == nil { try await read(timeout: .none, hold) } else { try await write(timeout: .none, hold) }
        }()
        for await _ in beginnings {}
        do {
            try await body { held.signal() }
        } catch {
            held.signal()
            throw error
        }
        // An additional signal has no effect.
        held.signal()
        try await holding
    }
}
