import Foundation

/// The expected number of rows and the expected checksum of each table of a known data set.
struct ReferenceSums: Sendable, Equatable {
    /// The source of the checksums, for the report.
    let source: String
    let tables: [EmployeeTable: TableChecksum]

    /// Returns the known checksums for data with these numbers of rows; `nil` if no checksums are known.
    static func published(for rows: [EmployeeTable: Int]) -> ReferenceSums? {
        [fullSet, first10000].first { reference in reference.tables.mapValues(\.rows) == rows }
    }

    /// The checksums of all 300,024 employees, from the file `test_employees_md5.sql` of the original.
    static let fullSet = ReferenceSums(
        source: "the sums published with the full data set",
        tables: [
            .departments: .init(rows: 9, sum: "d1af5e170d2d1591d776d5638d71fc5f"),
            .employees: .init(rows: 300_024, sum: "4ec56ab5ba37218d187cf6ab09ce1aa1"),
            .departmentEmployees: .init(rows: 331_603, sum: "ccf6fe516f990bdaa49713fc478701b7"),
            .departmentManagers: .init(rows: 24, sum: "8720e2f0853ac9096b689c14664f847e"),
            .titles: .init(rows: 443_308, sum: "bfa016c472df68e70a03facafa1bc0a8"),
            .salaries: .init(rows: 2_844_047, sum: "fd220654e95aea1b169624ffe3fca934"),
        ])

    /// The checksums of the first 10,000 employees.
    static let first10000 = ReferenceSums(
        source: "the sums of the first 10,000 employees",
        tables: [
            .departments: .init(rows: 9, sum: "d1af5e170d2d1591d776d5638d71fc5f"),
            .employees: .init(rows: 10_000, sum: "2b9ee8043563317634407daf42a9ef0b"),
            .departmentEmployees: .init(rows: 11_051, sum: "fc43a976d1406705d9707f6fea1df9df"),
            .departmentManagers: .init(rows: 24, sum: "953e3c0c8360805645498ada817b66e9"),
            .titles: .init(rows: 14_782, sum: "ffa808be19d75619f415e2964cbe0320"),
            .salaries: .init(rows: 94_917, sum: "0fcb81f97f6b0eacb01a22a085e6512d"),
        ])
}

extension ReferenceSums {
    /// The name of the test file of the original, which may be in the directory of the dump.
    static let testFileName = "test_employees_md5.sql"

    /// Reads the expected values from a directory's `test_employees_md5.sql`.
    ///
    /// - Returns: `nil` if the file does not exist.
    /// - Throws: ``LoadError`` with the code `malformedFile` if the file contains no expected values.
    static func testFile(in directory: DumpDirectory) throws(LoadError) -> ReferenceSums? {
        let url = directory.url.appendingPathComponent(testFileName)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try ReferenceSums(testFile: ByteReader(contentsOf: url))
    }

    /// Reads the expected values from the first `INSERT` of the file: `INSERT INTO expected_values VALUES ('table',
    /// rows, 'SHA sum', 'MD5 sum'), …;`.
    init(testFile bytes: ByteReader) throws(LoadError) {
        var reader = DumpReader(bytes, otherStatements: .skipped)
        guard let insert = try reader.nextInsert(), insert.table == "expected_values" else {
            throw LoadError(
                .malformedFile, "the file has no expected values; expected INSERT INTO `expected_values` VALUES (…)",
                at: reader.location)
        }
        var tables: [EmployeeTable: TableChecksum] = [:]
        while let row = try reader.nextRow() {
            guard row.count == 4, case .text(let name) = row[0], let table = EmployeeTable(rawValue: name),
                case .integer(let rows) = row[1], case .text(let sum) = row[3]
            else {
                throw LoadError(
                    .malformedFile, "an expected value is not ('table', rows, 'SHA sum', 'MD5 sum') of a known table",
                    at: reader.location)
            }
            tables[table] = TableChecksum(rows: Int(rows), sum: sum.lowercased())
        }
        self.init(source: bytes.file, tables: tables)
    }
}
