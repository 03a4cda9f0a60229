extension ValidationRule {
    /// Requires that extended types exist and have the kind of the extension (specification, section 3.4.3).
    public static let possibleTypeExtensions = ValidationRule("PossibleTypeExtensionsRule") { visitor, context in
        var defined: [String: TypeDefinition] = [:]
        for case .type(let type) in context.document.definitions { defined[type.name.value] = type }
        visitor.enterDefinition.append { definition in
            guard case .typeExtension(let type) = definition else { return }
            let name = type.name.value
            let definition = defined[name]
            guard let kind = definition?.kind ?? context.schema.type(named: name)?.kind else {
                let didYouMean = context.didYouMean(
                    name, among: defined.keys.sorted() + context.schema.types.map(\.name))
                context.report(
                    "Cannot extend type \"\(name)\" because it is not defined." + didYouMean, at: type.name.range)
                return
            }
            if kind != type.kind {
                context.report(
                    "Cannot extend non-\(type.kind.words) type \"\(name)\".",
                    at: [definition?.range, type.range].compactMap { $0 })
            }
        }
    }
}

extension TypeKind {
    /// The name of the kind in messages.
    fileprivate var words: String {
        switch self {
        case .scalar: "scalar"
        case .object: "object"
        case .interface: "interface"
        case .union: "union"
        case .enum: "enum"
        case .inputObject: "input object"
        }
    }
}
