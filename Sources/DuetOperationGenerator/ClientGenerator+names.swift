import DuetGraphQL

extension ClientGenerator {
    /// A top-level type of the generated file.
    struct Declaration {
        let swiftName: String
        /// A phrase that names the GraphQL definition of the type, for error messages.
        let origin: String
        let finding: ((String) -> DocumentFinding)?
    }

    func declarations() -> [Declaration] {
        let operations = documents.operations.compactMap { source, operation -> Declaration? in
            guard let name = operation.name, let swiftName = operation.swiftName else { return nil }
            return Declaration(swiftName: swiftName, origin: "the \(operation.operation.rawValue) \(name.value)") {
                DocumentFinding($0, at: [source.location(of: name.range)], in: source)
            }
        }
        let fragments = documents.fragmentDefinitions.map { source, fragment in
            Declaration(swiftName: SwiftName.type(fragment.name.value), origin: "the fragment \(fragment.name.value)") {
                DocumentFinding($0, at: [source.location(of: fragment.name.range)], in: source)
            }
        }
        let types = usedInputTypes().map {
            Declaration(swiftName: SwiftName.type($0.name), origin: "the type \($0.name) of the schema", finding: nil)
        }
        let lists = (options.listsFields ? fieldListTypes() : []).map {
            Declaration(
                swiftName: $0.fieldListName, origin: "the fields of the type \($0.name)", finding: nil
            )
        }
        let abstract =
            abstractConditions().isEmpty
            ? [] : [Declaration(swiftName: "AbstractTypes", origin: "the list of interfaces and unions", finding: nil)]
        return types + lists + abstract + fragments + operations
    }

    /// Returns an error for each operation without a name, each subscription, and each Swift name that several
    /// definitions share.
    func checkNames() -> [DocumentFinding] {
        var findings = documents.anonymousOperations(needing: "the generated Swift type requires a name")
        for (source, operation) in documents.operations where operation.operation == .subscription {
            findings.append(
                DocumentFinding(
                    "DuetClient creates subscriptions from queries, so no type is generated for this operation. Write a query, and request its results with live(_:).",
                    at: [source.location(of: operation.range)], in: source))
        }
        var taken = Dictionary(
            SwiftName.referredTypes.map { ($0, "the generated code") }, uniquingKeysWith: { first, _ in first })
        for declaration in declarations() {
            guard let other = taken.updateValue(declaration.origin, forKey: declaration.swiftName) else { continue }
            let message =
                "The Swift type \(declaration.swiftName) of \(declaration.origin) conflicts with \(other). Rename one of them."
            findings.append(
                declaration.finding?(message)
                    ?? DocumentFinding(message, at: [], in: Source([], name: "the schema")))
        }
        return findings
    }

    /// Returns the types of the variables that a fragment uses. The types are part of the fragment's model. Therefore
    /// all operations that use the fragment must declare the variables with equal types.
    func variableTypes(
        inFragment name: String, from source: Source, _ findings: inout [DocumentFinding]
    ) -> [String: String] {
        var types: [String: (type: String, operation: String)] = [:]
        for (_, operation) in documents.operations {
            let document = documents.document(of: operation)
            guard let fragment = document.fragments.first(where: { $0.name.value == name }) else { continue }
            let used = fragment.selectionSet.variables
            for (variable, type) in operation.variableTypes.sorted(by: { $0.key < $1.key })
            where used.contains(variable) {
                let operationName = operation.name?.value ?? ""
                guard let other = types[variable] else {
                    types[variable] = (type, operationName)
                    continue
                }
                guard other.type != type else { continue }
                findings.append(
                    DocumentFinding(
                        "The variable $\(variable) of the fragment \(name) has the type \(other.type) in \(other.operation) and the type \(type) in \(operationName). Declare the same type in both operations.",
                        at: [source.location(of: fragment.name.range)], in: source))
            }
        }
        return types.mapValues(\.type)
    }
}

extension SelectionSet {
    /// The names of the variables in the selection set. Fragment spreads are not followed.
    fileprivate var variables: Set<String> {
        var names: Set<String> = []
        var open = [self]
        func add(_ literal: Literal) {
            switch literal.kind {
            case .variable(let name): names.insert(name.value)
            case .list(let elements): elements.forEach(add)
            case .object(let fields): for field in fields { add(field.value) }
            default: break
            }
        }
        while let set = open.popLast() {
            for selection in set.selections {
                for directive in selection.directives { for argument in directive.arguments { add(argument.value) } }
                switch selection {
                case .field(let field):
                    for argument in field.arguments { add(argument.value) }
                    if let inner = field.selectionSet { open.append(inner) }
                case .inlineFragment(let fragment): open.append(fragment.selectionSet)
                case .fragmentSpread: break
                }
            }
        }
        return names
    }
}
