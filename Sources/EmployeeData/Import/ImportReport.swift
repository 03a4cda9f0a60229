package import Employees

/// What an import put into the database, and how it compares with what was expected.
package struct ImportReport: Sendable {
    /// One table's result.
    package struct Table: Sendable, Equatable {
        /// Which table.
        package let table: EmployeeTable
        /// What the database holds now.
        package let found: TableChecksum
        /// What it should hold; `nil` when nothing is known about this data.
        package let expected: TableChecksum?

        /// Whether there is nothing to complain about.
        package var isExpected: Bool { expected == nil || found == expected }
    }

    /// In the order in which the tables were loaded.
    package let tables: [Table]
    /// Where the expected values come from; `nil` when there are none.
    package let source: String?

    init(found: [EmployeeTable: TableChecksum], reference: ReferenceSums?) {
        source = reference?.source
        tables = EmployeeTable.allCases.compactMap { table in
            found[table].map { Table(table: table, found: $0, expected: reference?.tables[table]) }
        }
    }
}

extension ImportReport: CustomStringConvertible {
    /// A small table: name, rows, sum, and whether it is as expected.
    package var description: String {
        let rows = tables.map { table in
            let verdict =
                switch table.expected {
                case nil: "-"
                case table.found: "ok"
                case .some(let expected): "expected \(expected.rows.grouped) rows, \(expected.sum)"
                }
            return [table.table.rawValue, table.found.rows.grouped, table.found.sum, verdict]
        }
        let lines = ([["table", "rows", "md5 sum", "check"]] + rows).map { cells in
            "\(cells[0].padded(to: 12))  \(cells[1].padded(to: 9, onTheLeft: true))  \(cells[2].padded(to: 32))  \(cells[3])"
        }
        let comparison =
            source.map { "Compared with \($0)." }
            ?? "Nothing is published to compare this data with; the sums are for your own records."
        return (lines + [comparison]).joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int, onTheLeft: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, width - count))
        return onTheLeft ? padding + self : self + padding
    }
}
