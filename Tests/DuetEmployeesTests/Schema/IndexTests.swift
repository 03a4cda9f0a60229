import DuetAPIDescription
import DuetSQLDatabase
import TestSupport
import Testing

@testable import DuetEmployees

@Suite("The indexes of the employees database") struct IndexTests {
    @Test(
        "Indexes serve all relations and filters, and all orders except the sorts of the titles and the salaries",
        arguments: TestBackend.available)
    func served(_ backend: TestBackend) async throws {
        let notes = try await TestDatabase.with(backend) { database in
            try await database.read { connection in
                let schema = try DatabaseSchema.read(connection)
                return try APIDescription.employees
                    .missingIndexes(schema, try DatabaseIndexes.read(connection, of: schema))
            }
        }
        let members = Set(notes.map { "\($0.resource ?? "").\($0.member ?? "")" })
        #expect(members == ["titles.sort", "salaries.sort"])
    }
}
