import DuetAPIDescription
import DuetResourceService
import DuetResultSetJSON
import TestSupport
import Testing

@Suite("Values that do not fit their type and are null") struct NullifiedMismatchTests {
    private static let script = """
        CREATE TABLE odds (id INTEGER PRIMARY KEY, amount REAL NOT NULL, note TEXT, n INTEGER);
        INSERT INTO odds VALUES (1, 1.5, 'a', 1), (2, 9e999, CAST(x'61ff' AS TEXT), 2), (3, -9e999, NULL, NULL);
        CREATE TABLE tags (tag TEXT PRIMARY KEY NOT NULL); INSERT INTO tags VALUES (CAST(x'ff' AS TEXT));
        """

    @Test("Introspection describes columns with values that JSON cannot represent, so that all rows can be read")
    func introspected() async throws {
        try await OddService.with(.sqlite, Self.script, readsRows: true) { service in
            let odds = try #require(service.catalogue["odds"])
            #expect(odds.field("amount")?.nullifiesMismatches == true && odds.field("amount")?.isNullable == true)
            #expect(odds.field("n")?.nullifiesMismatches == false)
            let expected = [
                #"{"id":1,"amount":1.5,"note":"a","n":1}"#, #"{"id":2,"amount":null,"note":null,"n":2}"#,
                #"{"id":3,"amount":null,"note":null,"n":null}"#,
            ]
            #expect(try await service.get(odds).elements == expected)
            #expect(try await service.get(odds, [], .csv).body == "id,amount,note,n\r\n1,1.5,a,1\r\n2,,,2\r\n3,,,\r\n")
            #expect(try await service.get(odds, [], .ndjson).body == expected.map { $0 + "\n" }.joined())
            #expect(try await service.dataFindings() == [])
            let tags = try #require(service.catalogue["tags"])
            #expect(!tags.hasKey)
            #expect(try await service.get(tags).elements == [#"{"tag":null}"#])
        }
    }

    @Test("Without mismatch: null, such a value is an error, and the field must be nullable")
    func described() async throws {
        try await OddService.with(.sqlite, Self.script) { service in
            let odds = try #require(service.catalogue["odds"])
            await #expect(throws: ValueMismatch.self) { try await service.get(odds) }
        }
        let error = await #expect(throws: (any Error).self) {
            try await OddService.with(
                .sqlite, Self.script, describing: ("amount: {type: number}", "amount: {type: number, mismatch: null}")
            ) { _ in }
        }
        #expect(error.map { "\($0)" }?.contains("add nullable: true") == true)
    }
}
