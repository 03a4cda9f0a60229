extension ValidationRule {
    /// Requires that subscriptions use neither `@defer` nor `@stream`, unless `if` can be false (incremental delivery
    /// draft, "Defer And Stream Directives Are Used On Valid Operations").
    public static let deferStreamDirectiveOnValidOperations = ValidationRule(
        "DeferStreamDirectiveOnValidOperationsRule"
    ) { visitor, context in
        visitor.enterOperation.append { operation in
            guard operation.operation == .subscription else { return }
            var selections = ReachableSelections(context)
            selections.forEach(in: operation.selectionSet) { selection, walk in
                // A selection that can be excluded is not checked.
                guard !selection.directives.contains(where: \.canExclude) else { return false }
                for directive in selection.directives where directive.delivers && !directive.canBeOff {
                    let name = directive.name.value
                    context.report(
                        "\(name == "defer" ? "Defer" : "Stream") directive not supported on subscription operations. "
                            + "Disable `@\(name)` by setting the `if` argument to `false`.",
                        at: [directive.range] + walk.path)
                }
                return true
            }
        }
    }
}

extension Directive {
    private var condition: Literal.Kind? { arguments.first { $0.name.value == "if" }?.value.kind }

    /// True if `if` is false or a variable.
    fileprivate var canBeOff: Bool {
        switch condition {
        case .boolean(let value): !value
        case .variable: true
        default: false
        }
    }

    /// True if the directive is a `@skip` or `@include` that can exclude the selection.
    fileprivate var canExclude: Bool {
        switch (name.value, condition) {
        case ("skip", .boolean(let value)): value
        case ("skip", _): true
        case ("include", .boolean(let value)): !value
        case ("include", .some): true
        default: false
        }
    }
}
