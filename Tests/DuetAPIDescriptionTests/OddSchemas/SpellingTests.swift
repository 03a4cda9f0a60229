import DuetResourceService
import TestSupport
import Testing

@Suite("Values with several notations") struct SpellingTests {
    private static let filters: [(query: (name: String, value: String), ids: [Int])] = [
        (("tm", "07:30"), [1]), (("tm", "07:30:00.000"), [1]), (("tm.lte", "07:30"), [1]), (("tm.lt", "07:30"), []),
        (("tm.gte", "07:30"), [1, 2, 3]), (("tm.gt", "07:30"), [2, 3]), (("tm.ne", "07:30"), [2, 3]),
        (("tm", "07:30:30.5"), [2]), (("tm.gt", "07:30:30.500"), [3]), (("tm.in", "09:00"), [3]),
        (("at", "2024-01-01T10:00:00.000"), [1]), (("at", "2024-01-01T10:00"), [1]),
        (("at.gte", "2024-01-01T10:00:00.000"), [1, 2, 3]), (("at.gt", "2024-01-01T10:00:00.0"), [2, 3]),
        (("at.lte", "2024-01-01T10:00:12.001"), [1, 2]), (("at", "2024-01-01T10:00:12.001"), [2]),
        (("at", "2024-01-01T10:00:12.001000"), [2]), (("at.ne", "2024-01-01T10:00:00.0"), [2, 3]),
        (("at.in", "2024-01-01T10:00:12.0010"), [2]),
        (("guid", "123E4567-E89B-12D3-A456-426614174000"), [1]),
        (("guid", "123e4567-e89b-12d3-a456-426614174000"), [1]),
        (("guid.ne", "123E4567-E89B-12D3-A456-426614174000"), [2, 3]),
    ]

    @Test("A filter finds a row by any notation of a value", arguments: TestBackend.available)
    func spellings(_ backend: TestBackend) async throws {
        let digits = backend == .mariaDB ? "(6)" : ""
        let script = """
            CREATE TABLE odds (id INTEGER NOT NULL PRIMARY KEY, tm TIME\(digits), at DATETIME\(digits), guid UUID);
            INSERT INTO odds VALUES (1, '07:30:00', '2024-01-01 10:00:00', '123e4567-e89b-12d3-a456-426614174000'),
                (2, '07:30:30.500000', '2024-01-01 10:00:12.001000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
                (3, '09:00:00', '2024-01-02 00:00:00', '00000000-0000-0000-0000-000000000000'), (4, NULL, NULL, NULL);
            """
        try await OddService.with(backend, script) { service in
            let resource = try #require(service.catalogue["odds"])
            for (query, ids) in Self.filters {
                let found = try await service.get(resource, [("fields", "id"), query])
                #expect(found.elements == ids.map { #"{"id":\#($0)}"# }, "\(query)")
            }
            let negated = #"{"not":{"at":{"eq":"2024-01-01T10:00:00.0"}}}"#
            #expect(
                try await service.get(resource, [("fields", "id"), ("filter", negated)]).body == #"[{"id":2},{"id":3}]"#
            )
        }
    }

    @Test("A filter finds a value that SQLite stores without seconds, with milliseconds, or in upper case")
    func stored() async throws {
        let script = """
            CREATE TABLE odds (id INTEGER NOT NULL PRIMARY KEY, tm TIME, at DATETIME, guid UUID);
            INSERT INTO odds VALUES (1, '07:30', '2024-01-01T10:00:00.000Z', 'ABCDEF00-0000-0000-0000-000000000000'),
                (2, '07:31', '2024-01-01T10:00:00.500Z', NULL), (3, '08:00', '2024-01-01T10:00:01.000Z', NULL);
            """
        let change = ("at: {type: dateTime", "at: {type: timestamp, stored: utc")
        try await OddService.with(.sqlite, script, describing: change) { service in
            let resource = try #require(service.catalogue["odds"])
            let queries: [(query: (name: String, value: String), ids: [Int])] = [
                (("tm", "07:30"), [1]), (("tm", "07:30:00"), [1]), (("tm.gt", "07:30:00"), [2, 3]),
                (("tm.lte", "07:31"), [1, 2]), (("tm.lt", "07:31:00"), [1]),
                (("at", "2024-01-01T10:00:00Z"), [1]), (("at", "2024-01-01T10:00:00.000Z"), [1]),
                (("at", "2024-01-01T12:00:00.0+02:00"), [1]), (("at.gt", "2024-01-01T10:00:00Z"), [2, 3]),
                (("at.gte", "2024-01-01T10:00:00Z"), [1, 2, 3]), (("at.lte", "2024-01-01T10:00:00Z"), [1]),
                (("at.lt", "2024-01-01T10:00:01Z"), [1, 2]), (("at.lte", "2024-01-01T10:00:00.5Z"), [1, 2]),
                (("guid", "abcdef00-0000-0000-0000-000000000000"), [1]),
            ]
            for (query, ids) in queries {
                let found = try await service.get(resource, [("fields", "id"), query])
                #expect(found.elements == ids.map { #"{"id":\#($0)}"# }, "\(query)")
            }
            for id in 1...3 {
                let row = try await service.get(resource, key: ["\(id)"]).body
                for name in ["tm", "at"] {
                    let value = RawJSON.text(RawJSON.member(row, name))
                    let found = try await service.get(resource, [(name, value)]).elements
                    #expect(found == [row], "\(name)=\(value)")
                }
            }
            let times = Array(repeating: #""2024-01-01T10:00:00Z""#, count: 100).joined(separator: ",")
            let many = (0..<45).map { _ in #"{"at":{"in":[\#(times)]}}"# }.joined(separator: ",")
            let error = await #expect(throws: ServiceError.self) {
                try await service.get(resource, [("filter", #"{"or":[\#(many)]}"#)])
            }
            #expect(error?.code == .invalidParameter)
        }
    }
}
