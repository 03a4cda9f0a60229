/// The number and the checksum of the rows that an import has written to each table, compared with the expected values.
package struct ImportReport: Sendable {
    /// The result for one table.
    package struct Table: Sendable, Equatable {
        /// The table.
        package let table: EmployeeTable
        /// The checksum of the table in the database.
        package let found: TableChecksum
        /// The expected checksum; `nil` if no checksum is known for this data.
        package let expected: TableChecksum?

        /// True if the checksum equals the expected checksum, or if no checksum is known.
        package var isExpected: Bool { expected == nil || found == expected }
    }

    /// The results in the order in which the tables were loaded.
    package let tables: [Table]
    /// The source of the expected checksums; `nil` if no checksums are known.
    package let source: String?

    init(found: [EmployeeTable: TableChecksum], reference: ReferenceSums?) {
        source = reference?.source
        tables = EmployeeTable.allCases.compactMap { table in
            found[table].map { Table(table: table, found: $0, expected: reference?.tables[table]) }
        }
    }
}

extension ImportReport: CustomStringConvertible {
    /// A text table with the name, rows, sum and check of each table.
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
            ?? "No sums are published for this data, so nothing was compared."
        return (lines + [comparison]).joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int, onTheLeft: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, width - count))
        return onTheLeft ? padding + self : self + padding
    }
}

extension Int {
    /// The number in decimal digits with a comma between groups of three digits: `2,844,047`.
    package var grouped: String {
        let digits = String(magnitude)
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
