import DuetGraphQL

/// The scalars of numbers that a double cannot represent. A literal in a document becomes a string with all its digits.
enum NumberScalar {
    /// `BigInt`: a literal outside the range of `Int64` becomes a string of its digits.
    static let bigInt = ScalarCoercion(parseLiteral: { literal, variables in
        guard case .int(let digits) = literal.kind, Int64(digits) == nil else {
            return literal.untypedValue(variables: variables)
        }
        return .string(digits)
    })

    /// `Decimal`: a literal with a fraction or outside the range of `Int64` becomes a string of its digits.
    static let decimal = ScalarCoercion(parseLiteral: { literal, variables in
        switch literal.kind {
        case .float(let digits): .string(digits)
        case .int(let digits) where Int64(digits) == nil: .string(digits)
        default: literal.untypedValue(variables: variables)
        }
    })
}
