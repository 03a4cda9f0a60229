import ArgumentParser
import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import Foundation

/// `duet introspect`: writes a description of a database.
struct IntrospectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "introspect", abstract: "Describe the tables of a database as an API.",
        discussion: """
            Prints a description in YAML: resources, fields with their types, keys, and relations from foreign keys. \
            Comments mark decisions for you to make. The database is only read. Edit the description, check it with \
            `duet validate`, and serve it with `duet serve --api`.

            SQLite does not enforce the declared types of columns. Therefore the command also reads rows of a SQLite \
            database, and chooses types that fit all of them. The description contains no values of the rows.

              duet introspect sqlite:shop.db --output api.yaml

            The description permits no writes, unless you use --writes. Then it also marks the columns whose values the \
            database sets: generated columns, automatic keys and default values. Views are read-only.

            With --output, the command also writes the JSON Schema of descriptions to \
            \(DescriptionSchema.fileName) in the same folder. The first line of the description refers editors to the \
            schema, so that they offer completion and validation. An existing description is not overwritten.

            Exit status: 0 on success, 64 for invalid options, 69 if the database cannot be used, 73 if a file cannot be written.
            """)

    @Argument(help: "URL of the database, instead of --database.")
    var url: String?
    @Option(
        help: ArgumentHelp("File to write the description to. (default: the standard output)", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var output: String?
    @Option(
        help: ArgumentHelp(
            "Maximum number of rows of each SQLite table to read; of a larger table, rows at ten places. (default: 10000)",
            valueName: "number"))
    var rows: Int?
    @Flag(help: "Read all rows of each SQLite table.")
    var allRows = false
    @Flag(help: "Read no rows, and take the types from the declarations of the columns.")
    var noRows = false
    @Flag(help: "Permit clients to create, change and remove the rows of tables with a key.")
    var writes = false
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard [rows != nil, allRows, noRows].count(where: \.self) <= 1 else {
            throw ValidationError("Use only one of --rows, --all-rows and --no-rows")
        }
        guard rows ?? 1 >= 1 else {
            throw ValidationError("--rows must be a number of rows from 1; to read no rows, use --no-rows")
        }
    }

    func run() async throws {
        let url = try DatabaseOptions.url(url) ?? database.url()
        if let output { try DescriptionFile.checkIsNew(output) }
        let description: IntrospectedDescription
        do {
            let limit = allRows ? .all : rows.map(DatabaseContents.Rows.some) ?? DatabaseContents.defaultRows
            description = try await ForeignDatabase.introspect(url, rows: noRows ? nil : limit, writes: writes)
        } catch {
            throw StartFailure.reported(error)
        }
        guard let output else { return print(description.yaml, terminator: "") }
        try DescriptionFile.write(description.yaml(schema: DescriptionSchema.fileName), to: output)
        let count = description.api.catalogue.resources.count
        print("\(output): \(count == 1 ? "1 resource" : "\(count) resources")")
    }
}
