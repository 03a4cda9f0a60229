extension ValidationRule {
    /// Requires that an operation defines all variables that the operation or its fragments use (specification, section
    /// 5.8.3).
    public static let noUndefinedVariables = ValidationRule("NoUndefinedVariablesRule") { visitor, context in
        let usages = DocumentUsages.shared(in: &visitor, context: context)
        usages.visitOperation.append { [unowned context] scope in
            let operation = scope.operation.node
            scope.forEachUsage { usage in
                guard scope.definitionIndex(of: usage.variable) == nil else { return }
                let subject = "Variable \"$\(scope.name(of: usage.variable))\" is not defined"
                context.report(
                    operation.name.map { "\(subject) by operation \"\($0.value)\"." } ?? "\(subject).",
                    at: [usage.range, operation.range], place: scope.operation.place)
            }
        }
    }
}
