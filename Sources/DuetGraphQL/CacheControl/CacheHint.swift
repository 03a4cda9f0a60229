/// The cache restriction of a field or a type in a schema: the arguments of `@cacheControl`. ``CacheControl`` defines
/// its effect.
public struct CacheHint: Sendable, Hashable {
    /// The maximum age in seconds; nil if it is not specified. It is ignored if ``inheritsMaxAge`` is true.
    public var maxAge: Int?
    /// The caches that may store the response; nil if they are not specified.
    public var scope: CacheScope?
    /// True if the age is inherited from the enclosing field. In this case, the default age applies only if the field
    /// is a root field.
    public var inheritsMaxAge: Bool

    /// Creates a hint.
    public init(maxAge: Int? = nil, scope: CacheScope? = nil, inheritsMaxAge: Bool = false) {
        self.maxAge = maxAge
        self.scope = scope
        self.inheritsMaxAge = inheritsMaxAge
    }

    /// The maximum age in seconds; nil if it is not specified or is inherited. The age is limited to the range of
    /// `Int32`, so that it differs from `Int.max`, which means no restriction.
    var specifiedMaxAge: Int? { inheritsMaxAge ? nil : maxAge.map { min($0, Int(Int32.max)) } }

    /// Reads `@cacheControl`. The result is nil if the directives do not contain it.
    init?(_ directives: NodeList<Directive>) {
        guard let directive = directives.first(where: { $0.name.value == "cacheControl" }) else { return nil }
        self.init()
        for argument in directive.arguments {
            switch (argument.name.value, argument.value.kind) {
            case ("maxAge", .int(let digits)):
                maxAge = Int(digits) ?? (digits.hasPrefix("-") ? .min : .max)
            case ("scope", .enum(let name)): scope = CacheScope(rawValue: name)
            case ("inheritMaxAge", .boolean(let value)): inheritsMaxAge = value
            default: break
            }
        }
    }

    /// The directive as written in a document.
    var directive: String {
        var arguments: [String] = []
        if let maxAge { arguments.append("maxAge: \(maxAge)") }
        if let scope { arguments.append("scope: \(scope.rawValue)") }
        if inheritsMaxAge { arguments.append("inheritMaxAge: true") }
        return "@cacheControl" + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
    }
}
