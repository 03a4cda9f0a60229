import ArgumentParser
import EmployeeService
import Foundation
import SQLDatabase

/// Which database a command works on.
struct DatabaseOptions: ParsableArguments {
    static let standard = "sqlite:.duet/employees.sqlite"

    @Option(
        help: ArgumentHelp(
            "The database. Keep passwords out of the command line, where others can read them: use the environment. "
                + "(environment: DUET_DATABASE; default: \(Self.standard))", valueName: "url"))
    var database: String?

    func url() throws -> DatabaseURL {
        let text = try Environment().value(database, "database", default: Self.standard)
        do {
            return try DatabaseURL(text)
        } catch let error as DatabaseError {
            throw ValidationError(error.message)
        }
    }

    /// Does a job on the database, with its schema up to date; statements may take their time. A missing SQLite file is
    /// made, its folder too, and a file that was made is removed if the job fails.
    func withDatabase<Value: Sendable>(_ job: (Database) async throws -> Value) async throws -> Value {
        let url = try url()
        var made: String?
        if case .sqlite(let path) = url.location, !FileManager.default.fileExists(atPath: path) { made = path }
        let database: Database
        do {
            database = try await Self.open(url)
        } catch {
            throw StartFailure.reported(error)
        }
        do {
            let value = try await job(database)
            await database.close()
            return value
        } catch {
            await database.close()
            if let made { Self.removeFile(made) }
            throw error
        }
    }

    /// Removes a SQLite file with what lies beside it.
    static func removeFile(_ path: String) {
        // What is not there need not be removed.
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    private static func open(_ url: DatabaseURL) async throws -> Database {
        var configuration = DatabaseConfiguration(poolSize: 2)
        configuration.statementTimeout = nil
        if case .sqlite(let path) = url.location {
            try await prepareFile(path, createIfMissing: true)
            configuration.createsMissingFile = true
        }
        let database = Database(url, configuration: configuration)
        do {
            try await Schema.prepare(database, appliesMigrations: true)
        } catch {
            await database.close()
            throw error
        }
        return database
    }

    /// A file that is there is looked at before it is opened for writing; for one that is not, its folder is made.
    static func prepareFile(_ path: String, createIfMissing: Bool) async throws {
        if FileManager.default.fileExists(atPath: path) {
            try await Schema.checkFile(path)
        } else if createIfMissing {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
    }
}
