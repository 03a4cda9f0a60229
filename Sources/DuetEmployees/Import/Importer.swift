package import DuetSQLDatabase

/// The progress of an import.
package enum ImportProgress: Sendable, Equatable {
    /// Files are being read and their rows written. The values are the number of bytes read so far, and the total size
    /// of all files.
    case reading(bytes: Int, of: Int)
    /// A table is being read from the database and checked.
    case checking(EmployeeTable)
}

/// Loads a dump of the original (see ``DumpDirectory``) into an empty database in one transaction, and checks the
/// written rows.
package struct Importer: Sendable {
    private let directory: DumpDirectory
    private let testFile: ReferenceSums?

    /// - Parameter directory: The files of the dump.
    /// - Throws: ``LoadError`` if the directory's `test_employees_md5.sql` is malformed.
    package init(_ directory: DumpDirectory) throws(LoadError) {
        self.directory = directory
        testFile = try ReferenceSums.testFile(in: directory)
    }

    /// Writes all rows of all files. Then the function reads every table from the database, and compares its number of
    /// rows with the number of rows in the files. If the expected checksum of the table is known, the function also
    /// compares the checksums. If there is a difference, the function rolls back the transaction and throws an error.
    ///
    /// - Parameters:
    ///   - database: A database with the schema and without rows in the six tables.
    ///   - progress: A closure that is called repeatedly on a thread of the database.
    /// - Throws: ``LoadError``, or the database's error. In both cases the database is unchanged.
    package func load(
        into database: Database, progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
    ) async throws -> ImportReport {
        try await database.write(timeout: .none) { connection in
            try EmployeeTable.requireEmpty(connection, toLoad: "an import")
            let rowsRead = try loadFiles(into: connection, progress: progress)
            return try check(connection, rowsRead: rowsRead, progress: progress)
        }
    }

    private func loadFiles(
        into connection: Connection, progress: (ImportProgress) -> Void
    ) throws -> [EmployeeTable: Int] {
        var rowsRead: [EmployeeTable: Int] = [:]
        var bytesBefore = 0
        let size = directory.size
        for file in directory.files {
            rowsRead[file.table, default: 0] += try load(file, into: connection) { bytes in
                progress(.reading(bytes: min(bytesBefore + bytes, size), of: size))
            }
            bytesBefore += file.size
            progress(.reading(bytes: bytesBefore, of: size))
        }
        return rowsRead
    }

    /// Writes the rows of a file, and returns their number.
    private func load(
        _ file: DumpDirectory.File, into connection: Connection, progress: (_ bytes: Int) -> Void
    ) throws -> Int {
        var reader = DumpReader(try ByteReader(contentsOf: file.url))
        var batch = ImportBatch(of: file.table, for: connection)
        var rows = 0
        while let insert = try reader.nextInsert() {
            try file.table.requireSame(insert.table, columns: insert.columns, at: reader.location)
            while let literals = try reader.nextRow() {
                try batch.append(file.table.row(literals, at: reader.location), from: reader.location)
                rows += 1
                if rows.isMultiple(of: 1_000) { progress(reader.bytesRead) }
            }
        }
        try batch.flush()
        guard rows > 0 else {
            throw LoadError(
                .malformedFile,
                "the file contains no rows; expected INSERT INTO `\(file.table.rawValue)` VALUES (…), (…);",
                at: reader.location)
        }
        return rows
    }

    private func check(
        _ connection: Connection, rowsRead: [EmployeeTable: Int], progress: (ImportProgress) -> Void
    ) throws -> ImportReport {
        var found: [EmployeeTable: TableChecksum] = [:]
        for table in EmployeeTable.allCases {
            progress(.checking(table))
            let checksum = try TableChecksum(connection, of: table)
            let expected = rowsRead[table] ?? 0
            guard checksum.rows == expected else {
                throw LoadError(
                    .checkFailed,
                    "\(table.rawValue) has \(checksum.rows.grouped) rows, but \(expected.grouped) were read; nothing was imported"
                )
            }
            found[table] = checksum
        }
        let report = ImportReport(found: found, reference: testFile ?? .published(for: rowsRead))
        guard report.tables.allSatisfy(\.isExpected) else {
            throw LoadError(
                .checkFailed, "the data differs from the expected data, so nothing was imported:\n\(report)")
        }
        return report
    }
}

extension EmployeeTable {
    /// Checks that an `INSERT` is for this table. If the statement contains a list of columns, the list must contain
    /// the columns of the table in their order.
    fileprivate func requireSame(
        _ table: String, columns: [String]?, at location: LoadError.Location
    ) throws(LoadError) {
        guard table == rawValue else {
            throw LoadError(
                .malformedFile,
                "found INSERT INTO \(DumpToken.shortened(table)) in a file of \(rawValue); expected only `\(rawValue)`",
                at: location)
        }
        let names = self.columns.map(\.name)
        guard columns == nil || columns == names else {
            throw LoadError(
                .malformedFile, "the INSERT has different columns; expected (\(names.joined(separator: ", ")))",
                at: location)
        }
    }
}
