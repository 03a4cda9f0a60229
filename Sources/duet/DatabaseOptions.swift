import ArgumentParser
import DuetEmployees
import DuetSQLDatabase
import Foundation

/// The option `--database` of a command.
struct DatabaseOptions: ParsableArguments {
    static let database = Setting(
        "database",
        "URL of the database. Pass a URL with a password in the environment variable, because other users can read the command line",
        valueName: "url", default: "sqlite:.duet/employees.sqlite")

    @Option(Self.database) var database: String?

    /// - Throws: `ValidationError`. Its message omits the URL, which may contain a password.
    func url() throws -> DatabaseURL {
        try Self.url(try Self.database.value(database), from: Self.database.source(database))
    }

    /// Parses the URL of an argument; nil without an argument.
    /// - Throws: `ValidationError`. Its message omits the URL, which may contain a password.
    static func url(_ argument: String?) throws -> DatabaseURL? { try argument.map { try url($0, from: "the URL") } }

    /// Parses the URL.
    /// - Parameter source: The option or variable that contains the text, for error messages.
    /// - Throws: `ValidationError`. Its message omits the URL, which may contain a password.
    static func url(_ text: String, from source: String) throws -> DatabaseURL {
        do {
            let url = try DatabaseURL(text)
            guard url.location != .sqliteInMemory else {
                throw ValidationError("\(source): an in-memory database would be empty; use a file, as in sqlite:PATH")
            }
            return url
        } catch let error as DatabaseError {
            // The name of a file can be shown, because it is not a URL with a password.
            let hint = isFile(text) ? "; did you mean sqlite:\(text)?" : ""
            throw ValidationError("\(source): \(error.message)\(hint)")
        }
    }

    /// Returns true if the text is the path of a file without `sqlite:`.
    private static func isFile(_ text: String) -> Bool {
        var isFolder: ObjCBool = false
        return !text.hasPrefix("sqlite:") && FileManager.default.fileExists(atPath: text, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// Opens a database without a statement timeout, and runs a job on the database. Before the job, this method
    /// creates a missing SQLite file and its folder, and applies missing schema migrations. If the job fails, the
    /// method removes a file that it has created.
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

    /// Removes a SQLite file and its auxiliary files.
    static func removeFile(_ path: String) {
        // Errors are ignored because the auxiliary files may not exist.
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

    /// Checks an existing file before it is opened for writing, or creates the folder of a missing file.
    static func prepareFile(_ path: String, createIfMissing: Bool) async throws {
        if FileManager.default.fileExists(atPath: path) {
            try await EmployeeSchema.checkFile(path)
        } else if createIfMissing {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
    }
}

/// The option `--database` of a command that does not require a database.
struct OptionalDatabase: ParsableArguments {
    private static let database = Setting<String, String?>(
        "database",
        "URL of the database. Pass a URL with a password in the environment variable, because other users can read the command line",
        valueName: "url", default: nil, defaultText: "no database", requirement: "a URL"
    ) { $0 }

    @Option(Self.database) var database: String?

    /// The URL from the option or the variable; nil if neither is set.
    /// - Throws: `ValidationError`. Its message omits the URL, which may contain a password.
    func url() throws -> DatabaseURL? {
        guard let text = try Self.database.value(database) else { return nil }
        return try DatabaseOptions.url(text, from: Self.database.source(database))
    }
}
