import Crypto
import DuetSQLDatabase

/// The checksum of a table, as in the test of the original (see ``DumpDirectory``): the number of rows, and a chain of
/// MD5 hashes over the rows.
///
/// For each row, `sum = md5(concat_ws('#', sum, columns…))`. The initial sum is an empty text, and NULLs are skipped.
/// The sum after the last row is the sum of the table. The columns and rows are in the order of the original's
/// `test_employees_md5.sql`.
package struct TableChecksum: Sendable, Equatable {
    /// The number of rows.
    package let rows: Int
    /// The sum: 32 hexadecimal digits in lower case; empty for a table without rows.
    package let sum: String

    /// - Parameters:
    ///   - rows: The number of rows of the table.
    ///   - sum: The last sum of the chain.
    package init(rows: Int, sum: String) {
        self.rows = rows
        self.sum = sum
    }

    /// Computes the checksum of a table. The table is read one row at a time.
    init(_ connection: Connection, of table: EmployeeTable) throws {
        let resultSet = try connection.query(table.checksumQuery)
        var chain = ChecksumChain()
        var rows = 0
        while try resultSet.next() {
            chain.beginRow()
            for index in resultSet.columns.indices { chain.append(resultSet.column(index)) }
            chain.endRow()
            rows += 1
        }
        self.init(rows: rows, sum: chain.sum)
    }
}

/// The computation of the sum over a sequence of rows.
struct ChecksumChain {
    private static let digits = Array("0123456789abcdef".utf8)
    private var digest: [UInt8] = []
    private var row: [UInt8] = []

    /// The sum of the rows so far.
    var sum: String { String(decoding: digest, as: UTF8.self) }

    mutating func beginRow() {
        row.removeAll(keepingCapacity: true)
        row.append(contentsOf: digest)
    }

    mutating func append(_ value: ColumnValue) {
        if case .null = value { return }
        row.append(UInt8(ascii: "#"))
        switch value {
        case .null: break
        case .integer(let value): append(number: value)
        case .unsigned(let value): row.append(contentsOf: String(value).utf8)
        case .double(let value): row.append(contentsOf: "\(value)".utf8)
        case .text(let bytes), .blob(let bytes): row.append(contentsOf: bytes)
        case .date(let date): append(date: date)
        }
    }

    mutating func endRow() {
        digest.removeAll(keepingCapacity: true)
        for byte in Insecure.MD5.hash(data: row) {
            digest.append(Self.digits[Int(byte >> 4)])
            digest.append(Self.digits[Int(byte & 15)])
        }
    }

    private mutating func append(number: Int64) {
        row.append(contentsOf: String(number).utf8)
    }

    private mutating func append(date: CalendarDate) {
        let (year, month, day) = date.components
        append(twoDigits: year / 100)
        append(twoDigits: year % 100)
        row.append(UInt8(ascii: "-"))
        append(twoDigits: month)
        row.append(UInt8(ascii: "-"))
        append(twoDigits: day)
    }

    private mutating func append(twoDigits number: Int) {
        row.append(UInt8(ascii: "0") + UInt8(number / 10))
        row.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

extension EmployeeTable {
    /// The query that returns columns and rows in the order of the original's test.
    fileprivate var checksumQuery: String {
        switch self {
        case .departments: "SELECT dept_no, dept_name FROM departments ORDER BY dept_no"
        case .employees:
            "SELECT emp_no, birth_date, first_name, last_name, gender, hire_date FROM employees ORDER BY emp_no"
        case .departmentEmployees:
            "SELECT dept_no, emp_no, from_date, to_date FROM dept_emp ORDER BY dept_no, emp_no"
        case .departmentManagers:
            "SELECT dept_no, emp_no, from_date, to_date FROM dept_manager ORDER BY dept_no, emp_no"
        case .titles: "SELECT emp_no, title, from_date, to_date FROM titles ORDER BY emp_no, title, from_date"
        case .salaries: "SELECT emp_no, salary, from_date, to_date FROM salaries ORDER BY emp_no, from_date, to_date"
        }
    }
}
