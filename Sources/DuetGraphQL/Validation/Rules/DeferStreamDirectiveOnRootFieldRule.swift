extension ValidationRule {
    /// Requires that root fields of mutations and subscriptions are neither deferred nor streamed: a mutation executes
    /// its root fields serially, and a subscription has one root field (incremental delivery draft, "Defer And Stream
    /// Directives Are Used On Valid Root Field").
    public static let deferStreamDirectiveOnRootField = ValidationRule("DeferStreamDirectiveOnRootFieldRule") {
        visitor, context in
        visitor.enterOperation.append { operation in
            guard operation.operation != .query, let root = context.schema.rootType(for: operation.operation) else {
                return
            }
            let place = "root \(operation.operation.rawValue) type \"\(root.name)\""
            var selections = ReachableSelections(context)
            selections.forEach(in: operation.selectionSet) { selection, walk in
                var isField = false
                if case .field = selection { isField = true }
                let name = isField ? "stream" : "defer"
                if let directive = selection.directives.first(where: { $0.name.value == name }) {
                    context.report(
                        "\(isField ? "Stream" : "Defer") directive cannot be used on \(place).",
                        at: [directive.range] + walk.path)
                }
                return !isField
            }
        }
    }
}
