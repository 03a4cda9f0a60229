/// Rejects directives that reference themselves, directly or through types and directives (specification, section
/// 3.13).
extension SchemaValidation {
    mutating func validateDirectiveCycles() {
        var uses = DirectiveUses(schema: schema)
        for directive in schema.directives where uses.reaches(directive) {
            report(
                "Directive @\(directive.name) cannot reference itself, directly or through the types and directives "
                    + "that its arguments use.", at: [directive.definition?.location(\.range)])
        }
    }
}

/// Finds the elements that a directive uses: the directives on its arguments, and the types of its arguments.
private struct DirectiveUses {
    private enum Element: Hashable {
        case directive(String)
        case type(String)
    }

    /// The remaining number of steps, after which the search ends without a result. A realistic schema needs far fewer
    /// steps.
    private var budget = 1_000_000
    let schema: Schema
    private var known: [Element: [Element]] = [:]

    init(schema: Schema) { self.schema = schema }

    mutating func reaches(_ directive: SchemaDirective) -> Bool {
        let goal = Element.directive(directive.name)
        var seen: Set<Element> = []
        var next = elements(usedBy: goal)
        while budget > 0, let element = next.popLast() {
            budget -= 1
            if element == goal { return true }
            if seen.insert(element).inserted { next += elements(usedBy: element) }
        }
        return false
    }

    private mutating func elements(usedBy element: Element) -> [Element] {
        if let uses = known[element] { return uses }
        var uses: [Element] = []
        func add(_ directives: NodeList<Directive>) { uses += directives.map { .directive($0.name.value) } }
        func add(_ values: NamedList<SchemaInputValue>) {
            for value in values {
                add(value.definition?.node.directives ?? [])
                uses.append(.type(value.type.typeName.name))
            }
        }
        switch element {
        case .directive(let name):
            if let directive = schema.directive(named: name) { add(directive.arguments) }
        case .type(let name):
            guard let type = schema.type(named: name) else { break }
            for definition in type.definitions { add(definition.node.directives) }
            if case .inputObject(let input) = type { add(input.fields) }
            if case .enum(let type) = type {
                for value in type.values { add(value.definition?.node.directives ?? []) }
            }
        }
        known[element] = uses
        return uses
    }
}
