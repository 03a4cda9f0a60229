import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import ServerTestSupport
import TestSupport
import Testing

@Suite("Foreign keys of other databases") struct OuterReferenceTests {
    private typealias Problem = WritableShop.Problem

    @Test(
        "A role cannot remove a row if a row of another database refers to it",
        arguments: TestBackend.available.filter { $0 == .mariaDB })
    func removal(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            let name = try await database.read { connection in
                let row = try connection.query("SELECT DATABASE()")
                return try row.next() ? row.text(at: 0) : ""
            }
            let other = "\(name)_other"
            func run(_ statements: String...) async throws {
                for statement in statements { try await database.write { try $0.executeScript(statement) } }
            }
            try await run(
                "CREATE DATABASE \(other)", "CREATE TABLE Customers (id INTEGER NOT NULL PRIMARY KEY)",
                // A table with the same name as one of the described tables.
                """
                CREATE TABLE \(other).Customers (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER,
                    FOREIGN KEY (customer_id) REFERENCES \(name).Customers (id) ON DELETE CASCADE)
                """,
                """
                CREATE TABLE \(other).notes (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER,
                    FOREIGN KEY (customer_id) REFERENCES \(name).Customers (id))
                """, "INSERT INTO Customers VALUES (1), (2), (3)", "INSERT INTO \(other).Customers VALUES (3, 1)",
                "INSERT INTO \(other).notes VALUES (1, 2)")
            do {
                let schema = try await database.read { try DatabaseSchema.read($0, withOtherDatabases: true) }
                let actions = schema.outerReferences.map(\.onDelete)
                #expect(Set(actions) == [.cascade, .restrict])
                let api = try IntrospectedDescription(of: schema, writes: true).api.fitted(to: schema)
                let service = ResourceService(api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
                let role = Role("clerk", reads: ["customers": .init()], writes: ["customers": .init(delete: .init())])
                try await ServiceServer.with(service, access: try AccessSettings(roles: [role])) { server in
                    let shop = WritableShop(server: server, database: database)
                    let caller: JSONObject = ["role": "clerk"]
                    let cascading = try await shop.problem("DELETE", "/customers/1", caller: caller)
                    #expect(cascading == Problem(409, "row-in-use"))
                    let restricted = try await shop.problem("DELETE", "/customers/2", caller: caller)
                    #expect(restricted == Problem(409, "row-in-use"))
                    let free = try await shop.problem("DELETE", "/customers/3", caller: caller)
                    #expect(free == Problem(204, ""))
                }
            } catch {
                try await run("DROP DATABASE \(other)")
                throw error
            }
            try await run("DROP DATABASE \(other)")
        }
    }
}
