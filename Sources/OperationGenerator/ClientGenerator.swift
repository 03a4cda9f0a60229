package import ClientDocuments
package import DuetGraphQL
import DuetJSON
package import DuetPersistedDocuments

/// Writes Swift types for the operations and fragments of a client.
///
/// The same documents, schema and settings always give the same text: declarations are in the order of their names, and no path, date or
/// version is part of it.
package struct ClientGenerator {
    /// The generated file, with what else is known of it.
    package struct Output: Sendable {
        /// The source.
        package let source: String
        /// The operations with their documents as they are sent: what a server has to know in advance.
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

    /// A generator.
    /// - Parameters:
    ///   - documents: Valid against the schema.
    ///   - schema: A valid schema.
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

    /// Writes the file.
    /// - Throws: ``GenerationFindings``: documents that are valid, but cannot become Swift types.
    package func generate() throws -> Output {
        var findings = checkNames()
        let globalNames = SwiftName.referredTypes.union(declarations().map(\.swiftName)).union(
            options.scalars.values.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init) })
        let fragmentShapes = fragments.sorted { $0.key < $1.key }.compactMap { name, entry -> ObjectShape? in
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
                    id: operation.hash, document: operation.text, name: operation.name,
                    type: operation.definition.operation.rawValue),
                from: operation.name)
        }
        return Output(
            source: write(operations, fragmentShapes), manifest: manifest, fragmentCount: fragmentShapes.count)
    }

    /// The document of an operation: its own text, then its fragments in the order of their names.
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

    private func write(_ operations: [GeneratedOperation], _ fragments: [ObjectShape]) -> String {
        var writer = CodeWriter(options.accessLevel)
        writer.line("// swift-format-ignore-file")
        writer.line("// swiftlint:disable all")
        writer.line("// Generated by `duet generate`. Change the documents or the schema, and generate it again.")
        writer.line()
        let prefix = options.accessLevel == .internal ? "" : options.accessLevel.rawValue + " "
        for module in Set(options.imports + ["DuetClient", "DuetJSON"]).sorted() {
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
        _ operations: [GeneratedOperation], _ fragments: [ObjectShape], _ writer: inout CodeWriter
    ) {
        // The first declaration of a namespace follows its brace.
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
            writer.documentation(nil, else: "The object types that each of them can be.")
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

/// Documents that cannot become Swift types.
package struct GenerationFindings: Error {
    /// The places and remedies.
    package let findings: [Finding]
}

extension OperationDefinition {
    /// The types of its variables by their names. One with a default value is non-null: it may be where no null can be, and the missing
    /// part of a query, which these types are for, has the value.
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

    /// The name of its Swift type.
    var swiftName: String? {
        guard let name = name?.value else { return nil }
        let suffix = SwiftName.type(operation.rawValue)
        return SwiftName.type(name) + (name.hasSuffix(suffix) ? "" : suffix)
    }
}
