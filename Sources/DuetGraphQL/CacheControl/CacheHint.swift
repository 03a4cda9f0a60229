/// The arguments of `@cacheControl` on a type or field.
struct CacheHint: Sendable, Hashable {
    /// The maximum age in seconds; nil if it is not specified or is inherited.
    var maxAge: Int?
    /// The scope; nil if it is not specified.
    var scope: CacheScope?
    /// True if the age is inherited from the enclosing field. In this case, ``maxAge`` is nil, and the default age
    /// applies only if the field is a root field.
    var inheritsMaxAge = false

    /// Reads `@cacheControl`. The result is nil if the directives do not contain it.
    /// - Parameter errors: Receives the errors in the arguments.
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
                // Limits the age to the range of Int32, so that it differs from `Int.max`, which means no restriction.
                maxAge = min(Int(digits) ?? .max, Int(Int32.max))
            case ("scope", .enum(let name)): scope = CacheScope(rawValue: name)
            case ("inheritMaxAge", .boolean(let value)): inheritsMaxAge = value
            default: break
            }
        }
        if inheritsMaxAge { maxAge = nil }
    }
}
