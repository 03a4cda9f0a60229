import DuetGraphQL
import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// The scalar `Date`. Its input is a string or a number that ``DateEncoding/date(_:)`` can read.
enum DateScalar {
    /// Returns the coercion, which checks that a value is a date and does not convert it.
    ///
    /// A variable may be `817794000000.0`, because JSON has only one kind of number. In a document, this literal is a
    /// float, which is not an integer (specification, §3.5.1).
    static func coercion(_ dates: DateEncoding) -> ScalarCoercion {
        @Sendable func check(_ value: Value, isFloat: Bool = false) throws -> Value {
            guard !isFloat, dates.date(JSONValue(value)) != nil else {
                throw GraphQLError(
                    "Date cannot represent value: \(value); use a date such as \"1995-12-01\", or the number that represents it in responses."
                )
            }
            return value
        }
        return ScalarCoercion(
            parseValue: { try check($0) },
            parseLiteral: { literal, variables in
                let isFloat = if case .float = literal.kind { true } else { false }
                return try check(literal.untypedValue(variables: variables), isFloat: isFloat)
            })
    }
}
