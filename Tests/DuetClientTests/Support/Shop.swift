import DuetClient
import Foundation
import ProcessTesting

/// A `duet serve` with a shop whose API permits all writes, described by `Samples/shop/api.yaml`.
enum Shop {
    /// True if the tests can create the database.
    static let isAvailable = Program.find("sqlite3") != nil

    private static let script = """
        sqlite3 shop.db <<'SQL'
        CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL, email VARCHAR(80) UNIQUE,
          state VARCHAR(10) NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')));
        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers,
          ordered_on DATE NOT NULL, total DECIMAL(10,2) NOT NULL, note VARCHAR(40));
        INSERT INTO customers VALUES (1, 'Ada', 'ada@example.com', 'open'), (2, 'Bob', NULL, 'closed');
        INSERT INTO orders VALUES (7, 1, '2026-03-01', 12.5, NULL), (8, 2, '2026-03-02', 20, 'gift');
        SQL
        """

    /// Calls a closure with the address of the server.
    /// - Parameter keys: True if the server stores idempotency keys.
    static func with(keys: Bool = false, _ body: (URL) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let made = try await Program.shell(script, in: folder)
            guard made.status == 0 else { throw CocoaError(.fileWriteUnknown) }
            if keys {
                let prepared = try await Program.run(["prepare", "--database", "sqlite:shop.db"], in: folder)
                guard prepared.status == 0 else { throw CocoaError(.fileWriteUnknown) }
            }
            let description = Checkout.folder.appending(path: "Tests/DuetOperationGeneratorTests/Samples/shop/api.yaml")
            try await Server.with(["--database", "sqlite:shop.db", "--api", description.path], in: folder) { server in
                guard let url = URL(string: server.base) else { throw URLError(.badURL) }
                try await body(url)
            }
        }
    }
}
