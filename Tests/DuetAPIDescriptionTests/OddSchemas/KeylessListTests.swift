import DuetResourceService
import TestSupport
import Testing

@Suite("Lists of rows without a key") struct KeylessListTests {
    private static let script = """
        CREATE TABLE odds (n INTEGER, t VARCHAR(9));
        INSERT INTO odds VALUES (1, 'a'), (1, 'a'), (2, 'b'), (NULL, NULL), (3, 'c');
        """

    @Test(
        "A list has the number of rows if it has more rows than the answer, because it has no link to the next page",
        arguments: TestBackend.available)
    func counts(_ backend: TestBackend) async throws {
        try await OddService.with(backend, Self.script) { service in
            let odds = try #require(service.catalogue["odds"])
            let part = try await service.get(odds, [("first", "3")])
            #expect(part.totalCount == 5 && part.next == nil && part.elements.count == 3)
            let filtered = try await service.get(odds, [("first", "1"), ("n", "1")])
            #expect(filtered.totalCount == 2)
            #expect(try await service.get(odds, [("first", "5")]).totalCount == nil)
            #expect(try await service.get(odds).totalCount == nil)
            #expect(try await service.get(odds, [("first", "5"), ("count", "true")]).totalCount == 5)
        }
    }

    @Test("The contracts do not promise an order by the key")
    func contracts() async throws {
        try await OddService.with(.sqlite, Self.script) { service in
            #expect(service.graphQL.sdl.contains("Rows with equal values are in an arbitrary order."))
            #expect(!service.graphQL.sdl.contains("sorted by the key"))
        }
    }
}
