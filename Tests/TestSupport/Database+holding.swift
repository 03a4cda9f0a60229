import Dispatch
package import DuetSQLDatabase

extension Database {
    /// Keeps a connection of the pool busy, in a transaction, until the closure lets it go or ends.
    /// - Parameter sql: a statement of that transaction, whose locks are held; without one, it is a read.
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
            // However it ends, nobody waits for its beginning any more.
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
        // Once more than needed does no harm.
        held.signal()
        try await holding
    }
}
