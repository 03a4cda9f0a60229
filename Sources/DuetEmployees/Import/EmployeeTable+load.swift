import DuetSQLDatabase

extension EmployeeTable {
    /// Returns an inserter for rows whose values are in the order of ``columns``.
    func inserter(_ connection: Connection) throws -> BulkInserter {
        try connection.bulkInserter(into: rawValue, columns: columns.map(\.name))
    }

    /// Checks that all tables are empty.
    /// - Throws: ``LoadError`` with the code `tablesNotEmpty`. The message contains the names of the tables that have
    ///   rows.
    static func requireEmpty(_ connection: Connection, toLoad what: String) throws {
        let filled = try allCases.filter { table in
            try connection.query("SELECT 1 FROM \(table.rawValue) LIMIT 1").next()
        }
        guard filled.isEmpty else {
            let names = filled.map(\.rawValue).joined(separator: ", ")
            throw LoadError(
                .tablesNotEmpty,
                "\(what) needs empty tables, but \(names) have rows; use another database or empty these tables"
            )
        }
    }
}

extension EmployeeTable {
    /// Checks that a row of a dump is valid for the columns of the table, and returns its values.
    ///
    /// - Throws: ``LoadError`` with the code `malformedFile`. The message contains the column, the value and the
    ///   expected values.
    func row(_ literals: [DumpLiteral], at location: LoadError.Location) throws(LoadError) -> [SQLValue] {
        let columns = self.columns
        guard literals.count == columns.count else {
            let names = columns.map(\.name).joined(separator: ", ")
            throw LoadError(
                .malformedFile,
                "a row of \(rawValue) has \(literals.count) values; expected \(columns.count): \(names)", at: location)
        }
        var values: [SQLValue] = []
        values.reserveCapacity(columns.count)
        for (column, literal) in zip(columns, literals) {
            guard let value = column.value(literal) else {
                throw LoadError(
                    .malformedFile,
                    "\(rawValue).\(column.name) is \(literal.description); expected \(column.expectation)",
                    at: location)
            }
            values.append(value)
        }
        return values
    }
}

extension EmployeeTable.Column {
    /// Returns the value in the type of the column; `nil` if the value is not valid for the column.
    fileprivate func value(_ literal: DumpLiteral) -> SQLValue? {
        switch (literal, kind) {
        case (.null, _): isNullable ? .null : nil
        case (.integer(let value), .integer): (0...Int64(Int32.max)).contains(value) ? .integer(value) : nil
        case (.text(let text), .text(let maximum)): text.unicodeScalars.count <= maximum ? .text(text) : nil
        case (.text(let text), .choice(let choices)): choices.contains(text) ? .text(text) : nil
        case (.text(let text), .date): CalendarDate(iso: text).map(SQLValue.date)
        default: nil
        }
    }

    /// A description of the valid values, for messages.
    fileprivate var expectation: String {
        let expectation =
            switch kind {
            case .integer: "a whole number from 0 to \(Int32.max)"
            case .text(let maximum): "a quoted text of at most \(maximum) characters"
            case .choice(let choices): choices.map { "'\($0)'" }.joined(separator: " or ")
            case .date: "a valid date, such as '1986-12-01'"
            }
        return isNullable ? "\(expectation), or NULL" : expectation
    }
}

extension DumpLiteral {
    fileprivate var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .text(let text): "'\(DumpToken.shortened(text))'"
        }
    }
}
