import DuetJSON
import DuetResourceService
import ProcessTesting
import TestSupport
import Testing

@Suite("Special references") struct PartialReferenceTests {
    private static let tables = """
        CREATE TABLE shelves (room INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (room, number));
        CREATE TABLE parts (id INTEGER NOT NULL PRIMARY KEY, room INTEGER, number INTEGER,
            FOREIGN KEY (room, number) REFERENCES shelves (room, number));
        INSERT INTO shelves VALUES (1, 1), (2, 2);
        INSERT INTO parts VALUES (1, 1, 1);
        """

    @Test("A change of one column that leads to a missing row is a missing reference", arguments: TestBackend.available)
    func update(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, tables: Self.tables) { (shop: WritableShop) async throws in
            let expected = WritableShop.Problem(422, "reference-missing", ["room", "number"])
            #expect(try await shop.problem("PATCH", "/parts/1", ["room": 2]) == expected)
            #expect(try await shop.problem("PATCH", "/parts?id=1", ["room": 2]) == expected)
            #expect(try await shop.problem("PATCH", "/parts/1", ["room": 2, "number": 2]).status == 200)
            #expect(try await shop.problem("PATCH", "/parts/1", ["room": 1, "number": nil]).status == 200)
            // The row is a different one, to which no row refers.
            #expect(try await shop.problem("PATCH", "/parts/1", ["number": 2]) == expected)
        }
    }

    @Test("The callers of a role can create a row that refers to itself", arguments: TestBackend.available)
    func ownRow(_ backend: TestBackend) async throws {
        let role = Role(
            "editor", reads: ["categories": .init(where: .compare("name", .notEqual, [.value(.text("hidden"))]))],
            writes: ["categories": .init(create: .init())])
        try await NestedShop.with(backend, roles: [role]) { (shop: WritableShop) async throws in
            let caller: JSONObject = ["role": "editor"]
            func create(_ row: JSONValue) async throws -> WritableShop.Problem {
                try await shop.problem("POST", "/categories", row, caller: caller)
            }
            #expect(try await create(["id": 7, "name": "a", "parentId": 7]).status == 201)
            #expect(try await create(["id": 8, "name": "b", "parentId": 9]).code == "reference-missing")
            #expect(try await create(["id": 9, "name": "hidden", "parentId": 9]).status == 403)
        }
    }
}
