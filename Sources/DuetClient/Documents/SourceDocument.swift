import DuetGraphQLLanguage
import DuetJSON

/// A GraphQL document with one operation.
struct SourceDocument {
    let operation: OperationDefinition
    let fragments: [String: FragmentDefinition]
    private var document: Document
    /// The name of the Swift type that has the document.
    private let owner: String

    /// - Throws: ``ModelError`` with the code `invalidDocument`.
    init(_ text: String, kind: OperationKind, owner: String) throws(ModelError) {
        let document: Document
        do throws(GraphQLError) {
            document = try Parser.parse(Source(text, name: owner))
        } catch {
            throw ModelError(
                .invalidDocument,
                "The document of \(owner) is invalid at \(error.locations.first?.phrase ?? "its end"): \(error.message)"
            )
        }
        self.document = document
        self.owner = owner
        var operations: [OperationDefinition] = []
        var fragments: [String: FragmentDefinition] = [:]
        for definition in document.definitions {
            switch definition {
            case .operation(let operation): operations.append(operation)
            case .fragment(let fragment):
                let name = fragment.name.value
                guard fragments.updateValue(fragment, forKey: name) == nil else {
                    throw Self.invalid(
                        document, owner, fragment.name.range,
                        "There are two fragments \(name). Rename one of them.")
                }
            default:
                throw Self.invalid(
                    document, owner, definition.range,
                    "This definition belongs to a schema. A document must contain only one operation and its fragments."
                )
            }
        }
        guard let operation = operations.first else {
            throw ModelError(
                .invalidDocument, "The document of \(owner) has no operation. Add a \(kind.rawValue) to it.")
        }
        guard operations.count == 1 else {
            throw Self.invalid(
                document, owner, operations[1].range,
                "This is the second of \(operations.count) operations. Give each operation a separate document and a separate Swift type."
            )
        }
        guard operation.operation.rawValue == kind.rawValue else {
            throw Self.invalid(
                document, owner, operation.range,
                "This is a \(operation.operation.rawValue), but \(owner) is a \(kind.rawValue). \(Self.remedy(operation.operation))"
            )
        }
        self.operation = operation
        self.fragments = fragments
    }

    private static func remedy(_ operation: OperationType) -> String {
        switch operation {
        case .query: "Conform to DocumentQuery."
        case .mutation: "Conform to DocumentMutation."
        case .subscription: "Write a query, and request its results with live(_:). The client creates the subscription."
        }
    }

    /// Returns an error with a location in the document.
    func invalid(_ range: SourceRange, _ message: String) -> ModelError {
        Self.invalid(document, owner, range, message)
    }

    private static func invalid(
        _ document: Document, _ owner: String, _ range: SourceRange, _ message: String
    ) -> ModelError {
        ModelError(
            .invalidDocument,
            "The document of \(owner) is invalid at \(document.source.location(of: range).phrase): \(message)")
    }

    /// Returns the variables that the operation declares.
    func variables() throws(ModelError) -> [VariableDefinition] {
        var definitions: [VariableDefinition] = []
        for definition in operation.variableDefinitions {
            var value: ArgumentValue?
            if let literal = definition.defaultValue { value = try self.value(literal) }
            definitions.append(
                VariableDefinition(
                    definition.variable.name.value, "\(definition.type)", defaultValue: value?.json([:])))
        }
        return definitions
    }

    /// Returns the map of the selected fields.
    func map() throws(ModelError) -> ObjectMap {
        var mapper = DocumentMapper(self)
        return try mapper.map()
    }

    /// Returns the text of the document without ignored tokens, such as comments.
    func canonicalText() throws(ModelError) -> String {
        do throws(GraphQLError) {
            return try Source(Printer.print(document)).strippingIgnoredCharacters()
        } catch {
            throw ModelError(.invalidDocument, "The document of \(owner) cannot be printed: \(error.message)")
        }
    }

    /// Returns a copy of the document with `__typename` in each object except the root. The cache needs the type to
    /// identify objects.
    func addingTypeNames() -> SourceDocument {
        var document = document
        document.definitions = document.definitions.map { definition in
            switch definition {
            case .operation(var operation):
                operation.selectionSet = operation.selectionSet.addingTypeNames(isObject: false)
                return .operation(operation)
            case .fragment(var fragment):
                fragment.selectionSet = fragment.selectionSet.addingTypeNames(isObject: false)
                return .fragment(fragment)
            default: return definition
            }
        }
        return SourceDocument(document, owner: owner, like: self)
    }

    private init(_ document: Document, owner: String, like other: SourceDocument) {
        self.document = document
        self.owner = owner
        operation = document.operations.first ?? other.operation
        fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension SourceLocation {
    /// The location as part of an error message.
    var phrase: String { "line \(line), column \(column)" }
}

extension SelectionSet {
    /// - Parameter isObject: True for the selection set of a field, false for the selection set of a fragment.
    fileprivate func addingTypeNames(isObject: Bool) -> SelectionSet {
        var selections = selections.map { selection -> Selection in
            switch selection {
            case .field(var field):
                field.selectionSet = field.selectionSet?.addingTypeNames(isObject: true)
                return .field(field)
            case .inlineFragment(var fragment):
                fragment.selectionSet = fragment.selectionSet.addingTypeNames(isObject: false)
                return .inlineFragment(fragment)
            case .fragmentSpread: return selection
            }
        }
        let hasTypeName = selections.contains { selection in
            guard case .field(let field) = selection else { return false }
            return field.name.value == "__typename" && field.alias == nil && field.directives.isEmpty
        }
        if isObject, !hasTypeName { selections.insert(.field(Field(name: Name("__typename"))), at: 0) }
        return SelectionSet(selections: NodeList(selections), range: range)
    }
}
