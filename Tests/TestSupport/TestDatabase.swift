import DuetEmployees
package import DuetSQLDatabase
import Foundation
import ProcessTesting

/// A backend for tests. The same tests run on each backend.
package enum TestBackend: String, Sendable, CaseIterable, CustomStringConvertible {
    case sqlite = "SQLite"
    case mariaDB = "MariaDB"

    /// The available backends: always SQLite, and MariaDB if `make test` has started a server.
    package static var available: [TestBackend] {
        mariaDBURL == nil ? [.sqlite] : [.sqlite, .mariaDB]
    }

    /// The server that `make test` starts, with the right to create databases named `duet_…`.
    static var mariaDBURL: String? { ProcessInfo.processInfo.environment["DUET_TEST_MARIADB"] }
    /// The same server, with the account of the administrator.
    static var administratorURL: String? { ProcessInfo.processInfo.environment["DUET_TEST_MARIADB_ADMIN"] }

    package var description: String { rawValue }
}

extension DatabaseConfiguration {
    /// The configuration with long timeouts, which are not exceeded even on a busy machine. They replace only default
    /// values, so that a test of a timeout can set its own.
    package var patient: DatabaseConfiguration {
        let standard = DatabaseConfiguration()
        var patient = self
        if acquireTimeout == standard.acquireTimeout { patient.acquireTimeout = .seconds(300) }
        if connectTimeout == standard.connectTimeout { patient.connectTimeout = .seconds(300) }
        if statementTimeout == standard.statementTimeout { patient.statementTimeout = .seconds(300) }
        return patient
    }
}

/// A separate database for one test, removed after the test.
package enum TestDatabase {
    /// Calls a closure with a new database, and returns its result.
    /// - Parameters:
    ///   - schema: True to create the six tables, without rows.
    ///   - administrator: True for the account of MariaDB's administrator.
    ///   - body: Receives the database, which is closed afterwards.
    package static func with<Value>(
        _ backend: TestBackend, schema: Bool = true, administrator: Bool = false,
        configuration: DatabaseConfiguration? = nil, observer: DatabaseObserver? = nil,
        _ body: (Database) async throws -> Value
    ) async throws -> Value {
        try await withURL(backend, administrator: administrator) { url in
            var configuration = (configuration ?? DatabaseConfiguration(poolSize: 4)).patient
            configuration.createsMissingFile = true
            let database = Database(url, configuration: configuration, observer: observer)
            do {
                if schema { try await EmployeeSchema.prepare(database, appliesMigrations: true) }
                let value = try await body(database)
                await database.close()
                return value
            } catch {
                await database.close()
                throw error
            }
        }
    }

    /// The parent folder is in memory if there is enough space, so that no test waits for a disk. No test depends on
    /// durability after a power failure.
    static let parent: URL = {
        let shared = URL(filePath: "/dev/shm")
        let room = try? FileManager.default.attributesOfFileSystem(forPath: shared.path)[.systemFreeSize] as? Int
        guard FileManager.default.isWritableFile(atPath: shared.path), room ?? 0 > 1 << 30 else {
            return FileManager.default.temporaryDirectory
        }
        return shared
    }()

    /// Calls a closure with the URL of a database without tables (on SQLite: of a file that does not exist yet).
    package static func withURL<Value>(
        _ backend: TestBackend, administrator: Bool = false, _ body: (DatabaseURL) async throws -> Value
    ) async throws -> Value {
        try await TestSlots.with { try await withNewURL(backend, administrator, body) }
    }

    private static func withNewURL<Value>(
        _ backend: TestBackend, _ administrator: Bool, _ body: (DatabaseURL) async throws -> Value
    ) async throws -> Value {
        let name = "duet_" + UUID().uuidString.replacing("-", with: "").lowercased()
        switch backend {
        case .sqlite:
            let folder = Self.parent.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            return try await body(DatabaseURL(location: .sqlite(path: folder.appending(path: "test.sqlite").path)))
        case .mariaDB:
            guard let text = administrator ? TestBackend.administratorURL : TestBackend.mariaDBURL,
                case .mariaDB(var location) = try DatabaseURL(text).location
            else {
                throw DatabaseError(.url, "DUET_TEST_MARIADB names no MariaDB server; run the tests by make test")
            }
            let server = Database(
                DatabaseURL(location: .mariaDB(location)), configuration: DatabaseConfiguration(poolSize: 1))
            try await server.write { try $0.executeScript("CREATE DATABASE \(name)") }
            location.database = name
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(DatabaseURL(location: .mariaDB(location))))
            } catch {
                result = .failure(error)
            }
            try await server.write { try $0.executeScript("DROP DATABASE \(name)") }
            await server.close()
            return try result.get()
        }
    }
}
