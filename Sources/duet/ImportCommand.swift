import ArgumentParser
import DuetEmployees
import DuetSQLDatabase

/// `duet import`: loads the dumps of the original sample database into an empty database.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Load the dumps of the original employees sample database (test_db) into an empty database.",
        discussion: """
            The directory must contain employees.sql, whose source lines name the load_….dump files, or only the \
            load_….dump files. The import streams the files, so the memory usage does not depend on their size.

            The import writes all rows in one transaction. Then it reads each table and compares the number of rows and \
            the MD5 checksum with test_employees_md5.sql if the directory contains it, otherwise with the published \
            values. The database remains unchanged if a file is malformed, if the database rejects a row, or if a checksum is wrong.

            Example:
              git clone https://github.com/datacharmer/test_db
              duet import test_db --database sqlite:employees.sqlite
            """)

    @Argument(help: "Directory with the dumps.", completion: .directory)
    var directory: String

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let url = try database.url()
        let importer = try Importer(DumpDirectory(path: directory))
        let progress = ProgressBar()
        let report = try await DatabaseOptions.withDatabase(url) { database in
            defer { progress.clear() }
            return try await importer.load(into: database) { step in
                switch step {
                case .reading(let bytes, let total): progress.show("Reading", done: bytes, of: total)
                case .checking(let table): progress.show("Checking \(table.rawValue)")
                }
            }
        }
        print(report)
        print("Imported into \(url).")
    }
}
