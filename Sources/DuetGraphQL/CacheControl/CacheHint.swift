/// What `@cacheControl` says at one type or field.
struct CacheHint: Sendable, Hashable {
    /// In seconds; nil if it says nothing, or if the age is inherited.
    var maxAge: Int?
    /// Nil if it says nothing.
    var scope: CacheScope?
    /// Whether what is around the field says how long: then no default applies, and `maxAge` is ignored.
    var inheritsMaxAge = false

    /// - Parameter errors: gets what is wrong with the arguments.
    /// - Returns: nil if there is no such directive.
    init?(_ directives: NodeList<Directive>, _ source: Source, _ errors: inout [GraphQLError]) {
        guard let directive = directives.first(where: { $0.name.value == "cacheControl" }) else { return nil }
        for argument in directive.arguments {
            switch (argument.name.value, argument.value.kind) {
            case ("maxAge", .int(let digits)):
                if digits.hasPrefix("-"), Int(digits) != 0 {
                    errors.append(
                        GraphQLError(
                            "The maxAge of @cacheControl must not be negative; it is \(digits).",
                            locations: [source.location(of: argument.value.range)]))
                }
                // As far as Int goes, and far from what says nothing.
                maxAge = min(Int(digits) ?? .max, Int(Int32.max))
            case ("scope", .enum(let name)): scope = CacheScope(rawValue: name)
            case ("inheritMaxAge", .boolean(let value)): inheritsMaxAge = value
            default: break
            }
        }
        if inheritsMaxAge { maxAge = nil }
    }
}
