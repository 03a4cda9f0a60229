import DuetJSON
import DuetResourceService
import ProcessTesting
import TestSupport
import Testing

@Suite("Changes of rows with decimal keys") struct DecimalKeyTests {
    private static let tables = """
        CREATE TABLE sizes (size DECIMAL(8,2) NOT NULL PRIMARY KEY, note VARCHAR(20));
        CREATE TABLE parts (id INTEGER NOT NULL PRIMARY KEY, size DECIMAL(8,2), owner VARCHAR(20),
            FOREIGN KEY (size) REFERENCES sizes (size) ON DELETE CASCADE);
        INSERT INTO sizes VALUES (0, NULL), (0.5, NULL), (1, NULL);
        INSERT INTO parts VALUES (1, 0.5, 'bob'), (2, 1, 'ann');
        """

    @Test(
        "A change of rows whose keys are consecutive whole numbers does not change a row between them",
        arguments: TestBackend.available)
    func filter(_ backend: TestBackend) async throws {
        let role = Role(
            "ann", reads: ["sizes": .init(), "parts": .init()],
            writes: [
                "sizes": .init(update: .init(), delete: .init()),
                "parts": .init(delete: .init(where: .compare("owner", .equal, [.value(.text("ann"))]))),
            ])
        try await WritableShop.with(backend, tables: Self.tables, roles: [role]) { (shop: WritableShop) async throws in
            let caller: JSONObject = ["role": "ann"]
            let others = "/sizes?size.ne=0.5"
            let changed = try await shop.send("PATCH", others, ["note": "whole"], caller: caller)
            #expect(changed.body == #"{"updated":2}"#)
            let notes = try await shop.send("GET", "/sizes?fields=note", caller: caller)
            #expect(notes.body == #"[{"note":"whole"},{"note":null},{"note":"whole"}]"#)
            // The removal extends only to a part of ann.
            let removed = try await shop.send("DELETE", others, caller: caller)
            #expect(removed.body == #"{"deleted":2}"#)
            let rest = try await shop.send("GET", "/sizes?details=parts&fields=size&parts.fields=id", caller: caller)
            #expect(rest.body == #"[{"size":"0.50","parts":[{"id":1}]}]"#)
        }
    }

    @Test("A list of whole numbers in a filter does not match a number between them", arguments: TestBackend.available)
    func list(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, tables: Self.tables) { (shop: WritableShop) async throws in
            let mutation = #"mutation { updateSizes(filter: {size: {in: [0, 1]}}, patch: {note: "x"}) { count } }"#
            let answer = try await shop.send("POST", "/graphql", ["query": .string(mutation)])
            #expect(answer.body == #"{"data":{"updateSizes":{"count":2}}}"#)
        }
    }
}
