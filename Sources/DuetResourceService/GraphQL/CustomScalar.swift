import DuetGraphQL
import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// A custom scalar: its name, its description, the URL of its specification, and the coercion of its values.
struct CustomScalar: Sendable {
    let name: String
    private let description: String
    private let url: String?
    private var coercion: @Sendable (DateEncoding) -> ScalarCoercion = { _ in .unchanged }

    /// Returns the type of the schema.
    /// - Parameter dates: The format of dates.
    func type(_ dates: DateEncoding) -> ScalarType {
        ScalarType(name, coercion: coercion(dates), specifiedByURL: url, description: description)
    }

    /// Returns `Date`, and the other custom scalars that are types of a catalogue's fields.
    static func used(by catalogue: Catalogue) -> [CustomScalar] {
        let used = Set(catalogue.resources.flatMap(\.fields).map(\.type.graphQLName)).union(catalogue.aggregateScalars)
        return all.filter { used.contains($0.name) || $0.name == "Date" }
    }

    /// All custom scalars.
    static let all = [
        CustomScalar(
            name: "Date",
            description:
                "A date. Depending on the server's configuration, output is `YYYY-MM-DD`, or the milliseconds from 1970 to the start of the day in the server's time zone. Input can have either format.",
            url: nil, coercion: DateScalar.coercion),
        CustomScalar(
            name: "SafeInt",
            description:
                "A whole number from -9007199254740991 to 9007199254740991, which JavaScript represents exactly.",
            url: "https://www.rfc-editor.org/rfc/rfc8259#section-6"),
        CustomScalar(
            name: "BigInt",
            description:
                "A 64-bit whole number. Output is a string of its digits, unless the description of the API specifies a number. Input is a string or a number.",
            url: "https://www.w3.org/TR/xmlschema11-2/#integer", coercion: { _ in NumberScalar.bigInt }),
        CustomScalar(
            name: "Decimal",
            description:
                "An exact decimal number. Output is a string of its digits, unless the description of the API specifies a number. Input is a string or a whole number. In a document, it can also be a number with a fraction, without an exponent.",
            url: "https://www.w3.org/TR/xmlschema11-2/#decimal", coercion: { _ in NumberScalar.decimal }),
        CustomScalar(
            name: "DateTime",
            description: "A date with a time in UTC: `1995-12-01T12:34:56Z`. Input can have any offset from UTC.",
            url: "https://www.rfc-editor.org/rfc/rfc3339#section-5.6"),
        CustomScalar(
            name: "LocalDateTime",
            description: "A date with a time of day, without a time zone: `1995-12-01T12:34:56`.",
            url: "https://www.w3.org/TR/xmlschema11-2/#dateTime"),
        CustomScalar(
            name: "Time", description: "A time of day or a duration: `12:34:56`, `-01:00:00`.",
            url: "https://mariadb.com/kb/en/time/"),
        CustomScalar(
            name: "Base64", description: "Bytes in base64.", url: "https://www.rfc-editor.org/rfc/rfc4648#section-4"),
        CustomScalar(
            name: "JSON", description: "A JSON value of any type.", url: "https://www.rfc-editor.org/rfc/rfc8259"),
        CustomScalar(name: "UUID", description: "A UUID.", url: "https://www.rfc-editor.org/rfc/rfc9562#section-4"),
        CustomScalar(
            name: "Any",
            description:
                "A value of a column without a type: a number, a string, or bytes in base64.",
            url: "https://www.sqlite.org/datatype3.html"),
    ]
}

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
