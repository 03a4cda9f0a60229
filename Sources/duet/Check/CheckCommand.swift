import ArgumentParser
import DuetGraphQL
import DuetOperationGenerator
import Foundation

/// `duet check`: validates GraphQL documents against a schema.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Validate GraphQL documents against a schema.",
        discussion: """
            Each argument is a file or a folder. For a folder, all .graphql and .gql files in it are read. A fragment \
            and the operations that use it may be in different files. Each error is printed with its file, line and \
            column, and with the source line.

            Use - instead of a file to read the schema or a document from the standard input.

            Exit status: 0 without errors, 1 with errors, 66 if a file cannot be read.

            Examples:
              duet check --schema schema.graphql Sources/Queries
              duet schema | duet check --schema - Sources/Queries
            """)

    @Option(
        help: ArgumentHelp(
            "Schema in the schema definition language; - for the standard input.", valueName: "file"),
        completion: .file(extensions: ["graphql", "gql", "graphqls"]))
    var schema: String

    @ArgumentParser.Argument(
        help: "Documents: files and folders; - for the standard input.",
        completion: .file(extensions: ["graphql", "gql"]))
    var documents: [String]

    func validate() throws {
        try SourceFiles.checkStandardInput(schema: schema, documents)
    }

    func run() throws {
        let (schemaSource, sources) = try SourceFiles.inputs(schema: schema, documents)
        let findings = DocumentCheck(sources).findings(against: schemaSource)
        for finding in findings { print(finding) }
        guard findings.isEmpty else {
            print(DocumentCheck.summary(findings, in: sources))
            throw ExitCode(1)
        }
        print("\(DocumentCheck.count(sources)), no errors")
    }
}
