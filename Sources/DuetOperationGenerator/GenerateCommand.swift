package import ArgumentParser
import DuetGraphQL
import DuetPersistedDocuments
import Foundation

/// `duet generate`: generates Swift types for GraphQL documents.
package struct GenerateCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write Swift types for the GraphQL operations and fragments in documents.",
        discussion: """
            The command first validates the documents as duet check does, and prints errors to the standard error. Then \
            it writes one Swift file for DuetClient. The file contains a type for each operation and fragment, with the \
            document and its hash. It also contains the enumerations and input objects that the operations use. Each operation \
            must have a name. A generated enumeration has a case for unknown values. The Swift type of a custom scalar \
            is JSONValue, or the type that --scalar specifies. This type must conform to ScalarDecodable, InputValue, \
            Encodable and Hashable.

            Equal input results in an equal file. If the content of a file would not change, the file is not written. The command \
            prints a warning for each use of a deprecated field, argument or value.

            Use - instead of a file to read the schema or a document from the standard input.

            Exit status: 0 if the file is written or up to date, 1 if the documents have errors or, with --check, if a \
            file is not up to date, 66 if a file cannot be read, 73 if a file cannot be written.

            Examples:
              duet generate --schema schema.graphql queries/ --output Sources/App/API.swift
              duet generate --schema schema.graphql queries/ --scalar Date=EpochDate --namespace API
              duet generate --schema schema.graphql --field-lists --output Sources/App/Fields.swift
            """)

    @Option(
        help: ArgumentHelp(
            "File of the schema in the schema definition language; - for the standard input.", valueName: "file"),
        completion: .file(extensions: ["graphql", "gql", "graphqls"]))
    var schema: String

    @ArgumentParser.Argument(
        help: "Files and folders of the documents; - for the standard input.",
        completion: .file(extensions: ["graphql", "gql"]))
    var documents: [String] = []

    @Option(
        help: ArgumentHelp("File of the Swift types. (default: the standard output)", valueName: "file"),
        completion: .file(extensions: ["swift"]))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "File of a manifest of the operations, for duet serve --persisted-queries.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var manifest: String?

    @Option(
        name: .customLong("scalar"),
        help: ArgumentHelp("Swift type of a scalar or an enumeration. Can be repeated.", valueName: "name=type"))
    var scalars: [String] = []

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp("Module that the file imports. Can be repeated.", valueName: "module"))
    var imports: [String] = []

    @Option(help: ArgumentHelp("Enumeration that contains all types. (default: none)", valueName: "name"))
    var namespace: String?

    @Option(help: "Access level of the types: internal, package or public.")
    var access = GeneratorOptions.AccessLevel.internal

    @Flag(
        help: "Also write a protocol for each type of the schema, with its fields, for hand-written models.")
    var fieldLists = false

    @Flag(help: "Write nothing, and fail if a file is not up to date.")
    var check = false

    package init() {}

    package func validate() throws {
        guard schema != SourceFiles.standardInput || !documents.contains(SourceFiles.standardInput) else {
            throw ValidationError("Only the schema or one document can be the standard input, not both.")
        }
        guard !documents.isEmpty || fieldLists else {
            throw ValidationError("Specify documents, or pass --field-lists.")
        }
        guard !check || output != nil || manifest != nil else {
            throw ValidationError("--check requires the file to compare with: --output FILE.")
        }
        for name in [namespace].compactMap({ $0 }) + imports where !SwiftName.isIdentifier(name) {
            throw ValidationError("\(name) cannot be the name of a Swift enumeration or module.")
        }
        _ = try swiftTypes()
    }

    /// Returns the Swift types that the options specify, by the name of the scalar.
    private func swiftTypes() throws -> [String: String] {
        try scalars.reduce(into: [:]) { types, text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[1].split(separator: ".").allSatisfy({ SwiftName.isIdentifier(String($0)) })
            else { throw ValidationError("--scalar \(text) does not have the form name=type, as in Date=EpochDate.") }
            types[parts[0]] = parts[1]
        }
    }

    package func run() throws {
        let (schemaSource, sources) = try read()
        let schema: Schema
        switch SchemaSource.schema(schemaSource) {
        case .success(let value): schema = value
        case .failure(let errors):
            throw failure(errors.map { DocumentFinding($0, in: schemaSource) }, in: [schemaSource])
        }
        let documents = DocumentCheck(sources)
        let findings = try documents.findings(against: schema) + checkScalars(schema, schemaSource)
        guard findings.isEmpty else { throw failure(findings, in: sources) }
        for warning in documents.deprecations(against: schema) { printError(warning.text(as: "warning")) }
        var options = GeneratorOptions()
        options.accessLevel = access
        options.namespace = namespace
        options.scalars = try swiftTypes()
        options.imports = imports
        options.listsFields = fieldLists
        let result: ClientGenerator.Output
        do {
            result = try ClientGenerator(documents, schema: schema, options: options).generate()
        } catch let error as GenerationFindings {
            throw failure(error.findings, in: sources)
        }
        try write(result)
    }

    private func read() throws -> (schema: Source, documents: [Source]) {
        do {
            return (try SourceFiles.read(schema), try SourceFiles.documents(documents))
        } catch let error as SourceFiles.Unreadable {
            printError("duet: \(error.description)")
            throw ExitCode(66)
        }
    }

    private func checkScalars(_ schema: Schema, _ source: Source) throws -> [DocumentFinding] {
        try swiftTypes().keys.sorted().filter { name in
            switch schema.type(named: name) {
            case .scalar?, .enum?: false
            default: true
            }
        }.map {
            DocumentFinding(
                "The schema has no scalar or enumeration \($0); correct the option --scalar.", at: [], in: source)
        }
    }

    /// Prints errors.
    /// - Returns: The exit code of the command.
    private func failure(_ findings: [DocumentFinding], in sources: [Source]) -> ExitCode {
        for finding in findings { printError("\(finding)") }
        printError(DocumentCheck.summary(findings, in: sources))
        return ExitCode(1)
    }

    private func write(_ result: ClientGenerator.Output) throws {
        let operations = result.manifest.operations.count
        let content =
            "\(operations == 1 ? "1 operation" : "\(operations) operations"), \(result.fragmentCount == 1 ? "1 fragment" : "\(result.fragmentCount) fragments")"
        if let manifest { try write(Data(result.manifest.json(.apollo)), to: manifest, content) }
        guard let output else {
            if manifest == nil { FileHandle.standardOutput.write(Data(result.source.utf8)) }
            return
        }
        try write(Data(result.source.utf8), to: output, content)
    }

    /// Writes a file if its content has changed. With `--check`, reports the change and writes nothing.
    private func write(_ data: Data, to path: String, _ content: String) throws {
        let url = URL(fileURLWithPath: path)
        guard (try? Data(contentsOf: url)) != data else { return print("\(path) is up to date: \(content)") }
        guard !check else {
            printError("duet: \(path) is not up to date; run the command without --check")
            throw ExitCode(1)
        }
        do {
            try data.write(to: url, options: .atomic)
            print("\(path): \(content)")
        } catch {
            printError("duet: \(path) cannot be written: \(error.localizedDescription)")
            throw ExitCode(73)
        }
    }

    private func printError(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

extension GeneratorOptions.AccessLevel: ExpressibleByArgument {}
