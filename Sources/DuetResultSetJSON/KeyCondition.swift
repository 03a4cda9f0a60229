/// The condition `column IN (:key)` or `(a, b) IN (:a_b)` of an attached query, and the columns that the query selects
/// first.
///
/// A query must first select the columns that it compares with the key. If it selects a different column first, and the
/// values of this column are also keys, its rows would be attached to the wrong parent rows. This type detects the
/// mistake if both columns are names, with or without a table name, quotes and parentheses. It ignores expressions,
/// unions, `SELECT *`, conditions in subqueries, and queries that begin with `WITH`.
struct KeyCondition {
    /// The columns that are compared with the key; nil for an expression.
    private var compared: [ColumnName?] = []
    /// The columns that are selected first; nil for an expression.
    private var selected: [ColumnName?] = []
    private let tokens: [SQLToken]

    /// Finds the condition in a query; nil if the query has no such condition, or has it in a form that is not
    /// analyzed.
    /// - Parameters:
    ///   - parameter: The name of the list parameter.
    ///   - count: The number of the key's columns.
    init?(in sql: String, parameter: String, count: Int) {
        tokens = SQLToken.tokens(of: sql)
        let places = tokens.indices.filter { tokens[$0] == .parameter(parameter) }
        guard tokens.first?.isWord("SELECT") == true, !isCompound, places.count == 1, let place = places.first,
            place >= 4, tokens[place - 1] == .symbol("("), tokens[place - 2].isWord("IN"), isInOuterQuery(place - 2)
        else { return nil }
        compared = comparedColumns(before: place - 2)
        selected = selectedColumns(count)
        guard compared.count == count else { return nil }
    }

    /// The compared columns and the columns that are selected first, as SQL for an error message; nil if they do not
    /// differ. If all columns are names, all columns are returned; otherwise only the columns that differ are returned.
    var difference: (compared: String, selected: String)? {
        var different = zip(compared, selected).compactMap { compared, selected -> (ColumnName, ColumnName)? in
            guard let compared, let selected, !compared.isRowID, !selected.isRowID, !isSame(compared, selected)
            else { return nil }
            return (compared, selected)
        }
        guard !different.isEmpty else { return nil }
        let all = zip(compared, selected).compactMap { compared, selected in
            compared.flatMap { compared in selected.map { (compared, $0) } }
        }
        if all.count == compared.count { different = all }
        return (
            different.map(\.0.sql).joined(separator: ", "), different.map(\.1.sql).joined(separator: ", ")
        )
    }

    /// Returns true if both names can refer to the same column, or if a condition of the query requires them to be
    /// equal, such as `ON orders.id = items.orderID`.
    private func isSame(_ left: ColumnName, _ right: ColumnName) -> Bool {
        if left.mayBe(right) { return true }
        let last = (left.parts.last?.lowercased(), right.parts.last?.lowercased())
        if last.0 == last.1, tokens.contains(where: { $0.isWord("USING", "NATURAL") }) { return true }
        // The columns that are equal to the left column, directly or through other columns.
        let pairs = equalities
        var equal = [left]
        var next = 0
        while next < equal.count {
            for (before, after) in pairs {
                for (one, other) in [(before, after), (after, before)]
                where one.mayBe(equal[next]) && !equal.contains(where: { $0.sql == other.sql }) {
                    if other.mayBe(right) { return true }
                    equal.append(other)
                }
            }
            next += 1
        }
        return false
    }

    /// The pairs of columns that the query compares with `=`, `==`, `<=>` or `IS`.
    private var equalities: [(ColumnName, ColumnName)] {
        tokens.indices.compactMap { index in
            guard tokens[index] == .symbol("=") || tokens[index].isWord("IS") else { return nil }
            func isPart(_ index: Int, _ symbols: Character...) -> Bool {
                tokens.indices.contains(index) && symbols.contains { tokens[index] == .symbol($0) }
            }
            let first = isPart(index - 1, "<") ? index - 1 : index
            let last = isPart(index + 1, "=", ">") ? index + 1 : index
            guard let before = name(endingAt: first - 1), let after = name(from: last + 1) else { return nil }
            return (before.name, after.name)
        }
    }

    // MARK: The text

    /// True if the query combines several queries.
    private var isCompound: Bool {
        var depth = 0
        for token in tokens {
            if token == .symbol("(") { depth += 1 }
            if token == .symbol(")") { depth -= 1 }
            if depth == 0, token.isWord("UNION", "EXCEPT", "INTERSECT") { return true }
        }
        return false
    }

    /// Returns true if the token at an index is not in a subquery.
    private func isInOuterQuery(_ index: Int) -> Bool {
        var depth = 0
        for index in (0..<index).reversed() {
            if tokens[index] == .symbol(")") { depth += 1 }
            guard tokens[index] == .symbol("(") else { continue }
            if depth > 0 {
                depth -= 1
            } else if tokens[index + 1].isWord("SELECT", "WITH", "VALUES") {
                return false
            }
        }
        return true
    }

    /// Returns the operand on the left of `IN`: a column, or several columns in parentheses. It is empty for any other
    /// operand.
    private func comparedColumns(before index: Int) -> [ColumnName?] {
        if tokens[index - 1] == .symbol(")") {
            guard let open = tokens[..<(index - 1)].lastIndex(of: .symbol("(")), beginsOperand(open) else { return [] }
            return tokens[(open + 1)..<(index - 1)].split(separator: .symbol(",")).map { part in
                guard let name = name(from: part.startIndex), name.end == part.endIndex else { return nil }
                return name.name
            }
        }
        guard let name = name(endingAt: index - 1), beginsOperand(name.start) else { return [] }
        return [name.name]
    }

    /// Returns true if a condition begins at the token at an index, that is, if no arithmetic or other operator
    /// precedes the token.
    private func beginsOperand(_ index: Int) -> Bool {
        guard index > 0 else { return false }
        return tokens[index - 1] == .symbol("(") || tokens[index - 1].isWord("WHERE", "AND", "OR", "ON")
    }

    private func selectedColumns(_ count: Int) -> [ColumnName?] {
        var columns: [ColumnName?] = []
        var index = 1
        while index < tokens.count, case .word(let word) = tokens[index], Self.modifiers.contains(word.uppercased()) {
            index += 1
        }
        while columns.count < count {
            var depth = 0
            let end =
                tokens[index...].firstIndex { token in
                    if token == .symbol("(") { depth += 1 }
                    if token == .symbol(")") { depth -= 1 }
                    return depth == 0 && (token == .symbol(",") || token.isWord("FROM"))
                } ?? tokens.endIndex
            // The number of columns that * selects is unknown.
            if end > index, tokens[end - 1] == .symbol("*") { return columns }
            columns.append(column(index..<end))
            guard end < tokens.count, tokens[end] == .symbol(",") else { return columns }
            index = end + 1
        }
        return columns
    }

    /// Returns a selected column; nil for an expression. The alias is ignored, because in a condition a column name
    /// takes precedence over an alias, and only SQLite accepts an alias there.
    private func column(_ range: Range<Int>) -> ColumnName? {
        if let first = range.first, tokens[first] == .symbol("("),
            let end = tokens[range].firstIndex(of: .symbol(")")), let name = name(from: first + 1), name.end == end
        {
            return isAlias((end + 1)..<range.upperBound) ? name.name : nil
        }
        guard let name = name(from: range.lowerBound), name.end <= range.upperBound else { return nil }
        return isAlias(name.end..<range.upperBound) ? name.name : nil
    }

    /// Returns true for the alias of a column, with or without `AS`, and for no tokens.
    private func isAlias(_ range: Range<Int>) -> Bool {
        var rest = tokens[range]
        if rest.isEmpty { return true }
        if rest.first?.isWord("AS") == true { rest.removeFirst() }
        return rest.count == 1 && part(rest.startIndex) != nil
    }

    // MARK: Names

    /// The name of a column: `id`, `items.id` or `main.items.id`.
    private struct ColumnName {
        var parts: [String]
        /// The name in the spelling of the query.
        var sql: String { parts.joined(separator: ".") }

        /// True for `rowid`, which can be the same column as SQLite's integer primary key. The name `oid` is not
        /// included: it is more often a column, such as the ID of an order.
        var isRowID: Bool { ["rowid", "_rowid_"].contains(parts.last?.lowercased()) }

        /// Returns true if both names can refer to the same column: the parts that both names have are equal, ignoring
        /// case.
        func mayBe(_ other: ColumnName) -> Bool {
            zip(parts.reversed(), other.parts.reversed()).allSatisfy { $0.lowercased() == $1.lowercased() }
        }
    }

    /// The keywords that can occur between `SELECT` and the first column.
    private static let modifiers: Set<String> = [
        "DISTINCT", "DISTINCTROW", "ALL", "STRAIGHT_JOIN", "HIGH_PRIORITY", "SQL_SMALL_RESULT", "SQL_BIG_RESULT",
        "SQL_BUFFER_RESULT", "SQL_CACHE", "SQL_NO_CACHE", "SQL_CALC_FOUND_ROWS",
    ]

    /// The SQL keywords that would otherwise be parsed as a name.
    private static let keywords: Set<String> = [
        "NULL", "TRUE", "FALSE", "NOT", "CASE", "END", "EXISTS", "BINARY", "INTERVAL", "CURRENT_DATE", "CURRENT_TIME",
        "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP", "FROM", "WHERE", "AS",
    ]

    private func part(_ index: Int) -> String? {
        guard tokens.indices.contains(index) else { return nil }
        return switch tokens[index] {
        case .word(let word): Self.keywords.contains(word.uppercased()) ? nil : word
        case .quotedName(let name): name
        default: nil
        }
    }

    private func name(from start: Int) -> (name: ColumnName, end: Int)? {
        guard var name = part(start).map({ ColumnName(parts: [$0]) }) else { return nil }
        var end = start + 1
        while end + 1 < tokens.count, tokens[end] == .symbol("."), let next = part(end + 1) {
            name.parts.append(next)
            end += 2
        }
        return (name, end)
    }

    private func name(endingAt last: Int) -> (name: ColumnName, start: Int)? {
        guard var name = part(last).map({ ColumnName(parts: [$0]) }) else { return nil }
        var start = last
        while start > 1, tokens[start - 1] == .symbol("."), let previous = part(start - 2) {
            name.parts.insert(previous, at: 0)
            start -= 2
        }
        return (name, start)
    }
}
