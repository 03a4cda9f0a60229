import DuetAPIDescription
import DuetJSON
import DuetResourceService
import ProcessTesting
import TestSupport
import Testing

@Suite("Aggregates of a million rows") struct MillionRowTests {
    private static func script(_ backend: TestBackend, rows: Int) -> String {
        switch backend {
        case .sqlite:
            """
            CREATE TABLE readings (id INTEGER NOT NULL PRIMARY KEY, place INTEGER NOT NULL, n BIGINT NOT NULL,
                price DECIMAL(12,2) NOT NULL);
            INSERT INTO readings WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < \(rows))
                SELECT i, i % 10, i * 9000000000000, i / 100.0 FROM numbers;
            """
        // A table without transactions is filled in a tenth of the time.
        case .mariaDB:
            """
            CREATE TABLE readings (id INTEGER NOT NULL PRIMARY KEY, place INTEGER NOT NULL, n BIGINT NOT NULL,
                price DECIMAL(12,2) NOT NULL) ENGINE = MyISAM;
            INSERT INTO readings SELECT seq, seq % 10, seq * 9000000000000, seq / 100 FROM seq_1_to_\(rows);
            """
        }
    }

    private static let description = """
        duet: 1
        resources:
          readings:
            singular: reading
            type: Reading
            key: [id]
            fields:
              id: {type: int}
              place: {type: int}
              n: {type: bigInteger}
              price: {type: decimal, scale: 2}

        """

    @Test(
        "Sums and groups of a million rows are exact, and more rows are refused by the limit of examined rows of SQLite",
        arguments: TestBackend.available)
    func exact(_ backend: TestBackend) async throws {
        #expect(ResourceService.defaultMaximumScan == 1_000_000)
        let script = Self.script(backend, rows: 1_000_000)
        try await WritableShop.with(backend, script: script, description: Self.description) { shop in
            let all = try await shop.send("GET", "/readings?aggregate=count,n.sum,n.avg,price.sum,price.max")
            // The sum of the numbers from 1 to 1,000,000 is 500,000,500,000.
            #expect(
                all.body == """
                    {"count":1000000,"n.sum":"4500004500000000000000000","n.avg":"4500004500000000000",\
                    "price.sum":"5000005000.00","price.max":"10000.00"}
                    """)
            let groups = try await shop.send("GET", "/readings?group=place&aggregate=count,n.sum&sort=-n.sum")
            // The numbers with the last digit d, 1 to 9, have the sum 49,999,500,000 + 100,000 d, and those with the
            // last digit 0 the sum 50,000,500,000.
            let expected = [(0, 50_000_500_000)] + (1...9).reversed().map { ($0, 49_999_500_000 + 100_000 * $0) }
            let elements = expected.map { digit, sum in
                #"{"place":\#(digit),"count":100000,"n.sum":"\#(Int128(sum) * 9_000_000_000_000)"}"#
            }
            #expect(groups.body == "[\(elements.joined(separator: ","))]")
            // Two more rows than the limit; a statement may examine the row that it returns.
            try await shop.database.write {
                try $0.executeScript("INSERT INTO readings VALUES (0, 0, 0, 0), (-1, 0, 0, 0), (-2, 0, 0, 0)")
            }
            let refused = try await shop.send("GET", "/readings?aggregate=n.max,price.max")
            #expect(refused.status == (backend == .sqlite ? 422 : 200), "\(refused.body)")
            #expect(refused.body.contains("scan-too-large") == (backend == .sqlite), "\(refused.body)")
            // An index provides these values.
            let ends = try await shop.send("GET", "/readings?aggregate=id.max")
            #expect(ends.body == #"{"id.max":1000000}"#)
        }
    }
}
