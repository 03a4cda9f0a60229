import DuetGraphQL
import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// The scalar `Date`. Its input is a string or a number that ``DateEncoding/date(_:)`` can read.
enum DateScalar {
    /// Returns the coercion of `Date`. It checks that a value is a date, but does not convert the value.
    ///
    /// The number `817794000000.0` is valid as a variable, because JSON does not distinguish integers from other
    /// numbers. In a document, this literal is a float, which `Date` rejects as `Int` does (GraphQL specification,
    /// section 3.5.1).
    static func coercion(_ dates: DateEncoding) -> ScalarCoercion {
        @Sendable func check(_ value: Value, isFloat: Bool = false) throws -> Value {
            guard !isFloat, dates.date(JSONValue(value)) != nil else {
                let numbers = dates.isText ? "" : ", or the number that represents it in responses"
                throw GraphQLError(
                    "Date cannot represent value: \(value); use a date such as \"1995-12-01\"\(numbers).")
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
