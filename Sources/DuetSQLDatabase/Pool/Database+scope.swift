extension Database {
    /// Opens a database, runs a closure, and closes the database, also after an error.
    package static func with<Value>(
        _ url: DatabaseURL, configuration: DatabaseConfiguration = DatabaseConfiguration(poolSize: 1),
        _ body: (Database) async throws -> Value
    ) async throws -> Value {
        let database = Database(url, configuration: configuration)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(database))
        } catch {
            result = .failure(error)
        }
        await database.close()
        return try result.get()
    }
}
