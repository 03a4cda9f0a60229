/// The condition `column IN (:key)` or `(a, b) IN (:a_b)` of an attached query, and the columns that the query selects
/// first.
///
/// A query must first select the columns that it compares with the key. If it selects a different column first, and the
/// values of this column are also keys, its rows would be attached to the wrong parent rows. This type detects the
/// mistake if the compared and the selected column are names, with or without a table name, quotes and parentheses. The
/// first columns of `*` and `table.*` are names, too: the labels of the result set.
///
/// The type ignores expressions, unions, queries in parentheses, conditions in subqueries and in common table
/// expressions, and parameters that occur several times. If `*` selects from a join whose first table is not clear from
/// the text, the type compares the names of the columns without their tables.
struct KeyCondition {
    /// The columns that are compared with the key; nil for an expression.
    private var compared: [ColumnName?] = []
    /// The columns that are selected first; nil for an expression.
    private var selected: [ColumnName?] = []
    private let tokens: [SQLToken]
    /// The index of the word `SELECT` that begins the query, after its common table expressions.
    private let start: Int

    /// Finds the condition in a query; nil if the query has no such condition, or has it in a form that is not
    /// analyzed.
    /// - Parameters:
    ///   - parameter: The name of the list parameter.
    ///   - labels: The labels of the first columns of the result set, one for each column of the key.
    init?(in sql: String, parameter: String, labels: [String]) {
        tokens = SQLToken.tokens(of: sql)
        guard let start = Self.start(of: tokens) else { return nil }
        self.start = start
        let places = tokens.indices.filter { tokens[$0] == .parameter(parameter) }
        guard !isCompound, places.count == 1, let place = places.first, place >= start + 4,
            tokens[place - 1] == .symbol("("), tokens[place - 2].isWord("IN"), isInOuterQuery(place - 2)
        else { return nil }
        compared = comparedColumns(before: place - 2)
        selected = selectedColumns(labels)
        guard compared.count == labels.count else { return nil }
    }

    /// The compared columns and the columns that are selected first, as SQL for an error message; nil if they do not
    /// differ. If a column is an expression, the result contains only the columns that differ.
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

    /// The pairs of columns that the query compares with `=`, `==`, `<=>` or `IS`, and the columns of subqueries with
    /// their aliases. Aliases in the select list of the query itself are not included, because its conditions cannot
    /// refer to them.
    private var equalities: [(ColumnName, ColumnName)] {
        var depth = 0
        return tokens.indices.compactMap { index in
            if tokens[index] == .symbol("(") { depth += 1 }
            if tokens[index] == .symbol(")") { depth -= 1 }
            // This alias is written without AS.
            if depth > 0, !tokens[index].isWord("SELECT", "DISTINCT", "ALL"), let before = name(endingAt: index),
                let alias = part(index + 1), index + 2 < tokens.count,
                tokens[index + 2] == .symbol(",") || tokens[index + 2].isWord("FROM")
            {
                return (before.name, ColumnName(parts: [alias]))
            }
            let isAlias = depth > 0 && tokens[index].isWord("AS")
            guard isAlias || tokens[index] == .symbol("=") || tokens[index].isWord("IS") else { return nil }
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

    /// Returns the index of the word `SELECT` that begins a query. Common table expressions can precede it, and the
    /// queries in them are in parentheses.
    private static func start(of tokens: [SQLToken]) -> Int? {
        guard tokens.first?.isWord("SELECT", "WITH") == true else { return nil }
        return firstIndex(in: tokens[...]) { $0.isWord("SELECT") }
    }

    /// Returns the index of the first token outside of parentheses that satisfies a condition.
    private static func firstIndex(in tokens: ArraySlice<SQLToken>, where isFound: (SQLToken) -> Bool) -> Int? {
        var depth = 0
        return tokens.firstIndex { token in
            if token == .symbol("(") { depth += 1 }
            if token == .symbol(")") { depth -= 1 }
            return depth == 0 && isFound(token)
        }
    }

    /// True if the query combines several queries.
    private var isCompound: Bool {
        Self.firstIndex(in: tokens[start...]) { $0.isWord("UNION", "EXCEPT", "INTERSECT") } != nil
    }

    /// Returns true if the token at an index is not in a subquery.
    private func isInOuterQuery(_ index: Int) -> Bool {
        var depth = 0
        for index in (0..<index).reversed() {
            if tokens[index] == .symbol(")") { depth += 1 }
            guard tokens[index] == .symbol("(") else { continue }
            if depth > 0 {
                depth -= 1
            } else if beginsSubquery(index) {
                return false
            }
        }
        return true
    }

    /// Returns true if the token at an index is the parenthesis before a subquery.
    private func beginsSubquery(_ index: Int) -> Bool {
        index + 1 < tokens.count && tokens[index] == .symbol("(")
            && tokens[index + 1].isWord("SELECT", "WITH", "VALUES")
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

    private func selectedColumns(_ labels: [String]) -> [ColumnName?] {
        var columns: [ColumnName?] = []
        var index = start + 1
        while index < tokens.count, case .word(let word) = tokens[index], Self.modifiers.contains(word.uppercased()) {
            index += 1
        }
        while columns.count < labels.count {
            let end =
                Self.firstIndex(in: tokens[index...]) { $0 == .symbol(",") || $0.isWord("FROM") } ?? tokens.endIndex
            if end > index, tokens[end - 1] == .symbol("*") {
                return columns + allColumns(index..<end, labels.dropFirst(columns.count))
            }
            columns.append(column(index..<end))
            guard end < tokens.count, tokens[end] == .symbol(",") else { return columns }
            index = end + 1
        }
        return columns
    }

    /// Returns the columns of `*` or `table.*`.
    /// - Parameters:
    ///   - range: The tokens of `*` or `table.*`.
    ///   - labels: The labels of the remaining columns of the key in the result set. The label of a column of `*` is
    ///     its name.
    private func allColumns(_ range: Range<Int>, _ labels: ArraySlice<String>) -> [ColumnName?] {
        let ofOneTable = range.count > 1
        let table =
            ofOneTable ? name(from: range.lowerBound)?.name.parts ?? [] : firstOfJoinedTables(after: range.upperBound)
        // The number of columns in a table is unknown. A column after the first one can belong to the next table. It
        // can also be the next column of the select list, whose label can be an alias.
        let isLast = range.upperBound == tokens.endIndex || tokens[range.upperBound].isWord("FROM")
        return labels.enumerated().map { place, label in
            guard place == 0 || isLast else { return nil }
            return ColumnName(parts: place == 0 || ofOneTable ? table + [label] : [label])
        }
    }

    /// Returns the alias, or the parts of the name, of the table whose columns are the first columns of `*`. The result
    /// is empty if the table is not certain. It is also empty if the query has only one table, because column names
    /// then need no table.
    /// - Parameter index: The index of the token after `*`.
    private func firstOfJoinedTables(after index: Int) -> [String] {
        // On MariaDB, the first columns are the columns that USING and NATURAL merge. They are columns of two tables.
        guard !tokens.contains(where: { $0.isWord("USING", "NATURAL") }),
            let from = Self.firstIndex(in: tokens[index...], where: { $0.isWord("FROM") }),
            // The word FROM can also belong to the operator IS DISTINCT FROM.
            !tokens[from - 1].isWord("DISTINCT")
        else { return [] }
        var table: [String] = []
        var next = from + 1
        if beginsSubquery(next) {
            guard let end = Self.firstIndex(in: tokens[next...], where: { $0 == .symbol(")") }) else { return [] }
            next = end + 1
        } else if let name = name(from: next) {
            (table, next) = (name.name.parts, name.end)
        }
        if next < tokens.count, tokens[next].isWord("AS") { next += 1 }
        // FULL is an alias on MariaDB, and begins a join on SQLite.
        if !isJoin(next), let alias = part(next), alias.uppercased() != "FULL" { (table, next) = ([alias], next + 1) }
        return isJoin(next) ? table : []
    }

    /// Returns true if a join begins at the token at an index. These words cannot be the alias of a table.
    private func isJoin(_ index: Int) -> Bool {
        guard tokens.indices.contains(index) else { return false }
        return tokens[index] == .symbol(",") || tokens[index].isWord("JOIN", "INNER", "CROSS", "LEFT", "RIGHT")
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

    /// Returns true if the tokens are the alias of a column, with or without `AS`, or if the range is empty.
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

        /// True for `rowid` and `_rowid_`, which can refer to SQLite's integer primary key. The result is false for
        /// `oid`, because this name is more often an ordinary column, such as the ID of an order.
        var isRowID: Bool { ["rowid", "_rowid_"].contains(parts.last?.lowercased()) }

        /// Returns true if both names can refer to the same column. The function compares the parts of the names from
        /// the end, ignoring case, as far as both names have parts.
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
