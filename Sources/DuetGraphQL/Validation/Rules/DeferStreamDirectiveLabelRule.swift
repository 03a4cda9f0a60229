extension ValidationRule {
    /// Requires that each label of `@defer` or `@stream` is a static string and unique in the document (incremental
    /// delivery draft, "Defer And Stream Directive Labels Are Unique").
    public static let deferStreamDirectiveLabel = ValidationRule("DeferStreamDirectiveLabelRule") { visitor, context in
        var known: [String: SourceRange] = [:]
        visitor.enterDirective.append { directive, _ in
            guard directive.delivers, let label = directive.arguments.first(where: { $0.name.value == "label" }) else {
                return
            }
            guard case .string(let value, _) = label.value.kind else {
                context.report(
                    "Directive \"\(directive.name.value)\"'s label argument must be a static string.",
                    at: directive.range)
                return
            }
            if let first = known[value] {
                context.report("Defer/Stream directive label argument must be unique.", at: first, directive.range)
            } else {
                known[value] = directive.range
            }
        }
    }
}

extension Directive {
    /// True if the directive is `@defer` or `@stream`.
    var delivers: Bool { name.value == "defer" || name.value == "stream" }
}
