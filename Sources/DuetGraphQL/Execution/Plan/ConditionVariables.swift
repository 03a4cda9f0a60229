/// The variables that an operation's plan depends on.
enum ConditionVariables {
    private static let directives: Set<String> = ["skip", "include", "defer", "stream"]

    /// Returns the names of the operation's variables in arguments of `@skip`, `@include`, `@defer` and `@stream`,
    /// anywhere in the document.
    static func names(in document: Document, of operation: OperationDefinition) -> [String] {
        guard !operation.variableDefinitions.isEmpty else { return [] }
        var found: Set<String> = []
        var open: [NodeList<Selection>] = [operation.selectionSet.selections]
        open += document.fragments.map(\.selectionSet.selections)
        while let selections = open.popLast() {
            for selection in selections {
                for directive in selection.directives where directives.contains(directive.name.value) {
                    for argument in directive.arguments {
                        if case .variable(let name) = argument.value.kind { found.insert(name.value) }
                    }
                }
                switch selection {
                case .field(let field): if let set = field.selectionSet { open.append(set.selections) }
                case .inlineFragment(let fragment): open.append(fragment.selectionSet.selections)
                case .fragmentSpread: break
                }
            }
        }
        return operation.variableDefinitions.map(\.variable.name.value).filter(found.contains)
    }
}
