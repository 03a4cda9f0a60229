/// The aggregates of MariaDB. Its own functions are exact, with these exceptions:
///
/// - A number has at most 65 digits. A greater sum is silently replaced by 65 nines if `GROUP BY` stores it in a
///   temporary table. Between two rows of a group, every sum can be stored.
/// - `AVG` and `/` truncate after a multiple of nine digits: the average of 0.00002, 0 and 0 is 0.000006666.
/// - A sum of doubles that is infinite is returned as 0.
package enum MariaDBAggregates {
    static let spellings = AggregateSpellings(
        sum: sum, average: average, countOfTrue: countOfTrue,
        // The other binary collation equates texts that differ in trailing spaces.
        leastText: { "MIN(CONVERT(\($0) USING utf8mb4) COLLATE utf8mb4_nopad_bin)" })

    /// The maximum number of digits of a number.
    private static let maximumDigits = 65
    /// A sum of numbers with at most so many digits is exact: the type of a sum has 22 digits more than that of its
    /// numbers.
    private static let narrowDigits = maximumDigits - 22

    /// Multiplication makes an infinite sum of doubles an error.
    private static let finite = "* 1e0"

    @Sendable
    private static func sum(_ expression: String, _ number: AggregateNumber, _: String) -> String {
        switch number {
        case .integer: "SUM(\(expression))"
        case .double: "(SUM(\(expression)) \(finite))"
        case .decimal(let scale, let precision):
            isNarrow(precision)
                ? "SUM(\(expression))"
                : "(\(wideSum(expression, precision)) + \(limit(expression, limit(expression, scale))))"
        }
    }

    @Sendable
    private static func average(_ expression: String, _ number: AggregateNumber, _: String) -> String {
        let count = "COUNT(\(expression))"
        guard let digits = number.averageScale else { return "(AVG(\(expression)) \(finite))" }
        guard case .decimal(let scale, let precision) = number, !isNarrow(precision) else {
            return "ROUND(SUM(\(expression)) \(longer) / \(count), \(digits))"
        }
        // A quotient with many digits before the decimal point has fewer digits after it. Therefore the remainder is
        // divided separately. It has the sign of the sum, and its type has the maximum number of digits.
        let sum = wideSum(expression, precision)
        let maximum = "LEAST(\(nines(digits)), \(limit(expression, scale)))"
        return "(TRUNCATE(\(sum) / \(count), 0) + ROUND(CAST(MOD(\(sum), \(count)) AS DECIMAL(65, 38))"
            + " / \(count), \(digits)) + \(limit(expression, maximum)))"
    }

    /// Multiplication adds five digits after the decimal point, so that the division computes the digit by which the
    /// quotient is rounded.
    private static let longer = "* 1.00000"

    private static func isNarrow(_ precision: Int?) -> Bool { precision.map { $0 <= narrowDigits } ?? false }

    /// Returns the sum of numbers, each with up to 65 digits.
    private static func wideSum(_ expression: String, _ precision: Int?) -> String {
        guard precision == nil else { return "SUM(\(expression))" }
        // The column can have more digits after the decimal point than the field. They would leave fewer digits for the
        // integer part of the sum.
        return "(SUM(TRUNCATE(\(expression), 0)) + SUM(\(expression) - TRUNCATE(\(expression), 0)))"
    }

    /// Returns an expression that is 0, or an error if a number exceeds a maximum. EXP(710) is not finite.
    ///
    /// The condition is an operand and not one of `IF`, because the server may compute all operands of `IF`.
    private static func limit(_ expression: String, _ maximum: String) -> String {
        "CAST(EXP(710 * IFNULL(MAX(ABS(\(expression))) > \(maximum), 0)) AS DECIMAL(1, 0)) - 1"
    }

    /// Returns the greatest number of which a sum of all rows has at most 65 digits.
    private static func limit(_ expression: String, _ scale: Int) -> String {
        "\(nines(scale)) / NULLIF(COUNT(\(expression)), 0)"
    }

    /// Returns the greatest integer part of a number of 65 digits.
    private static func nines(_ scale: Int) -> String {
        String(repeating: "9", count: max(1, maximumDigits - scale))
    }

    @Sendable
    private static func countOfTrue(_ expression: String, _ field: String) -> String {
        let isTrue = "COUNT(CASE WHEN \(expression) = 1 THEN 1"
        guard !field.isEmpty else {
            return "\(isTrue) WHEN \(expression) <> 0 THEN EXP(710 * (\(expression) NOT IN (0, 1))) END)"
        }
        return "\(isTrue) WHEN \(expression) <> 0 THEN \(failure(expression, field: field)) END)"
    }

    /// Returns an expression that fails with ``DatabaseError/Code/invalidValue`` if it is evaluated: the sum is out of
    /// range. MariaDB has no function that fails, but the message of this error contains the expression, and so the
    /// name of the field.
    /// - Parameter type: The type of the expression, such as `SIGNED`.
    package static func failure(_ expression: String, field: String, as type: String = "SIGNED") -> String {
        // The column prevents that the server computes the constant in advance.
        "CAST(~0 + LENGTH(CONCAT('\(DatabaseError.invalidValueMark)\(field))', \(expression))) AS \(type))"
    }
}
