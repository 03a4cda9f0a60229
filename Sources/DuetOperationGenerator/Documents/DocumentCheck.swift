package import DuetGraphQL

/// Validates the documents of a client. A document may use fragments of other documents. It is validated together with
/// these fragments.
package struct DocumentCheck {
    /// A file and its document; the document is `nil` if the file has a syntax error.
    private struct File {
        let source: Source
        let document: Document?
    }

    private let files: [File]
    /// The syntax errors.
    private var unreadable: [DocumentFinding] = []
    /// The fragments by name, with the indexes of their files. If several files define a name, only the first
    /// definition is stored.
    private var fragments: [String: (file: Int, fragment: FragmentDefinition)] = [:]
    /// The names of the fragments that each fragment spreads.
    private var spreads: [String: Set<String>] = [:]

    package init(_ sources: [Source]) {
        var files: [File] = []
        for source in sources {
            do throws(GraphQLError) {
                files.append(File(source: source, document: try Parser.parse(source)))
            } catch {
                unreadable.append(DocumentFinding(error, in: source))
                files.append(File(source: source, document: nil))
            }
        }
        self.files = files
        for (index, file) in files.enumerated() {
            for fragment in file.document?.fragments ?? [] where fragments[fragment.name.value] == nil {
                fragments[fragment.name.value] = (index, fragment)
                spreads[fragment.name.value] = Self.spreads(in: fragment.selectionSet)
            }
        }
    }

    /// Parses the schema, and returns all errors of the documents. If the schema has errors, returns only the errors of
    /// the schema.
    package func findings(against source: Source) -> [DocumentFinding] {
        switch SchemaSource.schema(source) {
        case .success(let schema): findings(against: schema)
        case .failure(let errors): errors.map { DocumentFinding($0, in: source) }
        }
    }

    /// Returns a text with the number of errors and of documents. A command prints this text after the errors.
    package static func summary(_ findings: [DocumentFinding], in sources: [Source]) -> String {
        "\(findings.count == 1 ? "1 error" : "\(findings.count) errors") in \(count(sources))"
    }

    /// Returns a text with the number of documents.
    package static func count(_ sources: [Source]) -> String {
        sources.count == 1 ? "1 document" : "\(sources.count) documents"
    }

    /// Returns all errors: first the syntax errors, then the validation errors, then the errors for names that several
    /// files define. Each group is in the order of the files.
    package func findings(against schema: Schema) -> [DocumentFinding] {
        var findings = unreadable
        let used = usedFragments()
        // A fragment that its own file does not use may be used by the operations of another file.
        let rules = (Validation.specifiedRules + Validation.recommendedRules).filter {
            $0.name != ValidationRule.noUnusedFragments.name
        }
        for (index, file) in files.enumerated() {
            guard let document = file.document else { continue }
            findings += self.findings(in: index, against: schema, rules: rules)
            for fragment in document.fragments where !used.contains(fragment.name.value) {
                findings.append(
                    DocumentFinding(
                        "Fragment \"\(fragment.name.value)\" is never used.",
                        at: [file.source.location(of: fragment.range)], in: file.source))
            }
        }
        findings += duplicates()
        return findings
    }

    /// Returns the uses of deprecated fields, arguments, input fields and enum values, in the order of the files.
    package func deprecations(against schema: Schema) -> [DocumentFinding] {
        files.indices.flatMap { findings(in: $0, against: schema, rules: [.noDeprecatedCustom]) }
    }

    private func findings(in file: Int, against schema: Schema, rules: [ValidationRule]) -> [DocumentFinding] {
        let source = files[file].source
        guard let document = files[file].document else { return [] }
        do throws(GraphQLError) {
            return Validation.validate(try withFragments(document, of: file), against: schema, rules: rules)
                .compactMap { Self.finding($0, in: source) }
        } catch {
            // Together with its fragments, the document exceeds a limit of the parser.
            return [DocumentFinding(error.message, at: [], in: source)]
        }
    }

    /// Returns the document with those fragments that it uses and that other files define. The fragments follow the
    /// text of the document. The locations in the document therefore do not change.
    private func withFragments(_ document: Document, of file: Int) throws(GraphQLError) -> Document {
        let own = Set(document.fragments.map(\.name.value))
        let needed = reachable(
            from: document.operations.map { Self.spreads(in: $0.selectionSet) } + own.compactMap { spreads[$0] }
        ).filter { !own.contains($0) && fragments[$0] != nil }
        guard !needed.isEmpty else { return document }
        var bytes = document.source.bytes + [0x0A]
        for name in needed.sorted() {
            guard let (other, fragment) = fragments[name], other != file else { continue }
            let source = files[other].source.bytes
            bytes += source[Int(fragment.range.start)..<min(source.count, Int(fragment.range.end))] + [0x0A]
        }
        return try Parser.parse(Source(bytes, name: document.source.name), limits: .schema)
    }

    /// Returns a finding for an error in the file itself, or for an error without a location. Returns `nil` for an
    /// error in a fragment of another file: the validation of that file reports the error.
    private static func finding(_ error: GraphQLError, in source: Source) -> DocumentFinding? {
        let end = source.location(at: source.bytes.count)
        let own = error.locations.filter { $0.line < end.line || $0.line == end.line && $0.column <= end.column }
        return own.isEmpty && !error.locations.isEmpty ? nil : DocumentFinding(error.message, at: own, in: source)
    }

    /// Returns the names of the fragments that operations use directly or indirectly.
    private func usedFragments() -> Set<String> {
        reachable(from: files.flatMap { $0.document?.operations ?? [] }.map { Self.spreads(in: $0.selectionSet) })
    }

    /// Returns the given names, and the names of all fragments that these fragments spread directly or indirectly.
    private func reachable(from names: [Set<String>]) -> Set<String> {
        var reachable: Set<String> = []
        var open = names
        while let names = open.popLast() {
            for name in names where reachable.insert(name).inserted { open.append(spreads[name] ?? []) }
        }
        return reachable
    }

    /// The operations in the order of the files, each with its file.
    package var operations: [(source: Source, operation: OperationDefinition)] {
        files.flatMap { file in (file.document?.operations ?? []).map { (file.source, $0) } }
    }

    /// The fragments in the order of the files, each with its file. If several fragments have the same name, only the
    /// first fragment is included.
    package var fragmentDefinitions: [(source: Source, fragment: FragmentDefinition)] {
        fragments.values.sorted { ($0.file, $0.fragment.range.start) < ($1.file, $1.fragment.range.start) }
            .map { (files[$0.file].source, $0.fragment) }
    }

    /// Returns an error for each operation without a name.
    /// - Parameter reason: The reason why a name is required.
    package func anonymousOperations(needing reason: String) -> [DocumentFinding] {
        operations.filter { $0.operation.name == nil }.map { source, operation in
            DocumentFinding(
                "This operation has no name; \(reason), such as: \(operation.operation.rawValue) Name { … }",
                at: [source.location(of: operation.range)], in: source)
        }
    }

    /// Returns a document with one operation. The fragments that the operation uses follow, sorted by name.
    ///
    /// Descriptions are omitted for two reasons. They are intended for the client's developers. Servers that implement
    /// an edition of the specification before September 2025 reject them.
    package func document(of operation: OperationDefinition) -> Document {
        let needed = reachable(from: [Self.spreads(in: operation.selectionSet)]).sorted().compactMap {
            fragments[$0]?.fragment
        }
        var operation = operation
        operation.description = nil
        for index in operation.variableDefinitions.indices { operation.variableDefinitions[index].description = nil }
        return Document(
            definitions: [.operation(operation)]
                + needed.map { fragment in
                    var fragment = fragment
                    fragment.description = nil
                    return .fragment(fragment)
                })
    }

    /// Returns errors for names that several files define. Persisted operations and generated code require unique
    /// names.
    private func duplicates() -> [DocumentFinding] {
        var findings: [DocumentFinding] = []
        var operations: [String: String] = [:]
        for (index, file) in files.enumerated() {
            for operation in file.document?.operations ?? [] {
                guard let name = operation.name else { continue }
                if let other = operations[name.value], other != file.source.name {
                    findings.append(
                        DocumentFinding(
                            "The operation name \"\(name.value)\" is already used by \(other).",
                            at: [file.source.location(of: name.range)], in: file.source))
                } else {
                    operations[name.value] = file.source.name
                }
            }
            for fragment in file.document?.fragments ?? [] {
                guard let (first, _) = fragments[fragment.name.value], first != index else { continue }
                findings.append(
                    DocumentFinding(
                        "The fragment name \"\(fragment.name.value)\" is already used by \(files[first].source.name).",
                        at: [file.source.location(of: fragment.name.range)], in: file.source))
            }
        }
        return findings
    }

    /// Returns the names of the fragments that are spread in a selection set.
    private static func spreads(in selectionSet: SelectionSet) -> Set<String> {
        var names: Set<String> = []
        var open = [selectionSet]
        while let set = open.popLast() {
            for selection in set.selections {
                switch selection {
                case .field(let field): if let inner = field.selectionSet { open.append(inner) }
                case .inlineFragment(let fragment): open.append(fragment.selectionSet)
                case .fragmentSpread(let spread): names.insert(spread.name.value)
                }
            }
        }
        return names
    }
}
