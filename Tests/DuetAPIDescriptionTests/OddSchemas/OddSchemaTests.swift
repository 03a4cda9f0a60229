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
            answers.append(
                try await OddService.with(backend, script) { service in
                    let answer = try await service.checkTables()
                    try await service.checkRelations()
                    try await service.checkOrders()
                    try await service.checkFilters()
                    return answer
                })
        }
        // On a machine without MariaDB, there is one answer.
        if schema.isSame { #expect(answers.allSatisfy { $0 == answers.first }) }
    }
}
