import DuetResultSetJSON
import DuetSQLDatabase

/// The translation of filters to SQL conditions. All values are bound as arguments and are never part of the SQL.
extension Planner {
    /// Adds a filter to the conditions of a row source.
    /// - Parameter isCounting: True if the statement counts rows, and therefore reads all of them. Conditions on
    ///   related rows then use `IN` instead of `EXISTS` where possible.
    func restrict(
        _ source: inout RowSource, to filter: Filter, _ scope: inout StatementScope, isCounting: Bool = false
    ) throws {
        if case .all(let filters) = filter {
            for filter in filters { try restrict(&source, to: filter, &scope, isCounting: isCounting) }
        } else {
            source.conditions.append(try condition(filter, &source, &scope, isCounting: isCounting))
        }
    }

    private func condition(
        _ filter: Filter, _ source: inout RowSource, _ scope: inout StatementScope, isCounting: Bool,
        isNegated: Bool = false
    ) throws -> String {
        switch filter {
        case .compare(let name, let comparison, let operands):
            let field = try source.resource.requiredField(name)
            let expression = catalogue.compared(
                try source.expression(of: field, &scope), field, of: source.resource)
            let comparand = try Comparand(operands, comparison, field, of: source.resource, self)
            // The comparison with an empty list would be unknown, and so would be its negation.
            let negatesList = isNegated && comparison == .in && comparand.isParameter
            let guardOfList = negatesList ? "\(comparand.bind(.isNotEmpty, &scope)) = 1 AND " : ""
            if comparand.hasSpellings {
                guard scope.listedValues + comparand.spellings.count <= Self.maximumSpellings else {
                    throw ServiceError(
                        .invalidParameter, "a filter has too many times or UUIDs; use fewer values",
                        parameter: name)
                }
                let condition = compareSpellings(expression, comparison, comparand, &scope)
                return negatesList ? "(\(guardOfList)\(condition))" : condition
            }
            func compare(_ expression: String) -> String {
                let condition = self.compare(expression, comparison, comparand, isNegated: isNegated, &scope)
                return negatesList ? "(\(guardOfList)\(condition))" : condition
            }
            guard let zero = zeroDate(field) else { return compare(expression) }
            if isNegated { return compare("NULLIF(\(expression), \(zero))") }
            let condition = compare(expression)
            return switch comparison {
            case .less, .lessOrEqual, .notEqual: "(\(condition) AND \(expression) > \(zero))"
            // The compared value is never a zero date, and all valid dates are greater than a zero date.
            case .equal, .greater, .greaterOrEqual, .in, .like: condition
            }
        case .isNull(let name, let isNull):
            let field = try source.resource.requiredField(name)
            let expression = try source.expression(of: field, &scope)
            guard let zero = zeroDate(field) else { return expression + (isNull ? " IS NULL" : " IS NOT NULL") }
            if isNegated { return "NULLIF(\(expression), \(zero))" + (isNull ? " IS NULL" : " IS NOT NULL") }
            return isNull ? "(\(expression) IS NULL OR \(expression) = \(zero))" : "\(expression) > \(zero)"
        case .all(let filters):
            let parts = try filters.map {
                try condition($0, &source, &scope, isCounting: isCounting, isNegated: isNegated)
            }
            return parts.isEmpty ? "1 = 1" : "(\(parts.joined(separator: " AND ")))"
        case .any(let filters):
            let parts = try filters.map {
                try condition($0, &source, &scope, isCounting: isCounting, isNegated: isNegated)
            }
            return parts.isEmpty ? "1 = 0" : "(\(parts.joined(separator: " OR ")))"
        case .not(let filter):
            // Inside NOT, a condition with IN would be unknown for NULL, whereas a condition with EXISTS is true or
            // false. Therefore `isCounting` is false, which prevents IN.
            return "NOT (\(try condition(filter, &source, &scope, isCounting: false, isNegated: true)))"
        case .related(let name, let exists, let filter):
            let relation = try source.resource.requiredRelation(name)
            let parentColumns = relation.parentColumns.map {
                catalogue.compared(source.column($0), $0, of: source.table.name)
            }
            var related = try source.related(relation, &scope)
            try restrict(&related, to: filter, &scope, isCounting: isCounting)
            // With IN, the subquery is executed only once; with EXISTS, it is executed for each row. IN is not used for
            // negated conditions, because NOT IN requires a special treatment of NULL. IN is not used for columns with
            // different collations either, because IN and `=` can use different collations.
            if isCounting, exists, related.keys.count == 1, catalogue.equality(of: relation, source.resource) == .bytes
            {
                return "\(parentColumns[0]) IN (\(related.select(related.keys[0], omitsResource: true)))"
            }
            related.conditions.insert(
                contentsOf: zip(related.comparableKeys, parentColumns).map { "\($0) = \($1)" }, at: 0)
            return "\(exists ? "" : "NOT ")EXISTS (\(related.select("1", omitsResource: true)))"
        case .aggregate(let name, let having, let filter):
            return try condition(onAggregatesOf: name, having, filter, &source, &scope)
        }
    }

    /// Returns MariaDB's zero date for a nullable date field, because answers contain null instead of a zero date; nil
    /// for any other field. Outside a negation, a condition compares the column with the zero date, so that the
    /// database can use an index on the column. In a negation, `NULLIF` converts a zero date to NULL. The database then
    /// cannot use an index.
    private func zeroDate(_ field: Field) -> String? {
        guard dialect.hasZeroDates, field.isNullable else { return nil }
        return switch field.type {
        case .date: "'0000-00-00'"
        case .dateTime(_, .sql): "'0000-00-00 00:00:00'"
        default: nil
        }
    }

    /// The maximum number of values in all lists of a statement. Each spelling of a value (see ``StoredSpellings``)
    /// counts as a value. A SQLite statement has at most 32,766 parameters, and the number of parameters of a list is
    /// rounded up to a power of two.
    private static let maximumSpellings = 8_000

    /// Returns a comparison with all spellings of a value or, for `in`, of several values. A comparison by order, such
    /// as `<`, compares any other stored text with the first spelling. The result is correct if all stored texts have
    /// the same number of fraction digits.
    private func compareSpellings(
        _ expression: String, _ comparison: Comparison, _ comparand: Comparand, _ scope: inout StatementScope
    ) -> String {
        func isEqual() -> String { "\(expression) IN (\(comparand.bind(.spellings, &scope)))" }
        func first(_ sign: String) -> String { "\(expression) \(sign) \(comparand.bind(.firstSpelling, &scope))" }
        return switch comparison {
        case .equal, .in, .like: isEqual()
        case .notEqual: "NOT (\(isEqual()))"
        case .less: first("<")
        case .greaterOrEqual: first(">=")
        case .lessOrEqual: "(\(first("<")) OR \(isEqual()))"
        case .greater: "(\(first(">")) AND NOT (\(isEqual())))"
        }
    }

    private func compare(
        _ expression: String, _ comparison: Comparison, _ comparand: Comparand, isNegated: Bool,
        _ scope: inout StatementScope
    ) -> String {
        let narrow = comparand.narrowCollation
        let binary = NarrowCollation.binary
        func single(_ sign: String, _ other: Comparand? = nil) -> String {
            let parameter = (other ?? comparand).bind(.value, &scope)
            guard let narrow else { return "\(expression) \(sign) \(parameter)" }
            if sign == "=", !isNegated { return "\(expression) = \(narrow.converted(parameter))" }
            return narrow.comparison(expression, sign, parameter)
        }
        switch comparison {
        case .equal: return single("=")
        case .notEqual: return single("<>")
        case .less: return single("<")
        case .lessOrEqual: return single("<=")
        case .greater: return single(">")
        case .greaterOrEqual: return single(">=")
        case .in where narrow != nil && comparand.isParameter:
            // The number of values is not known, so a value that the column cannot store is compared by its bytes.
            let others = comparand.bind(.otherList, &scope)
            return "(\(expression) IN (\(comparand.bind(.plainList, &scope)))"
                + " OR CONVERT(\(expression) USING utf8mb4)\(binary) IN (\(others)))"
        case .in where narrow != nil: return "(\(comparand.elements.map { single("=", $0) }.joined(separator: " OR ")))"
        case .in: return "\(expression) IN (\(comparand.bind(.list, &scope)))"
        case .like:
            let field = comparand.field
            let pattern = comparand.bind(.pattern, &scope)
            let matches: String
            switch dialect.patternOperator {
            case .glob:
                let text = field.isStoredAsBytes ? "duet_text(\(expression))" : expression
                matches = "\(text) GLOB \(pattern)"
            case .like:
                // The collation is specified because the collation of most columns ignores case. Bytes have no
                // collation. In UTF-8, a character is never a part of another one, so a match of bytes is a match of
                // characters.
                let collation = field.isStoredAsBytes ? "" : binary
                matches = "\(expression) LIKE \(pattern)\(collation) ESCAPE '|'"
            }
            // The comparison with `=` allows the database to use an index.
            guard let literal = comparand.literal else { return matches }
            return "(\(single("=", literal)) AND \(matches))"
        }
    }
}
