import ArgumentParser
import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetSQLDatabase

/// `duet validate`: checks a description, alone or against a database.
struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Check a description of an API, alone or against a database.",
        discussion: """
            Prints each finding with its file, line and column. An error makes requests fail. A warning concerns rows \
            that the database allows but the description does not, or a part of a role that has no effect. A note \
            concerns elements that exist in the database but not in the description, or an index that would serve a sort, \
            a filter or a relation. The database is only read.

            Use - instead of a file to read the description from the standard input.

            Exit status: 0 without errors, 1 with errors, 64 for invalid options, 66 if the file cannot be read, 69 if \
            the database cannot be used.

            Examples:
              duet validate api.yaml
              duet validate api.yaml --database sqlite:shop.db --data
              duet validate --print-schema > \(DescriptionSchema.fileName)
            """)

    @Argument(
        help: "Description of the API in YAML or JSON; - for the standard input.",
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var description: String?
    @OptionGroup var database: OptionalDatabase
    @Flag(
        help:
            "Read all rows as requests do, and report the values and missing rows that make requests fail. This reads the whole database."
    )
    var data = false
    @Flag(help: "Print the findings as JSON.")
    var json = false
    @Flag(help: "Print the JSON Schema of descriptions for editors, and exit.")
    var printSchema = false

    func validate() throws {
        guard !printSchema else { return }
        guard description != nil else { throw ValidationError("Pass a description: duet validate api.yaml") }
        guard try !data || database.url() != nil else { throw ValidationError("--data requires --database") }
    }

    func run() async throws {
        guard let description, !printSchema else { return print(DescriptionSchema.text, terminator: "") }
        let url = try database.url()
        let text: String
        do {
            text = try DescriptionFile.text(description)
        } catch {
            throw StartFailure.reported(error)
        }
        let name = DescriptionFile.name(of: description)
        let api: APIDescription
        do {
            api = try APIDescription(reading: text, file: name)
        } catch let error as DescriptionError {
            return try report(error.schemaFindings, "\(name): ")
        }
        let resources = api.catalogue.resources.count
        let findings = try await findings(of: api, url)
        try report(findings, "\(name): \(resources == 1 ? "1 resource" : "\(resources) resources"), ")
    }

    private func findings(of api: APIDescription, _ url: DatabaseURL?) async throws -> [SchemaFinding] {
        let ofRoles = api.validateRoles()
        guard let url else { return ofRoles }
        let searchesData = data
        do {
            return try await ForeignDatabase.with(url) { database in
                let (schema, contents) = try await ForeignDatabase.inspect(database)
                let indexes = try await database.read(timeout: .none) { connection in
                    try DatabaseIndexes.read(connection, of: schema)
                }
                let findings =
                    api.validate(against: schema, contents: contents) + ofRoles + api.missingIndexes(schema, indexes)
                guard searchesData else { return findings.sortedByPlace }
                let ofData = try await api.validateData(of: database, schema)
                return (findings + ofData).sortedByPlace
            }
        } catch {
            throw StartFailure.reported(error)
        }
    }

    private func report(_ findings: [SchemaFinding], _ subject: String) throws {
        func count(_ severity: SchemaFinding.Severity) -> Int { findings.count { $0.severity == severity } }
        if json {
            let report: JSONValue = [
                "errors": .integer(Int64(count(.error))), "warnings": .integer(Int64(count(.warning))),
                "notes": .integer(Int64(count(.note))), "findings": .array(findings.map(\.json)),
            ]
            print(report.compactText)
        } else {
            for finding in findings.sortedBySeverity { print(finding) }
            let counts = SchemaFinding.Severity.allCases.compactMap { severity -> String? in
                switch (count(severity), severity) {
                case (0, .error): "no errors"
                case (0, _): nil
                case (1, _): "1 \(severity.rawValue)"
                case (let count, _): "\(count) \(severity.rawValue)s"
                }
            }
            print(subject + counts.joined(separator: ", "))
        }
        if count(.error) > 0 { throw ExitCode(1) }
    }
}
