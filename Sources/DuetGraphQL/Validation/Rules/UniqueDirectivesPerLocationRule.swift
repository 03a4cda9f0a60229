extension ValidationRule {
    /// Requires that each directive occurs at most once at a location, unless the directive is repeatable
    /// (specification, section 5.7.3). A type and its extensions are one location. The schema definition and its
    /// extensions are also one location.
    public static let uniqueDirectivesPerLocation = ValidationRule("UniqueDirectivesPerLocationRule") {
        visitor, context in
        let defined = context.document.definitions.definedDirectives { !$0.isRepeatable }
        func isUnique(_ name: String) -> Bool {
            defined?[name] ?? context.schema.directive(named: name).map { !$0.isRepeatable } ?? false
        }
        var seenAtSite: [DirectiveSite: [String: SourceRange]] = [:]
        visitor.enterDirectives.append { site, directives in
            if site == .other, directives.count < 2 { return }
            var seen = seenAtSite.removeValue(forKey: site) ?? [:]
            for directive in directives where isUnique(directive.name.value) {
                if let first = seen[directive.name.value] {
                    context.report(
                        "The directive \"@\(directive.name.value)\" can only be used once at this location.",
                        at: first, directive.range)
                } else {
                    seen[directive.name.value] = directive.range
                }
            }
            if site != .other { seenAtSite[site] = seen }
        }
    }
}
