extension ValidationRule {
    /// Requires that each variable of an operation is used by the operation or its fragments (specification, section
    /// 5.8.4).
    public static let noUnusedVariables = ValidationRule("NoUnusedVariablesRule") { visitor, context in
        let usages = DocumentUsages.shared(in: &visitor, context: context)
        usages.visitOperation.append { [unowned context] scope in
            for (index, variable) in scope.operation.variables.enumerated() where !scope.uses(variable) {
                let operation = scope.operation.node
                let subject = "Variable \"$\(scope.name(of: variable))\" is never used"
                context.report(
                    operation.name.map { "\(subject) in operation \"\($0.value)\"." } ?? "\(subject).",
                    at: [operation.variableDefinitions[index].range], place: scope.operation.place)
            }
        }
    }
}
