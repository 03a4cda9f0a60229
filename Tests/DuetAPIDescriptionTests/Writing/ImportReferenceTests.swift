import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import ProcessTesting
import Synchronization
import TestSupport
import Testing

@Suite("References of imported rows") struct ImportReferenceTests {
    /// Accounts and their entries. The parent of an account is another account, and a currency has a text as its key.
    private static func tables(_ backend: TestBackend) -> String {
        """
        CREATE TABLE currencies (code VARCHAR(3) NOT NULL PRIMARY KEY, owner VARCHAR(10) NOT NULL);
        CREATE TABLE accounts (id INTEGER NOT NULL PRIMARY KEY, owner VARCHAR(10) NOT NULL, parent_id INTEGER,
            FOREIGN KEY (parent_id) REFERENCES accounts (id));
        CREATE TABLE entries (id INTEGER NOT NULL PRIMARY KEY\(backend == .mariaDB ? " AUTO_INCREMENT" : ""),
            account_id INTEGER NOT NULL, currency VARCHAR(3),
            FOREIGN KEY (account_id) REFERENCES accounts (id), FOREIGN KEY (currency) REFERENCES currencies (code));
        INSERT INTO currencies VALUES ('eur', 'ada'), ('nzd', 'bob');
        INSERT INTO accounts VALUES (1, 'ada', NULL), (2, 'ada', NULL), (3, 'bob', NULL);
        """
    }

    private static let role: Role = {
        let own = Role.Read(where: .compare("owner", .equal, [.parameter("sub")]))
        let create = Role.Writes(create: .init())
        return Role(
            "user", reads: ["currencies": own, "accounts": own, "entries": .init()],
            writes: ["accounts": create, "entries": create])
    }()

    private static let caller: JSONObject = ["role": "user", "sub": "ada"]

    @Test(
        "The error is that of the first row that refers to a hidden or missing row", arguments: TestBackend.available)
    func errors(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, tables: Self.tables(backend), roles: [Self.role]) { shop in
            func send(_ path: String, _ lines: [String]) async throws -> HTTPAnswer {
                try await shop.importRows(path, .csv, lines.joined(separator: "\n"), caller: Self.caller)
            }
            func entries(_ changes: [Int: String]) -> [String] {
                ["id,accountId,currency"]
                    + (2...300).map { line in changes[line] ?? "\(line),\(line % 2 + 1),eur" }
            }
            for (changes, line) in [
                ([200: "200,3,eur", 270: "270,9,eur"], 200), ([200: "200,1,nzd", 100: "100,1,usd"], 100),
                // The error of an earlier row comes first, even if it has another reason.
                ([140: "139,1,eur", 150: "150,3,eur"], 140), ([290: "290,3,eur", 295: "x,1,eur"], 290),
            ] as [([Int: String], Int)] {
                let answer = try await send("/entries", entries(changes))
                #expect([409, 422].contains(answer.status), "\(answer.body)")
                #expect(try answer.json["line"] == .integer(Int64(line)), "\(answer.body)")
            }
            // A row without a reference is valid.
            #expect(try await send("/entries", entries([200: "200,1,"])).body == #"{"created":299}"#)
            // The database compares texts by a collation.
            let folded = try await send("/entries", ["id,accountId,currency", "900,1,EUR", "901,1,EUR"])
            #expect(folded.status == (backend == .mariaDB ? 200 : 422), "\(folded.body)")
        }
    }

    @Test("A row can refer to a row before it, and not to a later one", arguments: TestBackend.available)
    func earlierRows(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, tables: Self.tables(backend), roles: [Self.role]) { shop in
            func send(_ rows: String...) async throws -> HTTPAnswer {
                let lines = ["id,owner,parentId"] + rows
                return try await shop.importRows("/accounts", .csv, lines.joined(separator: "\n"), caller: Self.caller)
            }
            let chain = try await send("10,ada,1", "11,ada,10", "12,ada,11", "13,ada,10", "14,ada,")
            #expect(chain.body == #"{"created":5}"#)
            let later = try await send("20,ada,21", "21,ada,1")
            #expect(later.status == 422)
            #expect(try later.json["line"] == 2)
            let hidden = try await send("20,ada,1", "21,ada,3")
            #expect(hidden.status == 422)
            #expect(try hidden.json["line"] == 3)
        }
    }

    @Test("The references of many rows are checked with few statements", arguments: TestBackend.available)
    func statements(_ backend: TestBackend) async throws {
        let count = Atomic<Int>(0)
        let observer: DatabaseObserver = { if case .statement = $0 { count.add(1, ordering: .relaxed) } }
        try await TestDatabase.with(backend, schema: false, observer: observer) { database in
            try await database.write { try $0.executeScript(Self.tables(backend)) }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let api = try IntrospectedDescription(of: schema, writes: true).api.fitted(to: schema)
            var service = try ResourceService(
                api.catalogue, database: database, encoding: ValueEncoding(dates: .iso)
            ).restricted(to: Self.role)
            service.parameters = ["sub": "ada"]
            let write = try #require(
                service.catalogue.writes.first { $0.resource == "entries" && $0.kind == .insert })
            // The keys are given, or the database generates them.
            for key in [{ #""id":\#($0),"# }, { _ in "" }] as [(Int) -> String] {
                let lines = (1...500).map { #"{\#(key($0))"accountId":\#($0 % 2 + 1),"currency":"eur"}"# }
                count.store(0, ordering: .relaxed)
                let imported = try await service.importRows(
                    ImportBody(.ndjson, bytes: Array(lines.joined(separator: "\n").utf8)), for: write,
                    timeout: .seconds(600))
                #expect(imported.count == 500)
                #expect(count.load(ordering: .relaxed) <= 25)
            }
        }
    }
}
