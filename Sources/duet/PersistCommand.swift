import ArgumentParser
import DuetEmployees
import DuetGraphQL
import DuetJSON
import DuetOperationGenerator
import DuetPersistedDocuments
import Foundation

/// `duet persist`: writes the operations of a client to a manifest, which the server loads at start.
struct PersistCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "persist",
        abstract: "Write a manifest of the GraphQL operations in documents.",
        discussion: """
            The command first validates the documents like `duet check` and prints errors to the standard error. Then \
            it writes each operation with the fragments that it uses as one document in canonical form: the operation, \
            followed by the fragments in the order of their names. Fragments may be in other files. The id is the \
            SHA-256 hash of that text. Operations are sorted by name, so that equal documents always produce equal \
            manifests. Every operation must have a name.

            Use - instead of a file to read the schema or a document from the standard input.

            Exit status: 0 if the manifest is written, 1 for errors in the documents, 66 if a file cannot be read, 73 \
            if the manifest cannot be written. An existing manifest is replaced completely or not at all.

            Examples:
              duet persist Sources/Queries --output manifest.json
              duet persist Sources/Queries --schema schema.graphql --format operation-ids
            """)

    /// The names of the formats on the command line.
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case apollo
        case operationIDs = "operation-ids"

        var format: PersistedQueryManifest.Format { self == .apollo ? .apollo : .operationIDs }
    }

    @ArgumentParser.Argument(
        help: "Documents: files and folders; - for the standard input.",
        completion: .file(extensions: ["graphql", "gql"]))
    var documents: [String]

    @Option(
        help: ArgumentHelp(
            "Schema in the schema definition language; - for the standard input. (default: the schema of duet serve)",
            valueName: "file"),
        completion: .file(extensions: ["graphql", "gql", "graphqls"]))
    var schema: String?

    @Option(
        help: ArgumentHelp("File to write the manifest to. (default: the standard output)", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var output: String?

    @Option(
        help: "Format of the manifest: Apollo's persisted query manifest, or the operation output of older generators."
    )
    var format = Form.apollo

    func validate() throws {
        try SourceFiles.checkStandardInput(schema: schema, documents)
    }

    func run() throws {
        let (schemaSource, sources) = try SourceFiles.inputs(schema: schema, documents)
        let check = DocumentCheck(sources)
        let findings =
            check.findings(against: schemaSource) + check.anonymousOperations(needing: "a manifest needs one")
        guard findings.isEmpty else {
            let text = findings.map { "\($0)\n" }.joined() + DocumentCheck.summary(findings, in: sources) + "\n"
            FileHandle.standardError.write(Data(text.utf8))
            throw ExitCode(1)
        }
        let manifest = try Self.manifest(check)
        guard !manifest.operations.isEmpty else {
            throw StartFailure.report("there are no operations in \(DocumentCheck.count(sources))", status: 1)
        }
        try write(manifest)
    }

    private static func manifest(_ check: DocumentCheck) throws -> PersistedQueryManifest {
        var manifest = PersistedQueryManifest()
        let named = check.operations.compactMap { source, operation in
            operation.name.map { (name: $0.value, operation: operation, source: source) }
        }
        for (name, operation, source) in named.sorted(by: { $0.name < $1.name }) {
            let text = Printer.print(check.document(of: operation))
            try manifest.add(
                PersistedQueryManifest.Operation(document: text, name: name, type: operation.operation.rawValue),
                from: source.name)
        }
        return manifest
    }

    private func write(_ manifest: PersistedQueryManifest) throws {
        let data = Data(manifest.json(format.format))
        do {
            guard let output else { return try FileHandle.standardOutput.write(contentsOf: data) }
            // The file is replaced atomically, so that a concurrent reader gets either the old or the new manifest.
            try data.write(to: URL(fileURLWithPath: output), options: .atomic)
            let count = manifest.operations.count
            print("\(count == 1 ? "1 operation" : "\(count) operations") in \(output)")
        } catch {
            throw StartFailure.report(
                "\(output ?? "the standard output") cannot be written: \(error.localizedDescription)", status: 73)
        }
    }
}
