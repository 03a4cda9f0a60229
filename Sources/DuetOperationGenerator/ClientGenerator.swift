package import DuetGraphQL
import DuetJSON
package import DuetPersistedDocuments

/// Generates Swift types for the operations and fragments of a client.
///
/// Equal documents, schemas and settings always result in equal text. For this purpose, declarations are sorted by
/// name, and the text contains no path, date or version.
package struct ClientGenerator {
    /// The generated file and information about it.
    package struct Output: Sendable {
        /// The source text.
        package let source: String
        /// The operations with the documents that the client sends. A server can use the manifest as its list of
        /// allowed documents.
        package let manifest: PersistedQueryManifest
        /// The number of fragments.
        package let fragmentCount: Int
    }

    let schema: Schema
    let documents: DocumentCheck
    let options: GeneratorOptions
    private let types: SwiftTypes
    private let fragments: [String: (source: Source, fragment: FragmentDefinition)]
    private let typeNames: TypeNameInsertion

    /// Creates a generator.
    /// - Parameters:
    ///   - documents: The documents. They must be valid against the schema.
    ///   - schema: The schema. It must be valid.
    package init(_ documents: DocumentCheck, schema: Schema, options: GeneratorOptions = GeneratorOptions()) {
        self.schema = schema
        self.documents = documents
        self.options = options
        types = SwiftTypes(schema: schema, scalars: options.scalars)
        let typeNames = TypeNameInsertion(schema: schema)
        self.typeNames = typeNames
        fragments = Dictionary(
            documents.fragmentDefinitions.map { ($1.name.value, ($0, typeNames.fragment($1))) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Generates the file.
    /// - Throws: ``GenerationFindings`` if documents are valid but have no Swift representation.
    package func generate() throws -> Output {
        var findings = checkNames()
        let globalNames = SwiftName.referredTypes.union(declarations().map(\.swiftName)).union(
            options.scalars.values.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init) })
        let fragmentShapes = fragments.sorted { $0.key < $1.key }.compactMap { name, entry -> GeneratedObject? in
            guard let type = schema.type(named: entry.fragment.typeCondition.value) else { return nil }
            var builder = builder(
                globalNames, variableTypes(inFragment: name, from: entry.source, &findings), entry.source)
            let shape = builder.shape(SwiftName.type(name), [(entry.fragment.selectionSet, [])], on: type)
            findings += builder.findings
            return shape
        }
        var manifest = PersistedQueryManifest()
        var operations: [GeneratedOperation] = []
        for (source, definition) in documents.operations {
            guard let name = definition.name?.value, let root = schema.rootType(for: definition.operation) else {
                continue
            }
            let definition = typeNames.operation(definition)
            var builder = builder(globalNames, definition.variableTypes, source)
            let data = builder.shape("Data", [(definition.selectionSet, [])], on: .object(root), isRoot: true)
            findings += builder.findings
            operations.append(
                GeneratedOperation(
                    name: name, typeName: definition.swiftName ?? name, definition: definition,
                    text: text(of: definition), data: data))
        }
        guard findings.isEmpty else { throw GenerationFindings(findings: findings) }
        operations.sort { $0.typeName < $1.typeName }
        for operation in operations {
            try manifest.add(
                PersistedQueryManifest.Operation(
                    document: operation.text, name: operation.name, type: operation.definition.operation.rawValue),
                from: operation.name)
        }
        return Output(
            source: write(operations, fragmentShapes), manifest: manifest, fragmentCount: fragmentShapes.count)
    }

    /// Returns the text of an operation and its fragments. The fragments follow the operation, sorted by name.
    private func text(of operation: OperationDefinition) -> String {
        var document = documents.document(of: operation)
        document.definitions = document.definitions.map { definition in
            guard case .fragment(let fragment) = definition, let entry = fragments[fragment.name.value] else {
                return definition
            }
            return .fragment(entry.fragment)
        }
        return Printer.print(document)
    }

    private func builder(
        _ globalNames: Set<String>, _ variableTypes: [String: String], _ source: Source
    ) -> ShapeBuilder {
        ShapeBuilder(
            types: types, globalNames: globalNames, fragments: fragments.mapValues(\.fragment),
            variableTypes: variableTypes, source: source)
    }

    // MARK: The file

    private func write(_ operations: [GeneratedOperation], _ fragments: [GeneratedObject]) -> String {
        var writer = CodeWriter(options.accessLevel)
        writer.line("// swift-format-ignore-file")
        writer.line("// swiftlint:disable all")
        writer.line("// Generated by `duet generate`. Change the documents or the schema, and generate it again.")
        writer.line()
        let prefix = options.accessLevel == .internal ? "" : options.accessLevel.rawValue + " "
        for module in Set(options.imports + ["DuetClient"]).sorted() {
            writer.line("\(prefix)import \(module)")
        }
        if let namespace = options.namespace {
            writer.line()
            writer.documentation(nil, else: "The operations of this app and the types that they use.")
            writer.declarationBlock("enum \(namespace)") { writer in writeDeclarations(operations, fragments, &writer) }
        } else {
            writeDeclarations(operations, fragments, &writer)
        }
        if options.listsFields {
            for type in fieldListTypes() {
                writer.line()
                writer.writeFields(type, in: options.namespace, types)
            }
        }
        return writer.text
    }

    private func writeDeclarations(
        _ operations: [GeneratedOperation], _ fragments: [GeneratedObject], _ writer: inout CodeWriter
    ) {
        // In a namespace, the first declaration follows the opening brace without an empty line.
        var isFirst = options.namespace != nil
        func separate() {
            if !isFirst { writer.line() }
            isFirst = false
        }
        for operation in operations {
            separate()
            writer.write(operation, types)
        }
        for fragment in fragments {
            separate()
            writer.write(fragment)
        }
        for type in usedInputTypes() {
            separate()
            switch type {
            case .inputObject(let object): writer.write(object, types)
            case .enum(let type): writer.write(type)
            default: continue
            }
        }
        if options.listsFields {
            for type in fieldListTypes() {
                separate()
                writer.writeFieldList(type)
            }
        }
        let abstract = abstractConditions()
        guard !abstract.isEmpty else { return }
        separate()
        writer.documentation(nil, else: "The interfaces and unions of the documents, for `CachePolicies`.")
        writer.declarationBlock("enum AbstractTypes") { writer in
            writer.documentation(nil, else: "The object types of each interface and union.")
            writer.declaration("static let conditions = TypeConditions(possibleTypes: [")
            writer.indented { writer in
                for type in abstract {
                    let names = schema.possibleTypes(of: type).map { SwiftLiteral.string($0.name) }.sorted()
                    writer.call("\(SwiftLiteral.string(type.name)): [", names, "],")
                }
            }
            writer.line("])")
        }
    }
}

/// Errors in valid documents that have no Swift representation.
package struct GenerationFindings: Error {
    /// The errors with their locations and remedies.
    package let findings: [DocumentFinding]
}

extension OperationDefinition {
    /// The types of the variables, keyed by name. The type of a variable with a default value other than `null` is
    /// converted to a non-null type, because such a variable can be the value of a non-null argument. The conversion is
    /// necessary because the client can also use these types in a document that declares no default values: the
    /// document that requests only the part of a query that the cache lacks.
    var variableTypes: [String: String] {
        Dictionary(
            variableDefinitions.map { definition in
                let type = GraphQLType(definition.type)
                let isNonNull =
                    type.isNonNull
                    || definition.defaultValue.map { if case .null = $0.kind { false } else { true } } ?? false
                return (definition.variable.name.value, type.nullable.description + (isNonNull ? "!" : ""))
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// The name of the Swift type of the operation.
    var swiftName: String? {
        guard let name = name?.value else { return nil }
        let suffix = SwiftName.type(operation.rawValue)
        return SwiftName.type(name) + (name.hasSuffix(suffix) ? "" : suffix)
    }
}

/// The settings of a ``ClientGenerator``.
package struct GeneratorOptions: Sendable {
    /// The access level of the generated declarations.
    package enum AccessLevel: String, Sendable, CaseIterable {
        case `internal`
        case package
        case `public`
    }

    /// The access level of the generated declarations.
    package var accessLevel = AccessLevel.internal
    /// The enumeration that contains all declarations; `nil` for declarations at the top level.
    package var namespace: String?
    /// The Swift types of custom scalars and enumerations, by name. A custom scalar without an entry is a `JSONValue`.
    package var scalars: [String: String] = [:]
    /// The modules that the generated file imports in addition to DuetClient.
    package var imports: [String] = []
    /// True to generate a protocol for each object type and interface of the schema. An extension of the protocol has a
    /// static member for each field.
    package var listsFields = false

    /// Creates the default settings.
    package init() {}
}
