extension ValidationRule {
    /// Requires that operation names are unique (specification, section 5.2.2.1).
    public static let uniqueOperationNames = ValidationRule("UniqueOperationNamesRule") { visitor, context in
        var known: [String: Name] = [:]
        visitor.enterOperation.append { operation in
            guard let name = operation.name else { return }
            if let first = known[name.value] {
                context.report(
                    "There can be only one operation named \"\(name.value)\".", at: first.range, name.range)
            } else {
                known[name.value] = name
            }
        }
    }
}
