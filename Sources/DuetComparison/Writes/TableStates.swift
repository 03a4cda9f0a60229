import DuetSQLDatabase

/// A table whose rows a comparison of states reads.
package struct ComparedTable: Sendable, Hashable {
    package let name: String
    /// The compared columns. Columns whose values depend on the time of a write are omitted.
    package let columns: [String]

    package init(name: String, columns: [String]) {
        self.name = name
        self.columns = columns
    }
}

/// Digests of the rows of all tables of a database. Two databases with equal digests have the same rows.
struct TableStates: Sendable, Hashable {
    /// The rows of a table, in any order. The digest is valid in this process only.
    struct Digest: Sendable, Hashable {
        var count = 0
        var sum = 0
    }

    private let digests: [String: Digest]

    /// Reads the rows of the tables in one transaction.
    static func read(_ tables: [ComparedTable], of url: DatabaseURL) async throws -> TableStates {
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.access = .readOnly
        configuration.statementTimeout = nil
        return try await Database.with(url, configuration: configuration) { database in
            try await database.read(timeout: .none) { try TableStates(tables, $0) }
        }
    }

    private init(_ tables: [ComparedTable], _ connection: Connection) throws {
        var digests: [String: Digest] = [:]
        for table in tables {
            let columns = table.columns.map(SQLIdentifier.quoted).joined(separator: ", ")
            let rows = try connection.query(
                "SELECT \(columns.isEmpty ? "1" : columns) FROM \(SQLIdentifier.quoted(table.name))")
            defer { rows.close() }
            var digest = Digest()
            while try rows.next() {
                var hasher = Hasher()
                for index in rows.columns.indices { hasher.combine(rows.value(at: index)) }
                digest.count += 1
                digest.sum &+= hasher.finalize()
            }
            digests[table.name] = digest
        }
        self.digests = digests
    }

    /// Returns the names of the tables whose rows differ, in alphabetical order.
    func differences(from other: TableStates) -> [String] {
        digests.filter { other.digests[$0.key] != $0.value }.map(\.key).sorted()
    }
}
