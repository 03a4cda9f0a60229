import Foundation

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
