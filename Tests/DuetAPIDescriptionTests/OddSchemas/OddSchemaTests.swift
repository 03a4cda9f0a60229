import DuetResourceService
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Introspected odd schemas") struct OddSchemaTests {
    @Test(
        "Over REST and GraphQL, all tables and relations have the values that plain SQL returns, and SQLite and MariaDB return equal JSON",
        arguments: OddSchema.all)
    func tables(_ schema: OddSchema) async throws {
        var answers: [[String: [String]]] = []
        for backend in TestBackend.available {
            guard let script = schema.script(backend) else { continue }
            answers.append(try await OddService.with(backend, script, Self.check))
        }
        // On a machine without MariaDB, there is one answer.
        if schema.isSame { #expect(answers.allSatisfy { $0 == answers.first }) }
    }

    @Test(
        "A SQLite file whose texts are in UTF-16 has the values that plain SQL returns",
        arguments: OddSchema.all.compactMap { $0.script(.sqlite) })
    func utf16(_ script: String) async throws {
        let encoding = "PRAGMA encoding = 'UTF-16le';\n"
        _ = try await OddService.with(.sqlite, encoding + script) { service in
            let stored = try await service.service.database.read { connection in
                let rows = try connection.query("PRAGMA encoding")
                return try rows.next() ? rows.text(at: 0) : ""
            }
            #expect(stored == "UTF-16le")
            return try await Self.check(service)
        }
    }

    /// Compares the rows of all tables and relations, and all orders and filters, with plain SQL.
    /// - Returns: The rows as JSON, keyed by resource.
    private static func check(_ service: OddService) async throws -> [String: [String]] {
        let answer = try await service.checkTables()
        try await service.checkRelations()
        try await service.checkOrders()
        try await service.checkFilters()
        return answer
    }
}
