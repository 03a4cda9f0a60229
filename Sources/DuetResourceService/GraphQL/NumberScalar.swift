import DuetGraphQL

/// The scalars for numbers that a 64-bit floating-point number cannot always represent exactly. If necessary, a literal
/// in a document is converted to a string, so that all its digits are preserved.
enum NumberScalar {
    /// The coercion of `BigInt`. A literal outside the range of `Int64` is converted to a string.
    static let bigInt = ScalarCoercion(parseLiteral: { literal, variables in
        guard case .int(let digits) = literal.kind, Int64(digits) == nil else {
            return literal.untypedValue(variables: variables)
        }
        return .string(digits)
    })

    /// The coercion of `Decimal`. A literal with a fraction, or outside the range of `Int64`, is converted to a string.
    static let decimal = ScalarCoercion(parseLiteral: { literal, variables in
        switch literal.kind {
        case .float(let digits): .string(digits)
        case .int(let digits) where Int64(digits) == nil: .string(digits)
        default: literal.untypedValue(variables: variables)
        }
    })
}
