import ArgumentParser
import DuetSQLDatabase

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
