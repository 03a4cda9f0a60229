/// The spellings of aggregates that have equal results in all databases. Each closure returns an expression. The field
/// is the name in the error for a value that does not have its type.
///
/// The defaults are the SQL standard. A database whose own functions round, overflow or truncate has others.
package struct AggregateSpellings: Sendable {
    /// The sum of the values of an expression.
    package let sum: @Sendable (_ expression: String, _ number: AggregateNumber, _ field: String) -> String
    /// The average of the values of an expression.
    package let average: @Sendable (_ expression: String, _ number: AggregateNumber, _ field: String) -> String
    /// An expression with the order of a sum or an average, or of an argument that is compared with it.
    package let comparable: @Sendable (_ result: String, _ number: AggregateNumber) -> String
    /// The number of values that are true.
    package let countOfTrue: @Sendable (_ expression: String, _ field: String) -> String
    /// The least text, by the bytes of its UTF-8.
    package let leastText: @Sendable (_ expression: String) -> String

    package init(
        sum: @escaping @Sendable (_ expression: String, _ number: AggregateNumber, _ field: String) -> String = {
            x, _, _ in "SUM(\(x))"
        },
        average: @escaping @Sendable (_ expression: String, _ number: AggregateNumber, _ field: String) -> String = {
            x, number, _ in number.averageScale.map { "ROUND(AVG(\(x)), \($0))" } ?? "AVG(\(x))"
        },
        comparable: @escaping @Sendable (_ result: String, _ number: AggregateNumber) -> String = { x, _ in x },
        countOfTrue: @escaping @Sendable (_ expression: String, _ field: String) -> String = { x, _ in
            "COUNT(CASE WHEN \(x) = 1 THEN 1 END)"
        },
        leastText: @escaping @Sendable (_ expression: String) -> String = { "MIN(\($0))" }
    ) {
        self.sum = sum
        self.average = average
        self.comparable = comparable
        self.countOfTrue = countOfTrue
        self.leastText = leastText
    }
}

extension Dialect {
    /// Returns an expression for the exact sum of numbers; NULL without a number. The sum of integers or decimals is an
    /// integer, or a text of its digits. The digits after the decimal point can be fewer than those of the field.
    ///
    /// If a value is not a number of the type, or the sum is not finite, the statement fails with
    /// ``DatabaseError/Code/invalidNumber``.
    /// - Parameter field: The name of the field. A value that is not a number of the type then makes the statement fail
    ///   with ``DatabaseError/Code/invalidValue``.
    package func sum(_ expression: String, _ number: AggregateNumber, field: String = "") -> String {
        aggregates.sum(expression, number, field)
    }

    /// Returns an expression for the average of numbers; NULL without a number. The average of integers or decimals is
    /// a text with ``AggregateNumber/averageScale`` digits after the decimal point, rounded half away from zero.
    ///
    /// The errors are those of ``sum(_:_:field:)``.
    package func average(_ expression: String, _ number: AggregateNumber, field: String = "") -> String {
        aggregates.average(expression, number, field)
    }

    /// Returns an expression whose values have the order of sums or averages. Both operands of a comparison need it:
    /// the sum or average, and the argument, which is a ``SQLValue/decimal(_:)`` or, for floating-point numbers, a
    /// ``SQLValue/double(_:)``.
    package func comparable(_ result: String, _ number: AggregateNumber) -> String {
        aggregates.comparable(result, number)
    }

    /// Returns an expression for the number of values that are true; 0 without such a value. If a value is neither 0
    /// nor 1, the statement fails with ``DatabaseError/Code/invalidNumber``, or with
    /// ``DatabaseError/Code/invalidValue`` if it has the name of the field.
    package func countOfTrue(_ expression: String, field: String = "") -> String {
        aggregates.countOfTrue(expression, field)
    }

    /// Returns an expression for the text that represents a group of texts which the collation equates: the least by
    /// the bytes of its UTF-8.
    /// - Parameter isStoredAsBytes: True for a column of bytes. Its values have no collation.
    package func representative(_ text: String, isStoredAsBytes: Bool = false) -> String {
        isStoredAsBytes ? "MIN(\(text))" : aggregates.leastText(text)
    }
}
