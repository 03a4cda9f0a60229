/// Evaluates `@skip`, `@include`, `@defer` and `@stream` with the request's variables.
struct PlanConditions: Sendable {
    let variables: ObjectValue
    /// False if `@defer` and `@stream` are ignored. The draft of incremental delivery allows this.
    let deliversIncrementally: Bool
    let source: Source

    /// Returns true if a selection with these directives is executed.
    func includes(_ directives: NodeList<Directive>) throws(GraphQLError) -> Bool {
        guard !directives.isEmpty else { return true }
        for directive in directives where directive.name.value == "skip" {
            if try bool("if", of: directive) ?? false { return false }
        }
        for directive in directives where directive.name.value == "include" {
            if try !(bool("if", of: directive) ?? true) { return false }
        }
        return true
    }

    /// Returns a new usage if the directives contain `@defer` and its `if` is not false; otherwise `parent`.
    func deferUsage(
        _ directives: NodeList<Directive>, in parent: DeferUsage?, at position: PlanPosition?
    ) throws(GraphQLError) -> DeferUsage? {
        guard let directive = directives.first(where: { $0.name.value == "defer" }),
            try bool("if", of: directive, default: true) ?? true
        else { return parent }
        return DeferUsage(label: label(of: directive), planPosition: position, parent: parent)
    }

    /// Returns the arguments of `@stream`; nil if `@stream` is absent or its `if` is false.
    /// - Throws: An error if the value of `if` is not a Boolean, or if `initialCount` is negative.
    func streamUsage(_ directives: NodeList<Directive>) throws(GraphQLError) -> StreamUsage? {
        guard !directives.isEmpty, let directive = directives.first(where: { $0.name.value == "stream" }),
            try bool("if", of: directive, default: true) ?? true
        else { return nil }
        var count = 0
        if let argument = directive.arguments.first(where: { $0.name.value == "initialCount" }) {
            switch argument.value.kind {
            case .int(let digits): count = Int(digits) ?? (digits.hasPrefix("-") ? Int.min : Int.max)
            case .variable(let name): if case .int(let number)? = variables[name.value] { count = Int(number) }
            default: break
            }
        }
        guard count >= 0 else {
            throw GraphQLError(
                "initialCount must be a positive integer", locations: [source.location(of: directive.range)])
        }
        return StreamUsage(initialCount: count, label: label(of: directive))
    }

    private func label(of directive: Directive) -> String? {
        guard case .string(let label, _)? = directive.arguments.first(where: { $0.name.value == "label" })?.value.kind
        else { return nil }
        return label
    }

    private func bool(
        _ name: String, of directive: Directive, default fallback: Bool? = nil
    ) throws(GraphQLError) -> Bool? {
        guard let argument = directive.arguments.first(where: { $0.name.value == name }) else {
            if fallback != nil { return fallback }
            throw GraphQLError(
                "Argument \"\(name)\" of required type \"Boolean!\" was not provided.",
                locations: [source.location(of: directive.range)])
        }
        let location = source.location(of: argument.value.range)
        switch argument.value.kind {
        case .boolean(let value): return value
        case .variable(let variable):
            switch variables[variable.value] {
            case .bool(let value): return value
            case nil:
                if fallback != nil { return fallback }
                throw GraphQLError(
                    "Argument \"\(name)\" of required type \"Boolean!\" was provided the variable \"$\(variable.value)\" which was not provided a runtime value.",
                    locations: [location])
            case .null:
                throw GraphQLError(
                    "Argument \"\(name)\" of non-null type \"Boolean!\" must not be null.", locations: [location])
            default: break
            }
        case .null:
            throw GraphQLError(
                "Argument \"\(name)\" of non-null type \"Boolean!\" must not be null.", locations: [location])
        default: break
        }
        throw GraphQLError(
            "Argument \"\(name)\" has invalid value \(Printer.print(argument.value)).", locations: [location])
    }
}

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
