import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport

/// A server, the program `duet`, with a SQLite database other than employees.
struct ForeignServer: Sendable {
    /// The statements that create the database.
    let script: String
    /// The options of `duet serve` in addition to the database and the port.
    var arguments: [String] = []
    /// The contents of a YAML file of tasks. If nil, the server creates the tasks from the API description.
    var tasks: String?
    /// The description of the API. If nil, the program introspects the tables at start.
    var api: String?

    /// Runs the server while the closure runs.
    func run(_ body: (_ origin: String, Database) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await TestDatabase.with(.sqlite, schema: false) { database in
                try await database.write { try $0.executeScript(script) }
                var arguments = ["--database", database.url.description] + arguments
                if let tasks {
                    try Data(tasks.utf8).write(to: folder.appending(path: "tasks.yaml"))
                    arguments += ["--tasks", "tasks.yaml"]
                }
                if let api {
                    try Data(api.utf8).write(to: folder.appending(path: "api.yaml"))
                    arguments += ["--api", "api.yaml"]
                }
                try await Server.with(arguments, in: folder) { server in
                    try await body(server.base, database)
                }
            }
        }
    }
}
