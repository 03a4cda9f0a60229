import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Numbers of aggregates")
struct AggregateNumberTests {
    @Test("The precision of a DECIMAL column is known on MariaDB", arguments: TestBackend.available)
    func precision(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, price DECIMAL(10, 2), amount DECIMAL(65, 30),
                        units BIGINT, weight DOUBLE, name VARCHAR(20), day DATE)
                    """)
            }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let catalogue = try IntrospectedDescription(of: schema).api.fitted(to: schema).catalogue
            let items = try #require(catalogue["items"])
            let numbers = items.fields.map { catalogue.aggregateNumber(of: $0, items) }
            let isMariaDB = backend == .mariaDB
            #expect(
                numbers == [
                    .integer, .decimal(scale: 2, precision: isMariaDB ? 10 : nil),
                    .decimal(scale: 30, precision: isMariaDB ? 65 : nil), .integer, .double, nil, nil,
                ])
            // A description can have another scale than the column.
            var price = items.fields[1]
            price.type = .decimal(scale: 4)
            #expect(catalogue.aggregateNumber(of: price, items) == .decimal(scale: 4))
        }
    }
}
