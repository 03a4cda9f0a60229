/// The condition `column IN (:key)` or `(a, b) IN (:a_b)` of an attached query, and the columns that the query selects
/// first.
///
/// A query must first select the columns that it compares with the key. If it selects a different column first, and the
/// values of this column are also keys, its rows would be attached to the wrong parent rows. This type detects the
/// mistake if the compared and the selected column are names, with or without a table name, quotes and parentheses. The
/// first columns of `*` and `table.*` are names, too: the labels of the result set. In a query of one table, an
/// expression is wrong if it contains none of the compared columns. Each query of a union is checked.
///
/// The type ignores conditions in subqueries and in common table expressions, and expressions in queries of several
/// tables. If `*` selects from a join whose first table is not clear from the text, the type compares the names of the
/// columns without their tables.
struct KeyCondition {
    /// The operands on the left of each `IN (:key)`; nil for an operand that is not analyzed.
    private var compared: [[Operand?]] = []
    /// The columns that are selected first; nil for a column that is not analyzed.
    private var selected: [Operand?] = []
    private let tokens: [SQLToken]
    /// The index of the word `SELECT` that begins the query, after its common table expressions.
    private let start: Int

    /// Returns the compared columns and the columns that the query selects first, as SQL for an error message; nil if
    /// they do not differ, or if the condition has a form that is not analyzed. If a column is not analyzed, the result
    /// contains only the columns that differ.
    /// - Parameters:
    ///   - sql: The query.
    ///   - parameter: The name of the list parameter.
    ///   - keys: The number of columns of the key.
    ///   - labels: The labels of the first columns of the result set, one for each column of the key; nil if the query
    ///     has not been prepared yet. Without labels, the columns of `*` are not analyzed.
    static func difference(
        in sql: String, parameter: String, keys: Int, labels: [String]?
    ) -> (compared: String, selected: String)? {
        for query in queries(of: SQLToken.tokens(of: sql)) {
            let condition = KeyCondition(query, parameter: parameter, keys: keys, labels: labels)
            if let difference = condition?.difference { return difference }
        }
        return nil
    }

    /// Returns true if the outermost query, or a query of a union, has `LIMIT` or `FETCH FIRST`.
    static func hasLimit(_ sql: String) -> Bool {
        let tokens = SQLToken.tokens(of: sql)
        return hasLimit(tokens) || queries(of: tokens).contains { hasLimit(Array($0.tokens[$0.start...])) }
    }

    private static func hasLimit(_ tokens: [SQLToken]) -> Bool {
        var depth = 0
        return tokens.indices.contains { index in
            if tokens[index] == .symbol("(") { depth += 1 }
            if tokens[index] == .symbol(")") { depth -= 1 }
            // On MariaDB, a column after a period can have the name of a keyword.
            guard depth == 0, index == 0 || tokens[index - 1] != .symbol(".") else { return false }
            if tokens[index].isWord("LIMIT") { return true }
            return tokens[index].isWord("FETCH") && index + 1 < tokens.count
                && tokens[index + 1].isWord("FIRST", "NEXT")
        }
    }

    /// Finds the conditions in a query; nil if the query has none, or has one in a form that is not analyzed.
    private init?(_ query: Query, parameter: String, keys: Int, labels: [String]?) {
        (tokens, start) = (query.tokens, query.start)
        for place in tokens.indices where place >= start && tokens[place] == .parameter(parameter) {
            guard isInOuterQuery(place) else { continue }
            guard place >= start + 4, tokens[place - 1] == .symbol("("), tokens[place - 2].isWord("IN")
            else { return nil }
            let operands = comparedColumns(before: place - 2, keys: keys)
            guard operands.count == keys else { return nil }
            compared.append(operands)
        }
        guard !compared.isEmpty else { return nil }
        selected = selectedColumns(keys, labels)
    }

    /// The difference between the selected columns and the operands of the first condition; nil if the selected columns
    /// match at least one condition.
    private var difference: (compared: String, selected: String)? {
        let differences = compared.map { difference(from: $0) }
        return differences.contains { $0 == nil } ? nil : differences[0]
    }

    private func difference(from compared: [Operand?]) -> (compared: String, selected: String)? {
        let pairs = zip(compared, selected).compactMap { compared, selected in
            compared.flatMap { compared in selected.map { (compared: compared, selected: $0) } }
        }
        var different = pairs.filter { !isSame($0.compared, $0.selected) }
        guard !different.isEmpty else { return nil }
        if pairs.count == compared.count { different = pairs }
        return (
            different.map(\.compared.sql).joined(separator: ", "), different.map(\.selected.sql).joined(separator: ", ")
        )
    }

    /// Returns true if both operands can have the same value. An expression can have the value if it contains the same
    /// column. In a query of several tables, the tables can relate an expression to any column.
    private func isSame(_ compared: Operand, _ selected: Operand) -> Bool {
        if compared.isExpression || selected.isExpression, hasSeveralTables { return true }
        guard !compared.columns.isEmpty else { return true }
        return compared.columns.contains { left in
            left.isRowID || selected.columns.contains { right in right.isRowID || isSame(left, right) }
        }
    }

    /// True if the query has a join, a subquery or a common table expression.
    private var hasSeveralTables: Bool {
        if start > 0 || tokens.contains(where: { $0.isWord("JOIN") }) { return true }
        if tokens[(start + 1)...].contains(where: { $0.isWord("SELECT", "VALUES") }) { return true }
        guard let from = Self.firstIndex(in: tokens[start...], where: { $0.isWord("FROM") }) else { return false }
        let end =
            Self.firstIndex(in: tokens[from...]) { $0.isWord("WHERE", "GROUP", "HAVING", "ORDER") } ?? tokens.endIndex
        return tokens[from..<end].contains(.symbol(","))
    }

    /// Returns true if both names can refer to the same column, or if a condition of the query requires them to be
    /// equal, such as `ON orders.id = items.orderID`.
    private func isSame(_ left: ColumnName, _ right: ColumnName) -> Bool {
        if left.mayBe(right) { return true }
        let last = (left.parts.last?.lowercased(), right.parts.last?.lowercased())
        if last.0 == last.1, mergesColumns { return true }
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
            // The name of a type can also follow AS, as in CAST(number AS CHAR).
            let isAlias =
                depth > 0 && tokens[index].isWord("AS") && index + 2 < tokens.count
                && (tokens[index + 2] == .symbol(",") || tokens[index + 2].isWord("FROM"))
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

    /// True if a join has `USING (…)` or `NATURAL`, which merge columns of two tables.
    private var mergesColumns: Bool {
        tokens.indices.contains { index in
            if tokens[index].isWord("NATURAL") { return true }
            return tokens[index].isWord("USING") && index + 1 < tokens.count && tokens[index + 1] == .symbol("(")
        }
    }

    // MARK: The text

    /// A query without unions, with the common table expressions before it.
    private struct Query {
        let tokens: [SQLToken]
        /// The index of the word `SELECT` that begins the query.
        let start: Int
    }

    /// Returns the queries of a statement that `UNION`, `EXCEPT` and `INTERSECT` combine; empty if the statement does
    /// not begin with `SELECT`, `WITH` or a query in parentheses. The queries in common table expressions, which are in
    /// parentheses, are not included.
    private static func queries(of tokens: [SQLToken]) -> [Query] {
        guard let first = tokens.first, first.isWord("SELECT", "WITH") || first == .symbol("(") else { return [] }
        let start =
            first.isWord("WITH") ? firstIndex(in: tokens[...]) { $0.isWord("SELECT") } : tokens.startIndex
        guard let start else { return [] }
        let expressions = Array(tokens[..<start])
        var found: [Query] = []
        var rest = tokens[start...]
        while !rest.isEmpty {
            let end = firstIndex(in: rest) { $0.isWord("UNION", "EXCEPT", "INTERSECT") } ?? rest.endIndex
            let query = rest[..<end]
            if query.first == .symbol("("), let close = firstIndex(in: query, where: { $0 == .symbol(")") }) {
                found += queries(of: Array(query[(query.startIndex + 1)..<close])).map {
                    Query(tokens: expressions + $0.tokens, start: expressions.count + $0.start)
                }
            } else if query.first?.isWord("SELECT") == true {
                found.append(Query(tokens: expressions + query, start: start))
            }
            rest = rest[end...].dropFirst()
            if rest.first?.isWord("ALL", "DISTINCT") == true { rest = rest.dropFirst() }
        }
        return found
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

    /// Returns the operand on the left of `IN`: a column or an expression, or several of them in parentheses.
    private func comparedColumns(before index: Int, keys: Int) -> [Operand?] {
        if keys > 1 {
            guard tokens[index - 1] == .symbol(")"), let open = openingParenthesis(of: index - 1), beginsOperand(open)
            else { return [] }
            var operands: [Operand?] = []
            var first = open + 1
            while first < index - 1 {
                let end = Self.firstIndex(in: tokens[first..<(index - 1)]) { $0 == .symbol(",") } ?? index - 1
                operands.append(operand(first..<end))
                first = end + 1
            }
            return operands
        }
        var depth = 0
        var first = index
        while first > start {
            let previous = tokens[first - 1]
            if previous == .symbol(")") { depth += 1 }
            if previous == .symbol("(") {
                guard depth > 0 else { break }
                depth -= 1
            }
            if depth == 0, previous.isWord("WHERE", "AND", "OR", "ON", "NOT", "WHEN", "HAVING") { break }
            first -= 1
        }
        guard first < index else { return [] }
        return [operand(first..<index)]
    }

    /// Returns the index of the parenthesis that the parenthesis at an index closes.
    private func openingParenthesis(of close: Int) -> Int? {
        var depth = 0
        return tokens[...close].lastIndex { token in
            if token == .symbol(")") { depth += 1 }
            if token == .symbol("(") { depth -= 1 }
            return depth == 0
        }
    }

    /// Returns true if a condition begins at the token at an index, that is, if no arithmetic or other operator
    /// precedes the token.
    private func beginsOperand(_ index: Int) -> Bool {
        guard index > 0 else { return false }
        return tokens[index - 1] == .symbol("(") || tokens[index - 1].isWord("WHERE", "AND", "OR", "ON", "HAVING")
    }

    private func selectedColumns(_ keys: Int, _ labels: [String]?) -> [Operand?] {
        var columns: [Operand?] = []
        var index = start + 1
        while index < tokens.count, case .word(let word) = tokens[index], Self.modifiers.contains(word.uppercased()) {
            index += 1
        }
        while columns.count < keys {
            let end =
                Self.firstIndex(in: tokens[index...]) { $0 == .symbol(",") || $0.isWord("FROM") } ?? tokens.endIndex
            if end > index, tokens[end - 1] == .symbol("*"), isAllColumns(index..<end) {
                guard let labels else { return columns }
                let all = allColumns(index..<end, labels.dropFirst(columns.count))
                return columns + all.map { $0.map { Operand(sql: $0.sql, columns: [$0], isExpression: false) } }
            }
            columns.append(selectedColumn(index..<end))
            guard end < tokens.count, tokens[end] == .symbol(",") else { return columns }
            index = end + 1
        }
        return columns
    }

    /// Returns true if the tokens are `*` or `table.*`.
    private func isAllColumns(_ range: Range<Int>) -> Bool {
        range.count == 1 || tokens[range.upperBound - 2] == .symbol(".")
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
        guard !mergesColumns,
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

    /// Returns a selected column. If it is an expression, or if the query has `HAVING`, a condition can also refer to
    /// its alias. Otherwise the alias is ignored, because in `WHERE` the name of a column takes precedence over an
    /// alias.
    private func selectedColumn(_ range: Range<Int>) -> Operand? {
        let value = withoutAlias(range)
        guard let column = operand(value), value != range, let alias = part(range.upperBound - 1) else {
            return operand(value)
        }
        let hasHaving = Self.firstIndex(in: tokens[start...]) { $0.isWord("HAVING") } != nil
        guard column.isExpression || hasHaving else { return column }
        return Operand(
            sql: column.sql, columns: column.columns + [ColumnName(parts: [alias])], isExpression: column.isExpression)
    }

    /// Returns the range of a selected column without its alias.
    private func withoutAlias(_ range: Range<Int>) -> Range<Int> {
        guard range.count > 1, part(range.upperBound - 1) != nil else { return range }
        let previous = range.upperBound - 2
        if tokens[previous].isWord("AS") { return range.lowerBound..<previous }
        // An alias without AS follows a name, a literal or a closing parenthesis.
        let followsValue =
            switch tokens[previous] {
            case .literal, .quotedName, .parameter, .symbol(")"): true
            case .word: part(previous) != nil || tokens[previous].isWord("END", "NULL", "TRUE", "FALSE")
            case .symbol: false
            }
        return followsValue ? range.lowerBound..<previous + 1 : range
    }

    /// A column or an expression.
    private struct Operand {
        /// The name of the column, or a description of the expression.
        let sql: String
        /// The columns in the expression.
        let columns: [ColumnName]
        let isExpression: Bool
    }

    /// Returns the operand in a range of tokens; nil if it contains a subquery.
    private func operand(_ range: Range<Int>) -> Operand? {
        var range = range
        while range.count > 2, tokens[range.lowerBound] == .symbol("("),
            Self.firstIndex(in: tokens[range], where: { $0 == .symbol(")") }) == range.upperBound - 1
        {
            range = (range.lowerBound + 1)..<(range.upperBound - 1)
        }
        guard !range.isEmpty, !tokens[range].contains(where: { $0.isWord("SELECT", "VALUES") }) else { return nil }
        if let name = name(from: range.lowerBound), name.end == range.upperBound {
            return Operand(sql: name.name.sql, columns: [name.name], isExpression: false)
        }
        var columns: [ColumnName] = []
        var index = range.lowerBound
        while index < range.upperBound {
            guard let name = name(from: index) else {
                index += 1
                continue
            }
            let next = name.end < range.upperBound ? tokens[name.end] : nil
            // A function, and the unit in EXTRACT(YEAR FROM day).
            let isFunction = next == .symbol("(") || next?.isWord("FROM") == true
            // The name of a type, as in CAST(number AS CHAR), a collation or a character set.
            let isType = index > range.lowerBound && tokens[index - 1].isWord("AS", "COLLATE", "USING")
            if !isFunction && !isType { columns.append(name.name) }
            index = name.end
        }
        let names = columns.map(\.sql).joined(separator: ", ")
        return Operand(
            sql: "an expression" + (names.isEmpty ? "" : " of \(names)"), columns: columns, isExpression: true)
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
        "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP", "FROM", "WHERE", "AS", "AND", "OR", "XOR", "IS", "IN",
        "LIKE",
        "GLOB", "REGEXP", "RLIKE", "BETWEEN", "DIV", "MOD", "WHEN", "THEN", "ELSE", "ESCAPE", "COLLATE", "USING",
        "DISTINCT",
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
