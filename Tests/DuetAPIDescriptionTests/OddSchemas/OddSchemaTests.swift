import TestSupport
import Testing

@Suite("Introspected odd schemas") struct OddSchemaTests {
    /// Each schema, paired with each available database that supports it.
    static let cases = OddSchema.all.flatMap { schema in
        TestBackend.available.filter { schema.script($0) != nil }.map { (schema, $0) }
    }

    @Test("Over REST and GraphQL, all tables and relations have the values that plain SQL returns", arguments: cases)
    func tables(_ schema: OddSchema, _ backend: TestBackend) async throws {
        try await OddService.with(backend, schema.script(backend) ?? "") { service in
            _ = try await service.checkTables()
            try await service.checkRelations()
            try await service.checkOrders()
            try await service.checkFilters()
        }
    }

    @Test("SQLite and MariaDB return equal JSON", arguments: OddSchema.all.filter(\.isSame))
    func agreement(_ schema: OddSchema) async throws {
        guard TestBackend.available.count == 2 else { return }
        var answers: [[String: [String]]] = []
        for backend in TestBackend.available {
            answers.append(
                try await OddService.with(backend, schema.script(backend) ?? "") { service in
                    try await service.checkTables()
                })
        }
        #expect(answers[0] == answers[1])
    }
}
