import ArgumentParser
import DuetSQLDatabase
import Employees
import Foundation

/// The database of a command.
struct DatabaseOptions: ParsableArguments {
    static let database = Setting(
        "database",
        "URL of the database. Set a password in the environment, because other users can read the command line",
        valueName: "url", default: "sqlite:.duet/employees.sqlite")

    @Option(Self.database) var database: String?

    /// - Throws: `ValidationError` that does not contain the URL, for its password.
    func url() throws -> DatabaseURL {
        try Self.url(try Self.database.value(database), from: Self.database.source(database))
    }

    /// The URL of an argument; nil without one.
    /// - Throws: `ValidationError` that does not contain the URL, for its password.
    static func url(_ argument: String?) throws -> DatabaseURL? { try argument.map { try url($0, from: "the URL") } }

    /// The URL of a text.
    /// - Parameter source: The option or variable that the text comes from, for errors.
    /// - Throws: `ValidationError` that does not contain the URL, for its password.
    static func url(_ text: String, from source: String) throws -> DatabaseURL {
        do {
            let url = try DatabaseURL(text)
            guard url.location != .sqliteInMemory else {
                throw ValidationError("\(source): a database in memory would be empty; name a file, as in sqlite:PATH")
            }
            return url
        } catch let error as DatabaseError {
            // The name of a file is no URL with a password.
            let hint = isFile(text) ? "; did you mean sqlite:\(text)?" : ""
            throw ValidationError("\(source): \(error.message)\(hint)")
        }
    }

    /// True if this is the path of a file, as it is written without `sqlite:`.
    private static func isFile(_ text: String) -> Bool {
        var isFolder: ObjCBool = false
        return !text.hasPrefix("sqlite:") && FileManager.default.fileExists(atPath: text, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// Runs a job on a database whose schema is up to date, without a statement timeout. Creates a missing SQLite file
    /// and its folder, and removes a file that it has created if the job fails.
    static func withDatabase<Value: Sendable>(
        _ url: DatabaseURL, _ job: (Database) async throws -> Value
    ) async throws -> Value {
        var made: String?
        if case .sqlite(let path) = url.location, !FileManager.default.fileExists(atPath: path) { made = path }
        let database: Database
        do {
            database = try await open(url)
        } catch {
            throw StartFailure.reported(error)
        }
        do {
            let value = try await job(database)
            await database.close()
            return value
        } catch {
            await database.close()
            if let made { removeFile(made) }
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
            try await EmployeeSchema.prepare(database, appliesMigrations: true)
        } catch {
            await database.close()
            throw error
        }
        return database
    }

    /// A file that is there is looked at before it is opened for writing; for one that is not, its folder is made.
    static func prepareFile(_ path: String, createIfMissing: Bool) async throws {
        if FileManager.default.fileExists(atPath: path) {
            try await EmployeeSchema.checkFile(path)
        } else if createIfMissing {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
    }
}
