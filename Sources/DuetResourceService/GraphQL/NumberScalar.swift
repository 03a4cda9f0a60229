import DuetGraphQL

/// The scalars of numbers that a double does not hold. A literal in a document has all its digits as a text.
enum NumberScalar {
    /// `BigInt`: a literal beyond `Int64` is a text of its digits.
    static let bigInt = ScalarCoercion(parseLiteral: { literal, variables in
        guard case .int(let digits) = literal.kind, Int64(digits) == nil else {
            return literal.untypedValue(variables: variables)
        }
        return .string(digits)
    })

    /// `Decimal`: a literal with a fraction, and one beyond `Int64`, is a text of its digits.
    static let decimal = ScalarCoercion(parseLiteral: { literal, variables in
        switch literal.kind {
        case .float(let digits): .string(digits)
        case .int(let digits) where Int64(digits) == nil: .string(digits)
        default: literal.untypedValue(variables: variables)
        }
    })
}
