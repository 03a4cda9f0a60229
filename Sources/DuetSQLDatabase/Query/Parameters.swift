/// A parsed statement with named parameters, such as `SELECT … WHERE invoice_no = :number`.
///
/// A parameter is a colon and a name. A colon inside quotes (`'…'`, `"…"`, backquotes, `[…]`) or a comment (`-- …`,
/// `/* … */`, or `# …` of MariaDB) does not begin a parameter. A double colon (`::`) does not begin a parameter,
/// either. A name may occur several times; all its occurrences have the same argument.
///
/// `column IN (:name)` takes a list. The condition is rendered as `= ?` for one value, as `BETWEEN ? AND ?` for
/// consecutive integers, and as `IN (?, …)` otherwise. The number of placeholders is rounded up to a power of two, and
/// the last value is repeated. Therefore lists of different lengths need only a few different statement texts.
/// `(a, b) IN (:name)` takes rows and is rendered as `IN ((?, ?), …)`. The number of rows is rounded up in the same
/// way. Values never become part of the text.
///
/// `:name...` takes a list, too. It is rendered as one placeholder for each value, separated by commas, for the
/// arguments of a function such as `INTERVAL(x, :limits...)` of MariaDB.
///
/// `column NOT IN (:name)` takes a single value and no list: with an empty list the condition would be true for all
/// rows, and with a NULL in the list it would be true for no row. `(column IN (:name)) IS NOT TRUE` takes a list. It is
/// true for the rows whose value is not in the list, including rows with NULL.
public struct Parameters: Sendable {
    /// The original text of the statement.
    public let sql: String
    /// The distinct parameter names in the order of their first occurrence.
    public let names: [String]

    /// A part of the statement.
    enum Segment: Sendable, Equatable {
        case text(String)
        /// A parameter; an index into ``names``.
        case parameter(Int)
        /// The whole condition `IN (:name)`; an index into ``names``.
        case list(Int)
        /// The arguments `:name...`; an index into ``names``.
        case values(Int)
    }

    let segments: [Segment]
    /// The rendered text of a statement without `IN (:name)` and `:name...`; nil for any other statement.
    let constantSQL: String?
    /// The table that the statement changes.
    let target: StatementTarget

    /// - Throws: ``DatabaseError`` with the code `parameter` for a positional `?` or an unterminated quote or comment.
    public init(parsing sql: String) throws {
        var scanner = ParameterScanner(sql)
        try scanner.scan()
        self.sql = sql
        names = scanner.names
        segments = scanner.segments
        let hasList = segments.contains { segment in
            switch segment {
            case .list, .values: true
            case .text, .parameter: false
            }
        }
        target = StatementTarget(of: sql)
        constantSQL = hasList ? nil : Self.text(of: segments) { _ in "" }
    }

    /// The form in which a list argument is rendered.
    enum ListShape: Hashable, Sendable {
        case equal
        case between
        /// The number of placeholders, a power of two.
        case width(Int)
        /// The number of rows, a power of two, and the number of values in each row.
        case rows(Int, columns: Int)
        /// The number of placeholders of `:name...`.
        case values(Int)
    }

    /// A statement for the backend: its text with `?` placeholders, and the value for each placeholder.
    public struct Rendered {
        /// The text with its placeholders.
        public let sql: String
        /// The values for the placeholders, in order.
        public let values: [SQLValue]
    }

    /// - Parameter dialect: The database, which determines the syntax of a list of rows.
    /// - Returns: The text for these arguments, and their values in the order of the placeholders.
    /// - Throws: ``DatabaseError`` with the code `parameter` for a missing argument, for an argument without a
    ///   parameter, and for a list as the argument of a parameter outside `IN (:name)`.
    public func render(_ arguments: Arguments, _ dialect: Dialect) throws -> Rendered {
        var shapes: [ListShape] = []
        let values = try values(for: arguments) { shapes.append($0) }
        return Rendered(sql: text(of: shapes, dialect), values: values)
    }

    /// Checks the arguments.
    /// - Throws: ``DatabaseError``; see ``render(_:_:)``.
    package func check(_ arguments: Arguments) throws { _ = try values(for: arguments) { _ in } }

    /// Returns the text for lists of these shapes. The shapes are in the order in which the lists occur in the
    /// statement.
    func text(of shapes: [ListShape], _ dialect: Dialect) -> String {
        if let constantSQL { return constantSQL }
        var rest = shapes[...]
        return Self.text(of: segments) { _ in Self.text(of: rest.popFirst() ?? .equal, dialect) }
    }

    /// Returns the values in the order of the placeholders, and calls `shape` for each list, in the order in which the
    /// lists occur in the statement.
    /// - Parameter shared: Arguments for the parameters that `arguments` does not contain. The statement can ignore
    ///   some of them.
    /// - Throws: ``DatabaseError`` with the code `parameter` for a missing argument, for an argument without a
    ///   parameter, and for a list as the argument of a parameter outside `IN (:name)`.
    func values(
        for arguments: Arguments, _ shared: Arguments = Arguments(), shape: (ListShape) -> Void
    ) throws -> [SQLValue] {
        if arguments.pairs.count != names.count || !shared.isEmpty { try refuseSuperfluous(arguments) }
        var values: [SQLValue] = []
        values.reserveCapacity(names.count)
        for segment in segments {
            switch segment {
            case .text: break
            case .parameter(let index):
                guard case .value(let value) = try argument(index, arguments, shared) else {
                    throw try misplacedList(index)
                }
                values.append(value)
            case .list(let index):
                switch try argument(index, arguments, shared) {
                case .value(let value):
                    values.append(value)
                    shape(.equal)
                case .list(let list): shape(Self.append(list, to: &values))
                case .rows(let rows): shape(try append(rows, to: &values))
                }
            case .values(let index):
                guard case .list(let list) = try argument(index, arguments, shared), !list.isEmpty else {
                    throw DatabaseError(
                        .parameter, "the parameter :\(names[index])... takes a list with at least one value",
                        statement: sql)
                }
                values.append(contentsOf: list)
                shape(.values(list.count))
            }
        }
        return values
    }

    /// Returns the error for a list argument of a parameter that takes a single value.
    private func misplacedList(_ index: Int) throws -> DatabaseError {
        let name = names[index]
        // The statement is scanned again, because only this error needs the excluded parameters.
        var scanner = ParameterScanner(sql)
        try scanner.scan()
        let reason =
            scanner.excluded.contains(index)
            ? "NOT IN (:\(name)) takes no list: it would be true for all rows if the list is empty, and for no row if the "
                + "list contains NULL; write (column IN (:\(name))) IS NOT TRUE, which is true for all rows whose value "
                + "is not in the list"
            : "the parameter :\(name) takes a single value; a list needs IN (:\(name)), with no other value in the "
                + "parentheses"
        return DatabaseError(.parameter, reason, statement: sql)
    }

    private func argument(
        _ index: Int, _ arguments: Arguments, _ shared: Arguments
    ) throws -> Arguments.Argument {
        guard let argument = arguments[names[index]] ?? shared[names[index]] else {
            throw mismatch(arguments)
        }
        return argument
    }

    private func refuseSuperfluous(_ arguments: Arguments) throws {
        guard arguments.pairs.allSatisfy({ names.contains($0.name) }) else { throw mismatch(arguments) }
    }

    /// Returns the error that lists the arguments without a parameter and the parameters without an argument. A
    /// misspelled name causes an entry in each list.
    private func mismatch(_ arguments: Arguments) -> DatabaseError {
        func list(_ names: [String]) -> String { names.map { ":\($0)" }.joined(separator: ", ") }
        let superfluous = arguments.pairs.map(\.name).filter { !names.contains($0) }
        let missing = names.filter { arguments[$0] == nil }
        let parameters =
            switch names.count {
            case 0: "it has no parameters"
            case 1: "its parameter is \(list(names))"
            default: "its parameters are \(list(names))"
            }
        let reason =
            if superfluous.isEmpty {
                missing.count == 1
                    ? "the parameter \(list(missing)) has no argument"
                    : "the parameters \(list(missing)) have no arguments"
            } else {
                "the statement has no parameter for the "
                    + "\(superfluous.count == 1 ? "argument" : "arguments") \(list(superfluous)); \(parameters)"
                    + (missing.isEmpty || missing == names
                        ? "" : ", and \(list(missing)) \(missing.count == 1 ? "has no argument" : "have no arguments")")
            }
        return DatabaseError(.parameter, reason, statement: sql)
    }

    private static func append(_ list: [SQLValue], to values: inout [SQLValue]) -> ListShape {
        guard let first = list.first, let last = list.last else {
            // A condition with an empty list is true for no row, and so is `= NULL`.
            values.append(.null)
            return .equal
        }
        if list.count == 1 {
            values.append(first)
            return .equal
        }
        if isConsecutive(list) {
            values.append(first)
            values.append(last)
            return .between
        }
        let width = max(2, list.count.nextPowerOfTwo)
        values.append(contentsOf: list)
        values.append(contentsOf: repeatElement(last, count: width - list.count))
        return .width(width)
    }

    private func append(_ rows: [[SQLValue]], to values: inout [SQLValue]) throws -> ListShape {
        guard let last = rows.last, rows.allSatisfy({ $0.count == last.count && !$0.isEmpty }) else {
            throw DatabaseError(
                .parameter, "a list needs at least one row, and the same number of values in each row", statement: sql)
        }
        let count = rows.count.nextPowerOfTwo
        for row in rows { values.append(contentsOf: row) }
        for _ in rows.count..<count { values.append(contentsOf: last) }
        return .rows(count, columns: last.count)
    }

    private static func isConsecutive(_ list: [SQLValue]) -> Bool {
        guard case .integer(var previous) = list[0] else { return false }
        for value in list.dropFirst() {
            guard case .integer(let integer) = value, previous < .max, integer == previous + 1 else { return false }
            previous = integer
        }
        return true
    }

    private static func text(of shape: ListShape, _ dialect: Dialect) -> String {
        switch shape {
        case .equal: "= ?"
        case .between: "BETWEEN ? AND ?"
        case .width(let count): "IN (\(placeholders(count)))"
        case .values(let count): placeholders(count)
        case .rows(let count, let columns):
            // MariaDB does not accept several placeholders in VALUES, because they would be columns with the same name.
            "IN (\(dialect.rowsPrefix)"
                + repeatElement("(\(placeholders(columns)))", count: count).joined(separator: ", ") + ")"
        }
    }

    private static func placeholders(_ count: Int) -> String { "?" + String(repeating: ", ?", count: count - 1) }

    private static func text(of segments: [Segment], list: (Int) -> String) -> String {
        var text = ""
        for segment in segments {
            switch segment {
            case .text(let part): text += part
            case .parameter: text += "?"
            case .list(let index), .values(let index): text += list(index)
            }
        }
        return text
    }
}

extension Int {
    /// The smallest power of two that is at least this positive number.
    fileprivate var nextPowerOfTwo: Int {
        self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
    }
}
