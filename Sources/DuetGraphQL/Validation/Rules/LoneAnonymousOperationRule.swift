extension ValidationRule {
    /// Requires that an anonymous operation is the only operation of a document (specification, section 5.2.3.1).
    public static let loneAnonymousOperation = ValidationRule("LoneAnonymousOperationRule") { visitor, context in
        var count = 0
        for case .operation in context.document.definitions { count += 1 }
        guard count > 1 else { return }
        visitor.enterOperation.append { operation in
            guard operation.name == nil else { return }
            context.report("This anonymous operation must be the only defined operation.", at: operation.range)
        }
    }
}
