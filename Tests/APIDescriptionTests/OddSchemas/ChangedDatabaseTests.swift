import APIDescription
import DuetGraphQL
import ResourceService
import SQLDatabase
import TestSupport
import Testing

@Suite("A database that other programs change") struct ChangedDatabaseTests {
    private static let people = """
        CREATE TABLE people (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(9));
        CREATE TABLE tags (id INTEGER NOT NULL PRIMARY KEY, person_id INTEGER NOT NULL, label VARCHAR(9),
            FOREIGN KEY (person_id) REFERENCES people (id));
        INSERT INTO people VALUES (1, 'Ada'), (2, 'Bob');
        INSERT INTO tags VALUES (1, 1, 'x'), (2, 1, 'y'), (3, 2, 'z');
        """

    @Test(
        "A table or column that is gone is named in the error, with the resource that shows it",
        arguments: TestBackend.available,
        [("DROP TABLE tags", "table tags"), ("ALTER TABLE tags DROP COLUMN label", "column label")])
    func missing(_ backend: TestBackend, _ change: (statement: String, name: String)) async throws {
        try await OddService.with(backend, Self.people) { service in
            let people = try #require(service.catalogue["people"])
            let expected =
                "tags or a relation of it cannot be read, because the database has no \(change.name), which the API describes; the server's log says more"
            let details: RESTStyle.Query = [("details", "tags")]
            let operation = try PreparedOperation(
                try Parser.parse("{ people { nodes { tags { nodes { label } } } } }"), schema: service.graphQL.schema)
            // The statements are prepared before the change.
            for isChanged in [false, true] {
                if isChanged {
                    try await service.service.database.write { try $0.executeScript(change.statement) }
                }
                for key in [nil, ["1"]] {
                    do {
                        _ = try await service.get(people, key: key, details)
                        #expect(!isChanged)
                    } catch {
                        #expect(isChanged && ServiceError(describing: error).detail == expected, "\(error)")
                    }
                }
                let response = try await operation.execute()
                let errors = response.errors.compactMap(\.underlyingError).map { ServiceError(describing: $0).detail }
                #expect(errors == (isChanged ? [expected] : []))
            }
            #expect(try await service.get(people).elements.count == 2)
        }
    }
}
