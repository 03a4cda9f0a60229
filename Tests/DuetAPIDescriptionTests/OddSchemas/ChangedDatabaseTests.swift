import DuetAPIDescription
import DuetGraphQL
import DuetResourceService
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Databases that other programs change or lock") struct ChangedDatabaseTests {
    private static let people = """
        CREATE TABLE people (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(9));
        CREATE TABLE tags (id INTEGER NOT NULL PRIMARY KEY, person_id INTEGER NOT NULL, label VARCHAR(9),
            FOREIGN KEY (person_id) REFERENCES people (id));
        INSERT INTO people VALUES (1, 'Ada'), (2, 'Bob');
        INSERT INTO tags VALUES (1, 1, 'x'), (2, 1, 'y'), (3, 2, 'z');
        """

    @Test(
        "If a table or a column is missing, the error names it and the resource",
        arguments: TestBackend.available,
        [("DROP TABLE tags", "table tags"), ("ALTER TABLE tags DROP COLUMN label", "column label")])
    func missing(_ backend: TestBackend, _ change: (statement: String, name: String)) async throws {
        try await OddService.withWriter(backend, Self.people) { service, writer in
            let people = try #require(service.catalogue["people"])
            let expected =
                "tags or one of its relations cannot be read, because the database has no \(change.name), which the API describes; see the server's log"
            let details: RESTStyle.Query = [("details", "tags")]
            let operation = try PreparedOperation(
                unvalidated:
                    try Parser.parse("{ people { nodes { tags { nodes { label } } } } }"),
                schema: service.graphQL.schema)
            // The statements are prepared before the change.
            for isChanged in [false, true] {
                if isChanged {
                    try await writer.write { try $0.executeScript(change.statement) }
                }
                for key in [nil, ["1"]] {
                    do {
                        _ = try await service.get(people, key: key, details)
                        #expect(!isChanged)
                    } catch {
                        #expect(isChanged && ServiceError(describing: error).detail == expected, "\(error)")
                    }
                }
                let response = try await operation.execute(userContext: ())
                let errors = response.errors.compactMap(\.underlyingError).map { ServiceError(describing: $0).detail }
                #expect(errors == (isChanged ? [expected] : []))
            }
            #expect(try await service.get(people).elements.count == 2)
        }
    }

    @Test(
        "The error of a read timeout names the resource and a lock as a possible reason",
        arguments: TestBackend.available)
    func locked(_ backend: TestBackend) async throws {
        // MariaDB does not report that a lock is the reason.
        let expected =
            backend == .sqlite
            ? "people cannot be read, because another program or request has locked the database or one of its tables; try again later"
            : "people cannot be read, because the database did not respond within the time limit; request less data, or try again later if another program has locked a table"
        try await TestDatabase.withURL(backend) { url in
            let statements = Self.people.split(separator: ";").map { String($0.replacing("\n", with: " ")) }
            var configuration = DatabaseConfiguration(poolSize: 1).patient
            if case .sqlite(let path) = url.location {
                // The file uses a rollback journal.
                try SQLiteProcess.run(path, statements)
                configuration.access = .readOnly
            }
            let database = Database(url, configuration: configuration)
            if backend == .mariaDB { try await database.write { try $0.executeScript(Self.people) } }
            let service = try await OddService(database, requestTimeout: .milliseconds(300))
            let people = try #require(service.catalogue["people"])
            func expectTimeout() async throws {
                let error = await #expect(throws: DatabaseError.self) { try await service.get(people) }
                let described = ServiceError(describing: try #require(error))
                #expect(described.code == .queryTimeout && described.detail == expected, "\(described)")
            }
            if case .sqlite(let path) = url.location {
                let locker = try SQLiteProcess(path)
                try locker.run("BEGIN EXCLUSIVE")
                try await expectTimeout()
                try locker.close()
            } else {
                let locker = Database(url, configuration: DatabaseConfiguration(poolSize: 1))
                try await locker.holdingConnection(writing: "LOCK TABLES people WRITE, tags WRITE") { _ async throws in
                    try await expectTimeout()
                }
                await locker.close()
            }
            await database.close()
        }
    }

    @Test("The error of a lock timeout names the lock as the reason")
    func busy() {
        var error = DatabaseError(.busy, "database is locked")
        #expect(
            ServiceError(describing: error).detail
                == "another program or request has locked the database or one of its tables; try again later")
        error.source = "people"
        let described = ServiceError(describing: error)
        #expect(
            described.detail
                == "people cannot be read, because another program or request has locked the database or one of its tables; try again later"
        )
        #expect(described.code == .overloaded)
    }
}
