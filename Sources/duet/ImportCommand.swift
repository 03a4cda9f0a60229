import ArgumentParser
import EmployeeService
import SQLDatabase

/// `duet import`: loads the original's dumps into an empty database.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Load the dumps of the original employees sample database (test_db) into an empty database.",
        discussion: """
            DIRECTORY holds employees.sql, whose source lines name the load_….dump files, or just these files. They are \
            read as a stream, so the full set needs no more memory than a part of it.

            Everything is written in one transaction. Then each table is read back, and its rows and MD5 sum are \
            compared with test_employees_md5.sql if that lies beside the dumps, or else with the published ones. A \
            malformed file, a row the database refuses, or another sum leaves the database as it was.

            Example:
              git clone https://github.com/datacharmer/test_db
              duet import test_db --database sqlite:employees.sqlite
            """)

    @Argument(help: "The directory with the dumps.", completion: .directory)
    var directory: String

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let importer = try Importer(DumpDirectory(path: directory))
        let progress = ProgressBar()
        let report = try await database.withDatabase { database in
            defer { progress.clear() }
            return try await importer.load(into: database) { step in
                switch step {
                case .reading(let bytes, let total): progress.show("Reading", done: bytes, of: total)
                case .checking(let table): progress.show("Checking \(table.rawValue)")
                }
            }
        }
        print(report)
        print("Imported into \(try database.url()).")
    }
}
