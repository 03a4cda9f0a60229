import ArgumentParser
import Foundation
import GraphQL

/// `duet check`: validates GraphQL documents against a schema, as a client's team does before it ships them.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Validate GraphQL documents against a schema.",
        discussion: """
            A document is a file, or a folder, in which every .graphql and .gql file is one. A fragment may stand in another \
            file than the operations that use it. Each error is printed with its file, line and column, and the line itself.

            In place of the schema or of a document, - is the standard input.

            Ends with 0 if there is no error, with 1 if there is one, and with 66 if a file cannot be read.

            Examples:
              duet check --schema schema.graphql Sources/Queries
              duet schema | duet check --schema - Sources/Queries
            """)

    @Option(
        help: ArgumentHelp(
            "The schema, in the schema definition language; - for the standard input.", valueName: "file"),
        completion: .file(extensions: ["graphql", "gql", "graphqls"]))
    var schema: String

    @ArgumentParser.Argument(
        help: "Files and folders with documents; - for the standard input.",
        completion: .file(extensions: ["graphql", "gql"]))
    var documents: [String]

    func validate() throws {
        guard schema != SourceFiles.standardInput || !documents.contains(SourceFiles.standardInput) else {
            throw ValidationError("The standard input is the schema or a document, not both.")
        }
    }

    func run() throws {
        let sources: [Source]
        let schemaSource: Source
        do {
            schemaSource = try SourceFiles.read(schema)
            sources = try SourceFiles.documents(documents)
        } catch let error as SourceFiles.Unreadable {
            throw StartFailure.report(error.description, status: 66)
        }
        let findings: [Finding]
        switch Self.makeSchema(schemaSource) {
        case .success(let schema): findings = DocumentCheck(sources).findings(against: schema)
        case .failure(let errors): findings = errors.map { Finding($0, in: schemaSource) }
        }
        for finding in findings { print(finding) }
        let files = sources.count == 1 ? "1 document" : "\(sources.count) documents"
        guard findings.isEmpty else {
            print("\(findings.count == 1 ? "1 error" : "\(findings.count) errors") in \(files)")
            throw ExitCode(1)
        }
        print("\(files), no errors")
    }

    private static func makeSchema(_ source: Source) -> Result<Schema, GraphQLErrors> {
        do {
            let schema = try Schema(document: try Parser.parse(source, limits: .schema))
            let errors = schema.validate()
            return errors.isEmpty ? .success(schema) : .failure(GraphQLErrors(errors))
        } catch let error as GraphQLErrors {
            return .failure(error)
        } catch let error as GraphQLError {
            return .failure(GraphQLErrors([error]))
        } catch {
            return .failure(GraphQLErrors([GraphQLError("\(error)")]))
        }
    }
}
