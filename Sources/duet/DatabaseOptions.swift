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

    /// Opens the database for a job on the command line, with its schema up to date; statements may take their time.
    /// - Parameter createIfMissing: whether a SQLite file may be made, its folder too.
    func openDatabase(createIfMissing: Bool) async throws -> Database {
        let url = try url()
        do {
            return try await Self.open(url, createIfMissing: createIfMissing)
        } catch {
            throw StartFailure.reported(error)
        }
    }

    private static func open(_ url: DatabaseURL, createIfMissing: Bool) async throws -> Database {
        var configuration = DatabaseConfiguration(poolSize: 2)
        configuration.statementTimeout = nil
        if case .sqlite(let path) = url.location {
            try await prepareFile(path, createIfMissing: createIfMissing)
            configuration.createsMissingFile = createIfMissing
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
