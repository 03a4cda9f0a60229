import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import ProcessTesting
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@Suite("Plans of aggregates") struct GroupPlanTests {
    private static let script = """
        CREATE TABLE digits (n INTEGER NOT NULL PRIMARY KEY);
        INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL, country VARCHAR(2) NOT NULL,
            ordered_on DATE NOT NULL, shipped_on DATE, total DECIMAL(9,2) NOT NULL, is_paid BOOLEAN NOT NULL,
            note VARCHAR(200));
        INSERT INTO orders SELECT a.n + 10 * b.n + 100 * c.n, a.n * 10 + b.n, CASE WHEN a.n < 5 THEN 'FR' ELSE 'DE' END,
            CASE WHEN b.n < 3 THEN '2024-01-31' ELSE '2024-03-01' END, NULL, a.n + 100 * c.n, 1, 'a note'
            FROM digits AS a CROSS JOIN digits AS b CROSS JOIN digits AS c;
        CREATE INDEX orders_customer ON orders (customer_id, total);
        CREATE INDEX orders_country ON orders (country, ordered_on);
        CREATE INDEX orders_day ON orders (ordered_on);
        CREATE INDEX orders_total ON orders (total);
        """

    private static let description = """
        duet: 1
        resources:
          orders:
            singular: order
            type: Order
            key: [id]
            fields:
              id: {type: int}
              customerId: {type: int, column: customer_id}
              country: {type: text, maxLength: 2}
              orderedOn: {type: date, column: ordered_on}
              shippedOn: {type: date, column: shipped_on, nullable: true}
              total: {type: decimal, scale: 2}
              isPaid: {type: boolean, column: is_paid}
              note: {type: text, maxLength: 200, nullable: true}

        """

    /// The steps of a plan that a request must have and must not have.
    private struct Expectation {
        let query: String
        /// A text in the plan of SQLite.
        let sqlite: String
        /// A text in the plan of MariaDB.
        let mariaDB: String
    }

    private static let expectations = [
        // A filter on an index.
        Expectation(query: "aggregate=count&customerId=7", sqlite: "COVERING INDEX", mariaDB: "Using index"),
        Expectation(
            query: "aggregate=count&orderedOn.gte=2024-02-01", sqlite: "COVERING INDEX", mariaDB: "Using index"),
        Expectation(query: "aggregate=count&country=FR", sqlite: "COVERING INDEX", mariaDB: "Using index"),
        Expectation(query: "aggregate=count,total.sum&customerId=7", sqlite: "COVERING INDEX", mariaDB: "Using index"),
        Expectation(query: "aggregate=total.avg,total.count", sqlite: "COVERING INDEX", mariaDB: "Using index"),
        // The ends of an index.
        Expectation(query: "aggregate=id.max", sqlite: "SEARCH t", mariaDB: "optimized away"),
        Expectation(query: "aggregate=total.min", sqlite: "SEARCH t USING COVERING INDEX", mariaDB: "optimized away"),
        Expectation(
            query: "aggregate=total.min,total.max", sqlite: "COVERING INDEX", mariaDB: "optimized away"),
        Expectation(
            query: "aggregate=orderedOn.max", sqlite: "SEARCH t USING COVERING INDEX", mariaDB: "optimized away"),
        Expectation(
            query: "aggregate=country.max", sqlite: "SEARCH t USING COVERING INDEX", mariaDB: "optimized away"),
        Expectation(
            query: "aggregate=total.max&customerId=7", sqlite: "SEARCH t USING COVERING INDEX",
            mariaDB: "optimized away"),
        // The order of an index.
        Expectation(query: "group=country&aggregate=count", sqlite: "COVERING INDEX", mariaDB: "Using index"),
        Expectation(query: "group=country,orderedOn&aggregate=count", sqlite: "COVERING INDEX", mariaDB: "Using index"),
        Expectation(
            query: "group=customerId&aggregate=count,total.sum,total.max&first=5", sqlite: "COVERING INDEX",
            mariaDB: "Using index"),
        Expectation(
            query: "group=orderedOn&aggregate=count&sort=-orderedOn", sqlite: "COVERING INDEX", mariaDB: "Using index"),
        Expectation(query: "group=customerId&aggregate=total.min", sqlite: "COVERING INDEX", mariaDB: "Using index"),
    ]

    @Test(
        "A statement that an index answers visits no table, and groups in the order of an index are not sorted",
        arguments: TestBackend.available)
    func plans(_ backend: TestBackend) async throws {
        let statements = Statements()
        try await TestDatabase.with(backend, schema: false, observer: statements.observer) { database in
            try await database.write { try $0.executeScript(Self.script) }
            if backend == .mariaDB { try await database.write { try $0.executeScript("ANALYZE TABLE orders") } }
            let api = try APIDescription(reading: Self.description, file: "shop.yaml")
                .fitted(to: try await database.read { try DatabaseSchema.read($0) })
            let service = ResourceService(api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
            try await ServiceServer.with(service) { server in
                for expectation in Self.expectations {
                    statements.clear()
                    let answer = try await server.get("/orders?\(expectation.query)")
                    #expect(answer.status == 200, "\(expectation.query): \(answer.body)")
                    for sql in statements.all {
                        let plan = try await Self.plan(of: sql, in: database)
                        let wanted = backend == .sqlite ? expectation.sqlite : expectation.mariaDB
                        #expect(plan.contains(wanted), "\(expectation.query): \(plan), \(sql)")
                        for step in ["TEMP B-TREE", "Using temporary", "Using filesort"] {
                            #expect(!plan.contains(step), "\(expectation.query): \(plan), \(sql)")
                        }
                    }
                    #expect(statements.all.count == 1)
                }
            }
        }
    }

    /// Returns the plan of a statement with placeholders.
    private static func plan(of sql: String, in database: Database) async throws -> String {
        // The type of an argument can determine whether MariaDB uses an index.
        let explained = sql.replacing("ordered_on` >= ?", with: "ordered_on` >= '2024-02-01'")
            .replacing("country` = ?", with: "country` = 'FR'").replacing("?", with: "7")
        let prefix = database.dialect == .sqlite ? "EXPLAIN QUERY PLAN " : "EXPLAIN "
        let rows = try await database.read { try $0.query(prefix + explained).rows() }
        return rows.map { row in row.map { "\($0)" }.joined(separator: " ") }.joined(separator: "; ")
    }

    /// The SQL of the statements that read orders.
    private final class Statements: Sendable {
        private let texts = Mutex<[String]>([])

        var observer: DatabaseObserver {
            { [self] event in
                if case .statement(let sql, _, _, _, _) = event, sql.hasPrefix("SELECT"), sql.contains("orders") {
                    texts.withLock { $0.append(sql) }
                }
            }
        }

        var all: [String] { texts.withLock { $0 } }
        func clear() { texts.withLock { $0 = [] } }
    }
}
