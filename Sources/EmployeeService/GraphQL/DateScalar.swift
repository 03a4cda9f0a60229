import GraphQL
import JSON
import ResultSetJSON
import SQLDatabase

/// The scalar `Date`: what comes in is a text or a number, as ``DateEncoding/date(_:)`` reads them.
enum DateScalar {
    /// Values stay as they were sent; what is no date is refused.
    static func coercion(_ dates: DateEncoding) -> ScalarCoercion {
        ScalarCoercion(
            parseValue: { value in
                guard dates.date(JSONValue(value)) != nil else {
                    throw GraphQLError(
                        "Date cannot represent value: \(value); write it as in \"1995-12-01\", or as the number that answers have for it."
                    )
                }
                return value
            })
    }
}
